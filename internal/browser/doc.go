// Package browser has Chromium lay pages out and run their scripts.
//
// A [Browser] is one warm Chromium with a pool of tabs. [Browser.Layout] gives
// the box and the computed style of every node of a [dom.Document];
// [Browser.Render] fetches a page that needs JavaScript to show its story.
//
// # The mapping
//
// Chromium does not parse the page. It is handed the tree that package dom has
// made of it, element by element, so that the two cannot disagree about what
// malformed markup means. What Chromium then says of its own tree is compared
// with ours node by node, names and text; a page is mapped exactly or not at all
// ([ErrMapping]).
//
// # The walls around a page
//
// A page that is laid out runs no scripts and reaches nothing: its tab goes
// through a proxy that does not exist, and Chromium resolves no names. What
// would only ask for something (the addresses of pictures, frames, style sheets)
// is not handed over in the first place. A page that is rendered reaches the
// network through a gate of ours, which resolves names itself and connects to
// public addresses only. Nothing reads files.
//
// Chromium's own sandbox stays on. It cannot run as root; as root in a container
// it is off, and Options.Report and the logger say so.
package browser
