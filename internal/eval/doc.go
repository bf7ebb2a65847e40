// Package eval measures extractors on pages whose story is known: lede's methods, other libraries, files of
// predictions, all through the same code, on the same pages, in the same order.
//
// Package corpus reads the pages with their gold, package measure holds the
// measures, package report makes a page of the result for people to look at.
package eval
