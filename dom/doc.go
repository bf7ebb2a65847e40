// Package dom turns the bytes of a page into an immutable, indexed Document.
//
// The way is decode, parse, index. Decode finds the charset and gives UTF-8;
// parse builds the tree that HTML5 prescribes; index walks that tree once,
// numbers its nodes in preorder and sums up everything that a method may want
// to count. After that a subtree is a range of numbers, and any count over
// any subtree is one subtraction of two prefix sums.
//
// The text of the page is one buffer, written as a reader would see it: white
// space folded, rows broken where blocks and line breaks break them, nothing
// of what is hidden. The text of a node is a slice of that buffer.
//
// Nothing outside this package knows which parser is behind it. Users of
// goquery and other tools over *html.Node come in through [FromNode] and go
// out through [Document.HTML].
package dom
