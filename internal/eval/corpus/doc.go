// Package corpus reads collections of pages whose story is known.
//
// Collections come in many forms, and a user's own pages in yet another. Open
// finds out which one a folder has and gives all of them the same shape: gold in
// memory, pages on demand. What is wrong in a folder is told with its file and
// line, and reading goes on.
package corpus
