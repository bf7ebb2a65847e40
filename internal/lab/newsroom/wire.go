package newsroom

import (
	"container/heap"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"
)

// A Wire is a stream of made-up articles of many papers, in the order in which a
// crawler would see them: stories of news agencies, the copies that papers make of
// them, and articles on the same events that are no copies. The same seed gives
// the same articles. Memory does not grow with their number.
type Wire struct {
	seed  uint64
	opts  WireOptions
	langs []string
	sites map[string]*wirePress
}

// WireOptions are the options of [NewWire].
type WireOptions struct {
	Articles int       // how many (default: no end)
	Langs    []string  // languages (default: all of [WireLanguages])
	PerDay   int       // events of a day, with about five articles each (default: 40)
	Start    time.Time // of the first event (default: 2 March 2026)
}

// A WireArticle is one article with its gold.
type WireArticle struct {
	ID, URL, Site, Title, Text, Lang string

	Published time.Time // zero if the page does not say; may be wrong
	Seen      time.Time // when a crawler first saw it

	Group int    // the same for copies of one text
	Event int    // the same for articles on one event
	Kind  string // one of [WireKinds]
}

// The kinds of articles of a wire. Copies share the group of their original.
const (
	WireOriginal   = "original"      // an agency's story, or one that no other paper copied
	WireUpdate     = "update"        // a later and longer version by the agency itself
	WireCopy       = "copy"          // word for word
	WireCut        = "cut"           // without its end
	WireMiddle     = "cut inside"    // without paragraphs from the middle
	WireReordered  = "reordered"     // paragraphs in another order
	WireLocal      = "local lede"    // paragraphs of the paper before the agency's
	WireCorrected  = "corrected"     // another name, number or paragraph
	WireStyle      = "house style"   // numbers, quotes, dashes and units written differently
	WireExcerpt    = "excerpt"       // the first two or three paragraphs
	WireLonger     = "longer"        // with the paper's own reporting
	WireTwice      = "two addresses" // again under another address of the same paper
	WireRoundUp    = "round-up"      // quotes two stories; in the group of the one of which it has most
	WireRelated    = "related"       // the same event in other words
	WireSubject    = "same subject"  // another event about the same thing and place
	WireSeries     = "series"        // a template filled with other names and numbers
	WireBackground = "background"    // shares two paragraphs with other stories
)

// WireKinds returns all kinds of articles of a wire.
func WireKinds() []string {
	return []string{WireOriginal, WireUpdate, WireCopy, WireCut, WireMiddle, WireReordered, WireLocal, WireCorrected, WireStyle,
		WireExcerpt, WireLonger, WireTwice, WireRoundUp, WireRelated, WireSubject, WireSeries, WireBackground}
}

// WireLanguages returns the languages of a wire.
func WireLanguages() []string { return slices.Clone(wireLangs) }

// NewWire returns the wire of a seed. It panics if a language is unknown.
func NewWire(seed uint64, opts WireOptions) *Wire {
	w := &Wire{seed: mix(seed, hash("wire")), opts: opts, langs: opts.Langs, sites: map[string]*wirePress{}}
	if len(w.langs) == 0 {
		w.langs = wireLangs
	}
	if w.opts.PerDay <= 0 {
		w.opts.PerDay = 40
	}
	if w.opts.Start.IsZero() {
		w.opts.Start = time.Date(2026, time.March, 2, 6, 0, 0, 0, time.UTC)
	}
	for _, lang := range w.langs {
		g := wireGrammars()[lang]
		if g == nil {
			panic("newsroom: no wire in language " + lang)
		}
		w.sites[lang] = newWirePress(w.seed, g)
	}
	return w
}

// Articles returns the articles in the order in which they are seen.
func (w *Wire) Articles() iter.Seq[WireArticle] {
	return func(yield func(WireArticle) bool) {
		left := w.opts.Articles
		emit := func(a WireArticle) bool {
			left--
			return yield(a) && left != 0
		}
		var waiting wireQueue
		for e := 0; ; e++ {
			start := w.start(e)
			for len(waiting) > 0 && waiting[0].Seen.Before(start) {
				if !emit(heap.Pop(&waiting).(WireArticle)) {
					return
				}
			}
			for _, a := range w.event(e) {
				heap.Push(&waiting, a)
			}
		}
	}
}

// start returns the time of event e.
func (w *Wire) start(e int) time.Time {
	gap := 24 * time.Hour / time.Duration(w.opts.PerDay)
	r := wireRand(mix(w.seed, uint64(e), 1))
	return w.opts.Start.Add(time.Duration(e)*gap + time.Duration(r.intN(int(gap/time.Second)+1))*time.Second)
}

// lang returns the language of event e.
func (w *Wire) lang(e int) string { return w.langs[mix(w.seed, uint64(e), 2)%uint64(len(w.langs))] }

// A wireQueue is a heap of articles by the time they are seen.
type wireQueue []WireArticle

func (q wireQueue) Len() int { return len(q) }
func (q wireQueue) Less(i, k int) bool {
	if c := q[i].Seen.Compare(q[k].Seen); c != 0 {
		return c < 0
	}
	return q[i].ID < q[k].ID
}
func (q wireQueue) Swap(i, k int) { q[i], q[k] = q[k], q[i] }
func (q *wireQueue) Push(x any)   { *q = append(*q, x.(WireArticle)) }
func (q *wireQueue) Pop() any {
	last := len(*q) - 1
	a := (*q)[last]
	(*q)[last] = WireArticle{}
	*q = (*q)[:last]
	return a
}

// A wirePress is the papers of a language, and its agency.
type wirePress struct {
	agency string
	papers []wirePaper
}

// A wirePaper is one paper: its host, its house style, and the sentences that it
// puts below every article.
type wirePaper struct {
	host  string
	style wireStyle
	tail  [][]byte
}

const papersPerLanguage = 60

func newWirePress(seed uint64, g *wireGrammar) *wirePress {
	places, papers := len(pressWords().rules["place"]), len(pressWords().rules["paper"])
	p := &wirePress{agency: "wire-" + g.lang + ".example", papers: make([]wirePaper, papersPerLanguage)}
	for i := range p.papers {
		r := wireRand(mix(seed, hash(g.lang), uint64(i)))
		place, paper := pressWords().name("place", r.intN(places), 1), pressWords().name("paper", r.intN(papers), 1)
		p.papers[i] = wirePaper{host: fmt.Sprintf("%s-%s-%s%d.example", place, paper, g.lang, i), style: newWireStyle(g, &r)}
		if r.chance(30) {
			fill := wireFiller{g: g, facts: &wireFacts{seed: r.next()}}
			for k := r.intN(3); k >= 0; k-- {
				fill.out = nil
				fill.sentence(&r, g.rules["tail"][(i+k)%len(g.rules["tail"])])
				p.papers[i].tail = append(p.papers[i].tail, fill.out)
			}
		}
	}
	return p
}

// wireURL returns the address of an article.
func wireURL(host string, t time.Time, id string, second bool) string {
	if second {
		return "https://" + host + "/news/" + id + "?ref=home"
	}
	return "https://www." + host + "/" + t.Format("2006/01/02") + "/" + id
}

func wireID(e, k int) string { return "w" + strconv.Itoa(e) + "-" + strconv.Itoa(k) }
