// Package report makes one HTML file of a run: a ranking with error bars, the
// figures of every site, a scatter of precision and recall, and for every page
// what each system missed and what it took too much, beside the page's outline.
//
// The file needs nothing but a browser: no network, no other file. Whatever a
// page holds is data in it, packed until somebody opens it, and only ever
// becomes text, never markup; a policy in the file forbids all scripts but its own.
package report
