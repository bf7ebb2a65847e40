// Package rivals makes other extractors into systems that lede is measured
// against: Go libraries in this process, libraries in other languages at the end
// of a pipe. Each is called as its documentation says, with its default settings,
// and gives its body as the library writes it. The clock runs from the bytes of the
// page to the library's answer, and the time for parsing is told apart where
// the library takes a page that is parsed.
package rivals
