// Package label is for people who say where the headline and the body of a page
// are, and for programs that learn from what they said.
//
// A [Label] names two elements of a page, each by a [Mark]: its path, a hash of
// its text, a sketch of the text and its box on the screen. [Find] finds the
// element again on a page that has changed a little since, and tells how sure it
// is. Labels are plain JSON, a line a page ([ReadLabels], [WriteLabels]).
//
// The other half is a web page for one person on this machine: [Server] shows page
// after page in a frame beside its tree, and a [Store] has every choice on
// disk before the web page says that it is saved.
//
// The pages that are labelled are not trusted. They are shown from lede's own
// tree, without scripts, forms, frames or addresses to go to, in a sandbox and under
// a policy that each alone would keep a script from running.
package label
