// Package eval measures extraction on pages whose story is known.
//
// A corpus is a folder with gold.jsonl, a page a line, and pages/ID.html.gz or
// pages/ID.html. The measure is that of the papers: precision, recall and F1
// over bags of words, averaged over pages.
package eval
