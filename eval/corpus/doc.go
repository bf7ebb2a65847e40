// Package corpus reads collections of pages whose story is known.
package corpus
