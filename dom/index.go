package dom

import (
	"slices"
	"unsafe"

	"github.com/lede-news/lede/internal/page/markup"
)

type indexOptions struct {
	maxNodes int
	noscript bool // show the content of <noscript>
}

// index numbers the nodes of a tree and sums up their counts.
func index(tree *markup.Tree, opts indexOptions) *Document {
	b := newBuilder(tree, opts)
	for {
		b.walk(markup.Root)
		if !b.storyHidden() || len(b.revealed) == maxRestarts {
			return b.finish()
		}
		// The largest hidden subtree is revealed.
		revealed := append(b.revealed, b.largest.node)
		b = newBuilder(tree, opts)
		b.revealed = revealed
	}
}

// builder walks the tree and fills in the document.
type builder struct {
	Document
	indexOptions
	total Counts // of the nodes so far
	textWriter
	hiddenText
}

func newBuilder(tree *markup.Tree, opts indexOptions) *builder {
	const few = 16 // texts that only the parser took for blank
	n := min(tree.Shown+few, opts.maxNodes+1)
	b := &builder{indexOptions: opts}
	b.tree = tree
	b.nodes = make([]record, 0, n)
	b.sums = make([]prefix, 0, n+1)
	b.src = make([]markup.Ref, 0, n)
	b.buf = make([]byte, 0, 16*n)
	b.paths.numbers = make(map[pathRecord]int32, n/12)
	b.classes.numbers = make(map[string]uint16, n/12)
	return b
}

func (b *builder) finish() *Document {
	if len(b.nodes) == 0 {
		b.add(markup.None, Root, None, None)
	}
	b.leave(0) // the document that enterElement adds for a part of a tree
	b.sums = append(b.sums, prefix{Counts: b.total})
	b.text = unsafe.String(unsafe.SliceData(b.buf), len(b.buf)) // buf does not change any more
	return &b.Document
}

// walk visits the tree in preorder. It does not use recursion, since a hostile page
// can be nested very deeply.
func (b *builder) walk(root markup.Ref) {
	n, parent, prev := root, None, None
	for {
		id, descend := b.enter(n, parent, prev)
		if first := b.tree.Node(n).FirstChild; descend && first != markup.None {
			n, parent, prev = first, id, None
			continue
		}
		if id != None {
			b.leave(id)
			prev = id
		}
		for n != root && b.tree.Node(n).NextSibling == markup.None {
			n = b.tree.Node(n).Parent
			id = parent
			parent = b.nodes[id].parent
			b.leave(id)
			prev = id
		}
		if n == root {
			return
		}
		n = b.tree.Node(n).NextSibling
	}
}

// enter adds n if it is an element or text, and reports whether to visit its
// children.
func (b *builder) enter(n markup.Ref, parent, prev Node) (id Node, descend bool) {
	switch b.tree.Node(n).Type {
	case markup.TextNode:
		return b.enterText(n, parent, prev), false
	case markup.ElementNode:
		return b.enterElement(n, parent, prev)
	case markup.DocumentNode:
		id, _ = b.add(n, Root, parent, prev)
		return id, id != None
	}
	return None, false // comments and the doctype
}

// add appends a node, unless the page has too many.
func (b *builder) add(n markup.Ref, tag Tag, parent, prev Node) (Node, *record) {
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
		switch {
		case parent == None:
			r.path = b.paths.child(-1, tag)
		case prev != None && b.nodes[prev].tag == tag: // as most list items and paragraphs
			r.path = b.nodes[prev].path
		default:
			r.path = b.paths.child(r.path, tag)
		}
	}
	b.nodes = append(b.nodes, r)
	b.sums = append(b.sums, prefix{Counts: b.total, end: id + 1})
	b.src = append(b.src, n)
	return id, &b.nodes[id]
}

func (b *builder) enterElement(n markup.Ref, parent, prev Node) (Node, bool) {
	if parent == None {
		// FromNode got a part of a tree.
		parent, _ = b.add(n, Root, None, None)
	}
	tag := tagOf(b.tree.Node(n))
	id, r := b.add(n, tag, parent, prev)
	if id == None {
		return None, false
	}
	attrs := b.inspect(n, tag)
	r.class = attrs.class
	if attrs.link {
		r.flags |= inLink
	}
	if tag.is(preformatted) {
		r.flags |= inPre
	}
	shown := attrs.shadow || tag == Noscript && b.noscript
	hides := attrs.hidden || tag.is(invisible) && !shown
	if r.flags&hidden == 0 && !hides {
		hides = attrs.aria && !b.isProse(n, tag) || attrs.unseen && b.isLabel(n)
	}
	if hides && r.flags&hidden == 0 && !slices.Contains(b.revealed, n) {
		r.flags |= hidden
		b.current = hiddenSubtree{node: n}
	}
	if r.flags&hidden == 0 {
		b.countElement(tag, attrs)
	}
	b.separate(r, true)
	opaque := tag.is(invisible) && tag.is(raw) || tag == SVG || tag == Template
	return id, !opaque || shown
}

// separate notes that an element begins or ends here, which may separate words.
// Hidden elements do not, unless they take up space, like a video.
func (b *builder) separate(r *record, begins bool) {
	if r.flags&hidden == 0 || r.tag.is(spaced) {
		b.boundary(r.tag, begins)
	}
}

func (b *builder) countElement(tag Tag, attrs attributes) {
	b.total.Elements++
	switch tag {
	case A:
		if attrs.link {
			b.total.Links++
		}
	case P:
		b.total.Paras++
	case Br:
		b.total.Breaks++
	case Img:
		b.total.Images++
	case Unknown:
		if attrs.image {
			b.total.Images++
		}
	default:
		if tag.is(formatting) {
			b.total.Format++
		}
	}
}

// enterText adds a text node, unless it is only white space, which no method would
// choose.
func (b *builder) enterText(n markup.Ref, parent, prev Node) Node {
	text := b.tree.Data(n)
	if b.tree.Node(n).Blank || isBlank(text) {
		b.writeSpace(text, parent)
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
			b.current.chars += proseChars(text)
		}
		return id
	}
	before := b.total
	r.from = int32(b.write(text, r.flags&inPre != 0, &b.total))
	b.total.Texts++
	chars, words := b.total.Chars-before.Chars, b.total.Words-before.Words
	if r.flags&inLink != 0 {
		b.total.LinkChars += chars
		b.total.LinkWords += words
	} else if len(b.buf)-int(r.from) >= minProse {
		b.prose += int(chars)
	}
	return id
}

// writeSpace notes white space between elements, which may end a line of
// preformatted text.
func (b *builder) writeSpace(s string, parent Node) {
	var in flag
	if parent != None {
		in = b.nodes[parent].flags
	}
	switch {
	case s == "" || in&hidden != 0:
	case in&inPre != 0:
		for i := range len(s) {
			b.keepSpace(s[i], false, &b.total)
		}
	default:
		b.space()
	}
}

// leave ends the subtree of a node.
func (b *builder) leave(id Node) {
	r := &b.nodes[id]
	r.end = Node(len(b.nodes))
	b.sums[id].end = r.end
	r.to = int32(len(b.buf))
	if r.tag == Text {
		return
	}
	b.separate(r, false)
	b.leaveHidden(b.src[id])
}
