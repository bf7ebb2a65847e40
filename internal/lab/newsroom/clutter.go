package newsroom

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
)

// Cluttered returns the sites of a seed whose designs are generated too, in many
// languages. Their pages are full of boxes: consent placeholders, offers, lists of
// staff, links inside the text, teasers with leads, a second whole story. What
// belongs to the story is in the gold, key points among it, and nothing else.
//
// A design is drawn from seed and site: the names of classes (words, hashes of
// CSS-in-JS, utilities, none), ids that are UUIDs, the elements of paragraphs and
// boxes, which boxes there are and where. Another seed gives other designs.
func Cluttered(seed uint64) *Newsroom { return newRoom(clutteredList(), seed) }

var clutteredList = sync.OnceValue(func() []siteConfig { return readSites("cluttered.json") })

// classNames has the names of classes by role.
var classNames = sync.OnceValue(func() *grammar { return readGrammar("names.txt") })

// How a site names its classes.
const (
	nameWords   = iota // words that say what the element is
	nameHashes         // hashes, as CSS-in-JS has them
	nameModules        // a word and a hash
	nameUtility        // what the element looks like
	nameNone
)

// A look is the generated design of a site. It is read only. templates/cluttered.tmpl says what
// the numbers stand for.
type look struct {
	site   string
	seed   uint64
	naming int
	uuids  bool // elements have random ids
	data   bool // paragraphs have data attributes
	boxes  map[string]bool

	Prose int // elements of paragraphs
	Wrap  int // elements around body and story
	Head  int // order of the parts above the body
	Meta  int // what metadata says: on some sites all, on some nothing
}

// Boxes of the pages, by name. A site has about half of them.
var boxKinds = []string{
	"title", "video", "keypoints", "readin", "credit", "consent", "offer", "editorial", "more", "newsletter",
	"social", "staff", "ending", "teasers", "second", "hidden", "inlineteaser",
}

func newLook(s *Site) *look {
	r := s.stream(streamLook, 0)
	l := &look{site: s.Name, seed: s.seed, boxes: map[string]bool{}}
	l.naming = []int{nameWords, nameWords, nameHashes, nameHashes, nameModules, nameUtility, nameNone}[r.IntN(7)]
	l.uuids, l.data = oneIn(r, 3), oneIn(r, 4)
	l.Prose, l.Wrap, l.Head, l.Meta = r.IntN(8), r.IntN(5), r.IntN(4), r.IntN(6)
	for _, kind := range boxKinds {
		l.boxes[kind] = r.IntN(5) < 3
	}
	return l
}

// configure sets what the body of a story consists of.
func (l *look) configure(c *siteConfig) {
	c.Subhead = l.Choose("subheads", 4) * 2
	c.Picture = []int{0, 3, 5, 7}[l.Choose("pictures", 4)]
	for k, extra := range []string{"list", "quote", "table"} {
		if l.Choose(extra, 3) <= 1-k/2 {
			c.Extras = append(c.Extras, extra)
		}
	}
}

// Choose returns one of n choices, always the same for a name.
func (l *look) Choose(name string, n int) int { return int(l.hash(name) >> 20 % uint64(n)) }

// Pick returns one of a list, always the same for a name.
func (l *look) Pick(name string, list ...string) string { return list[l.Choose(name, len(list))] }

func (l *look) hash(name string) uint64 {
	return hash(strconv.FormatUint(l.seed, 10) + "/" + l.site + "/" + name)
}

// class returns the classes of elements of a role, empty for none.
func (l *look) class(role string) string {
	h := l.hash("class of " + role)
	switch l.naming {
	case nameWords:
		return l.word(role, "name of "+role)
	case nameHashes:
		switch l.Choose("hashes", 4) {
		case 0:
			return "css-" + strconv.FormatUint(h, 36)[:6]
		case 1:
			return fmt.Sprintf("sc-%06x-%d %s", h&0xffffff, h>>60, letters(h, 6))
		case 2:
			return fmt.Sprintf("%s-%012x", []string{"p", "d", "s"}[h>>62%3], h&0xffffffffffff)
		default:
			return letters(h, 5) + " " + letters(h>>30, 5)
		}
	case nameModules:
		return fmt.Sprintf("%s__%s", letters(h>>8, 7), strconv.FormatUint(h, 36)[:5])
	case nameUtility:
		list := []string{"mt-4", "text-lg", "leading-7", "flex", "px-3", "w-full", "font-serif", "mb-6", "block", "max-w-prose", "md:text-xl", "gap-2"}
		return list[h%12] + " " + list[h>>8%12] + " " + list[h>>16%12]
	}
	return ""
}

// word returns one of the names of a role, always the same for a choice.
func (l *look) word(role, choice string) string {
	return classNames().name(role, l.Choose(choice, len(classNames().rules[role])), 1)
}

// Class returns the attribute class for a role, empty for none.
func (l *look) Class(role string) string {
	if c := l.class(role); c != "" {
		return ` class="` + c + `"`
	}
	return ""
}

// letters returns n letters drawn from h, as minified names have them.
func letters(h uint64, n int) string {
	var b strings.Builder
	for range n {
		c := byte('a' + h%26)
		if h>>7%3 == 0 {
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
		h = h*fnvPrime ^ h>>31
	}
	return b.String()
}

// uuid returns a random identifier.
func uuid(r *rand.Rand) string {
	a, b := r.Uint64(), r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0x3fff|0x8000, b&0xffffffffffff)
}
