package feed

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"
)

// repair returns the parts of an RSS or Atom feed that this package reads, as a
// well-formed document: the root, the channel, the items, and of these the elements
// in leaves, with plain text. partial reports whether the feed is cut off or too long;
// then it ends after the last complete item.
func repair(text []byte) (repaired []byte, partial bool) {
	r := repairer{scan: scanner{rest: text}}
	r.run()
	return r.out.Bytes(), r.partial
}

// leaves are the elements that are kept, in lower case and without prefix, and
// whether their text may have markup.
var leaves = map[string]bool{
	"title": true, "description": true, "summary": true,
	"link": false, "guid": false, "id": false, "origlink": false, "enclosure": false,
	"pubdate": false, "published": false, "updated": false, "issued": false, "modified": false, "created": false, "date": false,
}

// foreign are elements with titles and links of something else.
var foreign = map[string]bool{"image": true, "textinput": true, "source": true, "content": true, "encoded": true, "liveitem": true}

// maxNamespaces bounds the declarations that are in force, and maxLeaves the elements
// of an item: gofeed copies the one for each of the other.
const (
	maxNamespaces = 40
	maxLeaves     = 100
)

// repairer writes a well-formed feed.
type repairer struct {
	scan    scanner
	out     bytes.Buffer
	partial bool

	root, channel, item string // names of the elements that are open, as written
	bare                bool   // the root is missing
	hadChannel          bool   // gofeed keeps the last one only
	ended               bool   // the root has ended
	itemAt              int    // where the item begins in out
	items, leaves       int
	namespaces, outside int // declarations in force, and outside the item

	leaf   string // name of the leaf that is open, as written
	markup bool   // the leaf may have markup
	text   strings.Builder
	nested int // elements of its name inside the leaf

	skip  string // local name of the foreign element that is open
	depth int    // elements of its name inside it
}

func (r *repairer) run() {
	r.out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>`)
	for !r.ended {
		t := r.scan.next()
		if t.kind == endToken {
			r.partial = true
			break
		}
		r.handle(t)
	}
	r.close()
}

// handle handles a token.
func (r *repairer) handle(t token) {
	local := localName(t.name)
	if t.kind == startTag && !isPlainName(t.name) {
		t.name = local // an extension in other letters
		if !isPlainName(local) {
			local = "" // unknown
		}
	}
	switch {
	case t.kind == textToken || t.kind == cdataToken:
		r.addText(t)
	case r.skip != "" && !r.endsForeign(t, local):
	case r.leaf != "" && !r.endsLeaf(t, local):
	case t.kind == startTag:
		r.start(t, local)
	default:
		r.end(local)
	}
}

// addText adds text to the leaf.
func (r *repairer) addText(t token) {
	switch {
	case r.skip != "" || r.leaf == "":
	case t.kind == cdataToken:
		writeClean(&r.text, t.raw)
	default:
		r.text.WriteString(decodeText(t.raw))
	}
}

// endsForeign reports whether a tag is to be handled although a foreign element is
// open, because that cannot contain it.
func (r *repairer) endsForeign(t token, local string) bool {
	switch {
	case local == r.skip && t.kind == startTag && !t.empty:
		r.depth++
	case local == r.skip && t.kind == closeTag:
		if r.depth--; r.depth <= 0 {
			r.skip = ""
		}
	case r.isBoundary(t, local):
		r.skip = ""
		return true
	}
	return false
}

// isBoundary reports whether a tag begins or ends an item or what contains it.
func (r *repairer) isBoundary(t token, local string) bool {
	if t.kind == startTag {
		return local == "item" || local == "entry"
	}
	return r.item != "" && local == localName(r.item) || r.channel != "" && local == localName(r.channel) || local == localName(r.root)
}

// endsLeaf reports whether a tag is to be handled although a leaf is open. If so, the
// leaf ends before it: its end tag is missing.
func (r *repairer) endsLeaf(t token, local string) bool {
	own := local == localName(r.leaf)
	_, known := leaves[local]
	switch {
	case own && t.kind == closeTag && r.nested == 0:
		r.endLeaf()
		return false
	case r.isBoundary(t, local), t.kind == startTag && known && !own && (local != "title" && local != "link" && local != "summary" || !r.isLong()):
		r.endLeaf()
		return true
	case own && t.kind == closeTag:
		r.nested--
	case own && t.kind == startTag && !t.empty:
		r.nested++
	}
	if r.markup {
		r.text.WriteString(decodeText(t.raw))
	}
	return false
}

// isLong reports whether the leaf that is open may contain a page.
func (r *repairer) isLong() bool {
	return r.markup && localName(r.leaf) != "title"
}

func (r *repairer) start(t token, local string) {
	switch {
	case r.root == "":
		r.startRoot(t, local)
	case local == "channel" && r.item == "":
		r.startChannel(t)
	case local == "item" || local == "entry":
		r.endItem()
		if r.items++; r.items > maxItems {
			r.partial, r.ended = true, true
			return
		}
		r.item, r.itemAt, r.leaves, r.outside = t.name, r.out.Len(), 0, r.namespaces
		r.open(t)
		if t.empty {
			r.endItem()
		}
	case foreign[local] && !isMedia(t.name):
		if !t.empty {
			r.skip, r.depth = local, 1
		}
	default:
		r.startLeaf(t, local)
	}
}

// startRoot begins the document.
func (r *repairer) startRoot(t token, local string) {
	switch local {
	case "rss", "rdf", "feed":
		r.root = t.name
		r.open(t)
		r.ended = t.empty
	case "channel":
		r.root, r.bare = "rss", true
		r.out.WriteString("<rss>")
		r.startChannel(t)
	}
}

// startChannel begins the channel of an RSS feed.
func (r *repairer) startChannel(t token) {
	if r.hadChannel || localName(r.root) == "feed" {
		return
	}
	r.channel, r.hadChannel = t.name, true
	r.open(t)
	if t.empty {
		r.end("channel")
	}
}

// isMedia reports whether an element is of an extension for media, whose elements
// inside have the same prefix.
func isMedia(name string) bool {
	prefix, _, _ := strings.Cut(strings.ToLower(name), ":")
	return prefix == "media" || prefix == "itunes"
}

// startLeaf begins an element that is kept.
func (r *repairer) startLeaf(t token, local string) {
	markup, ok := leaves[local]
	if !ok {
		return
	}
	if r.leaves++; r.leaves > maxLeaves {
		return
	}
	r.leaf, r.markup, r.nested = t.name, markup, 0
	r.text.Reset()
	inForce := r.namespaces
	r.open(t)
	r.namespaces = inForce
	if t.empty {
		r.endLeaf()
	}
}

func (r *repairer) end(local string) {
	switch {
	case r.item != "" && local == localName(r.item):
		r.endItem()
	case r.channel != "" && local == localName(r.channel):
		r.endItem()
		r.endChannel()
		r.ended = r.bare
	case r.root != "" && local == localName(r.root):
		r.endItem()
		r.ended = true
	}
}

func (r *repairer) endLeaf() {
	escapeXML(&r.out, r.text.String())
	r.text.Reset()
	r.out.WriteString("</" + r.leaf + ">")
	r.leaf = ""
}

func (r *repairer) endItem() {
	if r.item != "" {
		r.out.WriteString("</" + r.item + ">")
		r.item, r.leaves, r.namespaces = "", 0, r.outside
	}
}

func (r *repairer) endChannel() {
	if r.channel != "" {
		r.out.WriteString("</" + r.channel + ">")
		r.channel = ""
	}
}

// close ends the document. An item that has not ended is removed.
func (r *repairer) close() {
	if r.partial = r.partial || r.scan.cut; r.item != "" {
		r.out.Truncate(r.itemAt)
		r.item, r.leaf = "", ""
	}
	if r.leaf != "" {
		r.endLeaf()
	}
	r.endChannel()
	if r.root != "" {
		r.out.WriteString("</" + r.root + ">")
	}
}

// open writes a start tag with the attributes that matter.
func (r *repairer) open(t token) {
	r.out.WriteString("<" + t.name)
	isRoot := t.name == r.root && r.channel == "" && r.item == "" && r.leaf == ""
	prefix, _, _ := strings.Cut(t.name, ":")
	missing := isRoot && localName(t.name) == "feed" && prefix != t.name // the declaration of its prefix
	seen := map[string]bool{}
	for _, a := range readAttrs(t.attrs) {
		name := strings.ToLower(a.name)
		switch {
		case name == "xmlns" || strings.HasPrefix(name, "xmlns:"):
			if r.namespaces >= maxNamespaces || !isPlainName(a.name) || isRoot && name == "xmlns" && localName(t.name) == "rss" {
				continue // RSS has none, and gofeed would take all elements for those of an extension
			}
			r.namespaces++
			if isRoot && localName(t.name) == "feed" && (name == "xmlns" || a.name == "xmlns:"+prefix) {
				a.value, missing = atomNamespace(a.value), missing && name == "xmlns"
			}
			name = a.name // prefixes have a case
		case name == "xml:base":
			a.value = folder(a.value)
		case name == "ispermalink":
			name = "isPermaLink"
		case name == "href" || name == "rel" || name == "url":
		default:
			continue
		}
		if !seen[name] {
			seen[name] = true
			r.writeAttr(name, a.value)
		}
	}
	if missing {
		r.writeAttr("xmlns:"+prefix, atomNamespace(""))
	}
	r.out.WriteString(">")
}

func (r *repairer) writeAttr(name, value string) {
	r.out.WriteString(" " + name + `="`)
	escapeXML(&r.out, strings.TrimSpace(value))
	r.out.WriteString(`"`)
}

// atomNamespace returns the namespace of an Atom feed, also for feeds that write it
// wrongly.
func atomNamespace(declared string) string {
	if declared = strings.TrimSpace(declared); declared == "http://purl.org/atom/ns#" {
		return declared
	}
	return "http://www.w3.org/2005/Atom"
}

// folder returns the folder of an address. gofeed takes the base of addresses for a
// folder, also if it is a file.
func folder(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Opaque != "" {
		return ""
	}
	u.RawQuery, u.Fragment, u.RawPath = "", "", ""
	u.Path = u.Path[:strings.LastIndexByte(u.Path, '/')+1]
	return u.String()
}

// isPlainName reports whether s is a name of XML with at most one prefix.
func isPlainName(s string) bool {
	start := true
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || !isNameByte(c, start) {
			return false
		}
		start = s[i] == ':'
	}
	return !start && strings.Count(s, ":") < 2
}

// localName returns the name of an element without its prefix, in lower case.
func localName(name string) string {
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

// escapeXML writes text for XML.
func escapeXML(out *bytes.Buffer, s string) {
	for i := range len(s) {
		switch c := s[i]; c {
		case '&':
			out.WriteString("&amp;")
		case '<':
			out.WriteString("&lt;")
		case '>':
			out.WriteString("&gt;")
		case '"':
			out.WriteString("&#34;")
		default:
			out.WriteByte(c)
		}
	}
}
