package newsroom

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// A Wire is a stream of made-up articles of many papers, in the order in which a
// crawler would see them: stories of news agencies, the copies that papers make of
// them, and articles on the same events that are no copies. The same seed gives
// the same articles. Memory does not grow with their number.
type Wire struct {
	seed  uint64
	opts  WireOptions
	press map[string]*wirePress // by language
}

// WireOptions are the options of [NewWire].
type WireOptions struct {
	Articles int      // how many (default: no end)
	Langs    []string // languages (default: all)
	PerDay   int      // events of a day, with about five articles each (default: 40)
}

// wireStart is when the first event happens.
var wireStart = time.Date(2026, time.March, 2, 6, 0, 0, 0, time.UTC)

// A WireArticle is one article with its gold.
type WireArticle struct {
	ID, URL, Site, Title, Text, Lang string

	Published time.Time // zero if the page does not say; may be wrong
	Seen      time.Time // when a crawler first saw it

	Group int    // the same for copies of one text
	Event int    // the same for articles on one event
	Kind  string // one of the constants below, or of wireCopies
}

// The kinds of articles that are not copies.
const (
	WireOriginal   = "original"     // an agency's story
	wireUpdate     = "update"       // a later and longer version by the agency itself, in its group
	wireRelated    = "related"      // the same event in other words
	wireSubject    = "same subject" // another event about the same thing and place
	wireSeries     = "series"       // a template filled with other names and numbers
	wireBackground = "background"   // shares two paragraphs with other stories
)

// wireLanguages are the languages of a wire.
var wireLanguages = []string{"ar", "de", "el", "en", "fr", "he", "hi", "ja", "ko", "ru", "tr", "vi", "zh"}

// NewWire returns the wire of a seed. It panics if a language is unknown.
func NewWire(seed uint64, opts WireOptions) *Wire {
	w := &Wire{seed: mix(seed, hash("wire")), opts: opts, press: map[string]*wirePress{}}
	if len(opts.Langs) == 0 {
		w.opts.Langs = wireLanguages
	}
	w.opts.PerDay = cmp.Or(opts.PerDay, 40)
	for _, lang := range w.opts.Langs {
		w.press[lang] = newWirePress(w.seed, wireGrammars()[lang])
	}
	return w
}

// Articles returns the articles in the order in which they are seen.
func (w *Wire) Articles() iter.Seq[WireArticle] {
	return func(yield func(WireArticle) bool) {
		left := w.opts.Articles
		var waiting []WireArticle
		for e := 0; ; e++ {
			if e%max(64, w.opts.PerDay/10) == 0 { // all articles that are seen before event e are known
				slices.SortFunc(waiting, func(a, b WireArticle) int {
					return cmp.Or(a.Seen.Compare(b.Seen), strings.Compare(a.ID, b.ID))
				})
				n, _ := slices.BinarySearchFunc(waiting, w.start(e), func(a WireArticle, t time.Time) int { return a.Seen.Compare(t) })
				for _, a := range waiting[:n] {
					if left--; !yield(a) || left == 0 {
						return
					}
				}
				waiting = slices.Delete(waiting, 0, n)
			}
			waiting = append(waiting, w.event(e)...)
		}
	}
}

// start returns the time of event e.
func (w *Wire) start(e int) time.Time {
	gap := 24 * time.Hour / time.Duration(w.opts.PerDay)
	r := wireRand(mix(w.seed, uint64(e), 1))
	return wireStart.Add(time.Duration(e)*gap + time.Duration(r.intN(int(gap/time.Second)+1))*time.Second)
}

// lang returns the language of event e.
func (w *Wire) lang(e int) string {
	return w.opts.Langs[mix(w.seed, uint64(e), 2)%uint64(len(w.opts.Langs))]
}

// A wirePress is the papers of a language, and its agency.
type wirePress struct {
	agency wirePaper
	papers []wirePaper
}

// A wirePaper is one paper: its host, its house style, and the sentences that it
// puts below every article.
type wirePaper struct {
	host  string
	style *strings.Replacer
	tail  []string
}

const papersPerLanguage = 60

func newWirePress(seed uint64, g *wireGrammar) *wirePress {
	words := pressWords()
	places, papers := len(words.rules["place"]), len(words.rules["paper"])
	p := &wirePress{agency: wirePaper{host: "wire-" + g.lang + ".example", style: g.style(func(int) int { return 0 })}}
	for i := range papersPerLanguage {
		r := wireRand(mix(seed, hash(g.lang), uint64(i)))
		place, name := words.name("place", r.intN(places), 1), words.name("paper", r.intN(papers), 1)
		paper := wirePaper{host: fmt.Sprintf("%s-%s-%s%d.example", place, name, g.lang, i), style: g.style(r.intN)}
		if r.chance(30) {
			for k := r.intN(3); k >= 0; k-- {
				fill := wireFiller{g: g, facts: &wireFacts{seed: r.next()}}
				paper.tail = append(paper.tail, fill.sentence(&r, g.rules["tail"][(i+k)%len(g.rules["tail"])]))
			}
		}
		p.papers = append(p.papers, paper)
	}
	return p
}
