package dom

import (
	"unsafe"

	"golang.org/x/net/html"
)

// indexOptions say what counts as part of the page.
type indexOptions struct {
	maxNodes int
	noscript bool // show what is for browsers without scripts
}

// size is how many nodes a page has at most and about how much text, to make room
// for them at once.
type size struct{ nodes, text int }

// index numbers the tree below root and sums it up.
func index(root *html.Node, guess size, opts indexOptions) *Document {
	b := newBuilder(guess, opts)
	for {
		b.walk(root)
		if !b.storyHidden() || len(b.shown) == maxRescues {
			return b.finish()
		}
		b.restart()
	}
}

// builder walks the tree once and fills the document.
type builder struct {
	Document
	indexOptions
	run Counts // total so far

	textState

	rescue
}

func newBuilder(guess size, opts indexOptions) *builder {
	const few = 16 // nodes that the parser took for blank at first
	n := min(guess.nodes+few, opts.maxNodes+1)
	b := &builder{indexOptions: opts}
	b.nodes = make([]record, 0, n)
	b.sums = make([]prefix, 0, n+1)
	b.src = make([]*html.Node, 0, n)
	b.buf = make([]byte, 0, guess.text+guess.text/8+512) // rows add separators
	b.paths = newPathTable(n / 8)                        // the usual is a twelfth
	return b
}

// restart forgets everything but the room it takes, and shows what holds the story.
func (b *builder) restart() {
	*b = builder{
		Document: Document{
			nodes: b.nodes[:0], sums: b.sums[:0], src: b.src[:0],
			paths: pathTable{list: b.paths.list[:0], slots: b.paths.slots},
		},
		indexOptions: b.indexOptions,
		textState:    textState{buf: b.buf[:0]},
		rescue:       rescue{shown: append(b.shown, b.largest.node)},
	}
	clear(b.paths.slots)
}

func (b *builder) finish() *Document {
	if len(b.nodes) == 0 {
		b.add(&html.Node{Type: html.DocumentNode}, Root, None, None)
	}
	b.leave(0) // of a subtree that was handed in, walk has left all but this
	b.sums = append(b.sums, prefix{Counts: b.run})
	b.text = unsafe.String(unsafe.SliceData(b.buf), len(b.buf)) // buf is never written again
	return &b.Document
}

// walk goes through the tree in preorder without recursion: pages are nested
// as deeply as their authors, or attackers, like.
func (b *builder) walk(root *html.Node) {
	n, parent, prev := root, None, None
	for {
		id, descend := b.enter(n, parent, prev)
		if descend && n.FirstChild != nil {
			n, parent, prev = n.FirstChild, id, None
			continue
		}
		if id != None {
			b.leave(id)
			prev = id
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
			id = parent
			parent = b.nodes[id].parent
			b.leave(id)
			prev = id
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

// enter numbers n if it counts as a node, and says whether to go into it.
func (b *builder) enter(n *html.Node, parent, prev Node) (id Node, descend bool) {
	switch n.Type {
	case html.TextNode:
		return b.enterText(n, parent, prev), false
	case html.ElementNode:
		return b.enterElement(n, parent, prev)
	case html.DocumentNode:
		id, _ = b.add(n, Root, parent, prev)
		return id, id != None
	}
	return None, false // comments and the doctype
}

// add appends a node, unless the page has too many of them.
func (b *builder) add(n *html.Node, tag Tag, parent, prev Node) (Node, *record) {
	id := Node(len(b.nodes))
	if len(b.nodes) >= b.maxNodes {
		b.truncated = true
		return None, nil
	}
	r := record{parent: parent, prev: prev, end: id + 1, tag: tag}
	r.from = int32(len(b.buf))
	r.to = r.from
	if parent != None {
		p := &b.nodes[parent]
		r.flags, r.depth, r.path = p.flags, p.depth+1, p.path
	}
	if tag != Text {
		up := r.path
		if parent == None {
			up = -1
		}
		r.path = b.paths.child(up, tag)
		b.paths.list[r.path].Nodes++
	}
	b.nodes = append(b.nodes, r)
	b.sums = append(b.sums, prefix{Counts: b.run, end: id + 1})
	b.src = append(b.src, n)
	return id, &b.nodes[id]
}

func (b *builder) enterElement(n *html.Node, parent, prev Node) (Node, bool) {
	if parent == None {
		// A subtree that somebody hands in gets a document of its own.
		parent, _ = b.add(n, Root, None, None)
	}
	tag := tagOf(n)
	id, r := b.add(n, tag, parent, prev)
	if id == None {
		return None, false
	}
	look := inspect(n, tag)
	if look.link {
		r.flags |= inLink
	}
	if tag.is(preformatted) {
		r.flags |= inPre
	}
	seen := look.shadow || tag == Noscript && b.noscript
	hides := look.hidden || tag.is(unseen) && !seen
	if hides && r.flags&hidden == 0 && !b.isShown(n) {
		r.flags |= hidden
		b.current = hiddenSubtree{node: n}
	}
	if r.flags&hidden == 0 {
		b.countElement(tag, look)
	}
	b.part(r, true)
	opaque := tag.is(unseen) && tag.is(raw) || tag == SVG || tag == Template
	return id, !opaque || seen
}

// part parts the words on both sides of where an element begins or ends.
// What is not shown parts nothing, but a player or a drawing takes up room.
func (b *builder) part(r *record, begins bool) {
	if r.flags&hidden == 0 || r.tag.is(spaced) {
		b.boundary(r.tag, begins)
	}
}

func (b *builder) countElement(tag Tag, look appearance) {
	b.run.Elements++
	switch tag {
	case A:
		if look.link {
			b.run.Links++
		}
	case P:
		b.run.Paras++
	case Br:
		b.run.Breaks++
	case Img:
		b.run.Images++
	case Unknown:
		if look.image {
			b.run.Images++
		}
	default:
		if tag.is(formatting) {
			b.run.Format++
		}
	}
}

// enterText numbers a run of text, unless it is only white space: that parts
// words, but it is nothing that a method would choose or drop.
func (b *builder) enterText(n *html.Node, parent, prev Node) Node {
	if blank(n.Data) {
		b.blank(n.Data, parent)
		return None
	}
	if parent == None {
		parent, _ = b.add(n, Root, None, None)
	}
	id, r := b.add(n, Text, parent, prev)
	if id == None {
		return None
	}
	if r.flags&hidden != 0 {
		if r.flags&inLink == 0 {
			b.current.chars += proseChars(n.Data)
		}
		return id
	}
	before := b.run
	r.from = int32(b.write(n.Data, r.flags&inPre != 0, &b.run))
	b.run.Texts++
	chars, words := b.run.Chars-before.Chars, b.run.Words-before.Words
	if r.flags&inLink != 0 {
		b.run.LinkChars += chars
		b.run.LinkWords += words
	} else if len(b.buf)-int(r.from) >= long {
		b.prose += int(chars)
	}
	p := &b.paths.list[r.path].PathCounts
	p.Texts++
	p.Chars += chars
	p.Words += words
	return id
}

// blank notes the white space between elements, which in preformatted text
// may be the end of a row.
func (b *builder) blank(s string, parent Node) {
	var in flag
	if parent != None {
		in = b.nodes[parent].flags
	}
	switch {
	case s == "" || in&hidden != 0:
	case in&inPre != 0:
		for i := range len(s) {
			b.keepSpace(s[i], false, &b.run)
		}
	default:
		b.space()
	}
}

// leave closes the subtree of a node.
func (b *builder) leave(id Node) {
	r := &b.nodes[id]
	r.end = Node(len(b.nodes))
	b.sums[id].end = r.end
	r.to = int32(len(b.buf))
	if r.tag == Text {
		return
	}
	b.part(r, false)
	b.leaveHidden(b.src[id])
}
