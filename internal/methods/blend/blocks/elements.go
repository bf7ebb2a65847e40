package blocks

import (
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// enclosing is a set of kinds of elements that enclose a block.
type enclosing uint32

const (
	inArticle enclosing = 1 << iota
	inMain
	inAside
	inNav
	inFooter
	inForm
	inCaption
	inList
	inTable
	inButton
	inCode
	inBodyMark // itemprop="articleBody" and the like
	inHeading
	inStory // role="article", itemtype …Article
)

// element describes an element by its tag, its attributes and its ancestors.
type element struct {
	in          enclosing
	name        int16    // score of its class and id
	low, high   int16    // lowest and highest such score of the element and its ancestors
	worst, best dom.Node // the elements with these scores
	key         uint32   // hash of tag and class
	similar     int32    // siblings with the same key, itself included
	story       int16    // number of the outermost element around it that is marked as a story, from 1
	inStory     bool     // an element around it is marked as a story
}

// readElements describes every element that has text, and passes on to text
// nodes what applies to their parents.
func (v *View) readElements(t *Tables) {
	d := v.Doc
	v.elements = resize(v.elements, d.Len())
	v.unknown, v.hashes = v.unknown[:0], v.hashes[:0]
	v.classes = resize(v.classes, d.Classes()+1)
	stories := int16(0)
	for k := 1; k < len(v.elements); k++ {
		n := dom.Node(k)
		tag := d.Tag(n)
		e := &v.elements[n]
		*e = v.elements[d.Parent(n)]
		e.similar = 0
		if tag == dom.Text || d.Hidden(n) || d.Chars(n) == 0 {
			continue
		}
		e.in |= enclosedBy[tag]
		e.name, e.key = 0, uint32(tag)
		if tag == dom.HTML || tag == dom.Body {
			continue // their names say nothing about a part of the page
		}
		outer := e.in
		e.in &^= inStory | inBodyMark
		v.readNames(n, t, e)
		if marked := tag == dom.Article || e.in&(inStory|inBodyMark) != 0; marked && d.Words(n) >= minStoryWords {
			if !e.inStory && stories < maxStories {
				stories++
				e.story = stories
			}
			e.inStory = true
		}
		e.in |= outer
		if e.name < e.low {
			e.low, e.worst = e.name, n
		}
		if e.name > e.high {
			e.high, e.best = e.name, n
		}
	}
	v.addUnknownNames()
	v.countSimilar()
}

// An element that is marked as a story counts if it has this many words. More
// than maxStories are not distinguished.
const (
	minStoryWords = 20
	maxStories    = 99
)

// readNames reads the attributes that tell what an element is for.
func (v *View) readNames(n dom.Node, t *Tables, e *element) {
	class := v.readClass(v.Doc.Class(n), t)
	for _, hash := range v.hashes[class.from:class.to] {
		v.unknown = append(v.unknown, unknownName{n, hash})
	}
	id := nameReader{names: &t.Names}
	for key, value := range v.Doc.Attrs(n) {
		switch key {
		case "id":
			eachToken(value, id.read)
		case "role":
			e.in |= enclosedByRole[value]
		case "itemprop":
			if value == "articleBody" || value == "reviewBody" || value == "text" {
				e.in |= inBodyMark
			}
		case "itemtype":
			if strings.HasSuffix(value, "Article") && value != "Article" { // an address
				e.in |= inStory
			}
		}
	}
	e.name = min(class.low, id.low) + max(class.high, id.high)
	e.key = (e.key ^ class.key) * step
}

// classNames is what the words of a class attribute say.
type classNames struct {
	low, high int16
	key       uint32
	from, to  int32 // range of View.hashes: the unknown part of each name
	isRead    bool
}

// readClass reads a class attribute, at most once.
func (v *View) readClass(number int, t *Tables) *classNames {
	c := &v.classes[number]
	if c.isRead || number == 0 {
		return c
	}
	r := nameReader{names: &t.Names}
	from := len(v.hashes)
	for name := range strings.FieldsSeq(v.Doc.ClassAttr(number)) {
		r.unknown = 0
		eachToken(name, r.read)
		if r.unknown != 0 {
			v.hashes = append(v.hashes, r.unknown)
		}
	}
	*c = classNames{r.low, r.high, r.key, int32(from), int32(len(v.hashes)), true}
	return c
}

// nameReader sums up the words of the class and the id of an element.
type nameReader struct {
	names     *Table
	low, high int16  // scores
	key       uint32 // hash of known words
	unknown   uint32 // hash of other words, and of what is no word
}

func (r *nameReader) read(token string, hasWords bool) {
	low, high := r.low, r.high
	known, letters, words := 0, 0, 0
	if hasWords {
		eachWord(token, func(word string, hash uint32) {
			if x := r.names.score(hash); x != 0 {
				low, high = min(low, x), max(high, x)
				known += len(word)
			}
			letters += len(word)
			words++
		})
	}
	// A known word between capital letters may be an accident.
	if words > 1 && 2*known < letters {
		known = 0
	}
	if known == 0 {
		r.unknown = hashMore(r.unknown+1, token)
	} else {
		r.low, r.high = low, high
		r.key = hashMore(r.key, token) * step
	}
}

// unknownName is the part of a class of an element that no table knows.
type unknownName struct {
	node dom.Node
	hash uint32
}

// addUnknownNames adds the unknown parts of classes to the keys of elements. One
// that no other element has is left out: it may be a number or a hash, and groups
// nothing.
func (v *View) addUnknownNames() {
	v.counts.reset(len(v.unknown))
	for _, u := range v.unknown {
		v.counts.of(u.hash).n++
	}
	for _, u := range v.unknown {
		if v.counts.of(u.hash).n > 1 {
			v.elements[u.node].key += u.hash * step
		}
	}
}

// hashMore continues the hash h with s.
func hashMore(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * step
	}
	return h
}

// enclosedBy holds what the tags add to a set. Read only.
var enclosedBy = [256]enclosing{
	dom.Article: inArticle, dom.Main: inMain, dom.Aside: inAside, dom.Nav: inNav, dom.Footer: inFooter, dom.Form: inForm,
	dom.Figcaption: inCaption, dom.Ul: inList, dom.Ol: inList, dom.Dl: inList, dom.Table: inTable,
	dom.Button: inButton, dom.Select: inButton, dom.Label: inButton, dom.Textarea: inButton, dom.Pre: inCode, dom.Code: inCode,
	dom.H1: inHeading, dom.H2: inHeading, dom.H3: inHeading, dom.H4: inHeading, dom.H5: inHeading, dom.H6: inHeading,
}

// enclosedByRole holds what role attributes add to a set. Read only.
var enclosedByRole = map[string]enclosing{
	"article": inStory, "main": inMain, "complementary": inAside, "navigation": inNav,
	"contentinfo": inFooter, "search": inForm, "button": inButton, "heading": inHeading, "list": inList,
}

// countSimilar counts for every element around a block the siblings with the
// same key. The first of them counts for all; a count is negative until its
// element is reached itself, and 0 in the end if it never is.
func (v *View) countSimilar() {
	d := v.Doc
	for i := range v.Blocks {
		for n := v.Blocks[i].Owner; n > 0 && v.elements[n].similar <= 0; n = d.Parent(n) {
			if v.elements[n].similar == 0 {
				v.countChildren(d.Parent(n))
			}
			v.elements[n].similar *= -1
		}
	}
	for k := range v.elements {
		v.elements[k].similar = max(v.elements[k].similar, 0)
	}
}

// countChildren counts the children of an element by key.
func (v *View) countChildren(parent dom.Node) {
	d, children := v.Doc, v.children[:0]
	for c := range d.Children(parent) {
		if d.Tag(c) != dom.Text {
			children = append(children, c)
		}
	}
	v.children = children
	v.counts.reset(len(children))
	for _, c := range children {
		v.counts.of(v.elements[c].key).n++
	}
	for _, c := range children {
		v.elements[c].similar = -v.counts.of(v.elements[c].key).n
	}
}

// counter counts keys in a hash table with open addressing. Of a hundred thousand siblings each
// may have its own key.
type counter []keyCount

type keyCount struct {
	key uint32
	n   int32 // 0 in a free slot
}

// reset empties the table and makes room for n keys.
func (c *counter) reset(n int) { *c = resize(*c, max(16, 1<<bits.Len(uint(2*n)))) }

// of returns the slot of a key, which the caller increments.
func (c counter) of(key uint32) *keyCount {
	last := uint32(len(c) - 1)
	i := (key ^ key>>15) & last
	for c[i].n > 0 && c[i].key != key {
		i = (i + 1) & last
	}
	c[i].key = key
	return &c[i]
}

// group sums up the blocks in similar places: with the same tag path, and the
// same class of the nearest element.
type group struct {
	blocks, prose           int32
	words, linkWords, stops int32
	first, last             int32
}

// groupKey is what the blocks of a group have in common.
type groupKey struct {
	path dom.Path
	key  uint32
}

// group groups the blocks, and counts those with the same text.
func (v *View) group() {
	v.groupOf, v.repeats, v.groups = resize(v.groupOf, len(v.Blocks)), resize(v.repeats, len(v.Blocks)), v.groups[:0]
	if v.known == nil {
		v.known, v.texts = make(map[groupKey]int32, 64), make(map[string]int32, len(v.Blocks))
	}
	clear(v.known)
	clear(v.texts)
	for i := range v.Blocks {
		b := &v.Blocks[i]
		s := groupKey{v.Doc.Path(b.Owner), v.elements[b.Owner].key}
		k, ok := v.known[s]
		if !ok {
			k = int32(len(v.groups))
			v.known[s] = k
			v.groups = append(v.groups, group{first: int32(i)})
		}
		v.groupOf[i] = k
		g := &v.groups[k]
		g.blocks++
		g.words += b.Counts.Words
		g.linkWords += b.Counts.LinkWords
		g.stops += b.Counts.Stops
		g.last = int32(i)
		if b.IsProse() {
			g.prose++
		}
		text := v.prefix(i)
		v.texts[text]++
		v.repeats[i] = v.texts[text] // of copies of a paragraph, the first may be the story's
	}
	for i := range v.Blocks {
		if !v.Blocks[i].IsProse() {
			v.repeats[i] = v.texts[v.prefix(i)]
		}
	}
}

// prefix returns the part of a block by which repeated texts are found.
func (v *View) prefix(i int) string {
	text := v.Text(i)
	end := min(len(text), maxScan+1)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[:end]
}

// SmoothGroups moves the log-odds of the blocks of a group by a share of the
// way towards their mean, in groups of three or more.
func (v *View) SmoothGroups(odds []float32, share float32) {
	const minBlocks, maxOdds = 3, 5 // as good as certain
	v.sums = resize(v.sums, len(v.groups))
	sums := v.sums
	for i, x := range odds {
		if i == v.Headline {
			continue
		}
		w := float32(math.Sqrt(float64(v.Blocks[i].Words() + 1)))
		g := &sums[v.groupOf[i]]
		g.odds += w * max(-maxOdds, min(maxOdds, x))
		g.weight += w
	}
	for i := range odds {
		k := v.groupOf[i]
		if v.groups[k].blocks >= minBlocks && sums[k].weight > 0 {
			odds[i] += share * (sums[k].odds/sums[k].weight - max(-maxOdds, min(maxOdds, odds[i])))
		}
	}
}
