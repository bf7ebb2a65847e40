package newsroom

import (
	"bytes"
	"slices"
	"time"
)

// tellers is the number of texts on one event that share no sentence: each has the
// ledes, headlines and sentences with facts of its number.
const tellers = 3

// A wireEvent generates the articles on one event.
type wireEvent struct {
	w     *Wire
	g     *wireGrammar
	press *wirePress
	e     int
	seed  uint64
	r     wireRand
	facts wireFacts
	start time.Time
	kind  string // of its originals

	shared [][]byte // background paragraphs
	out    []WireArticle
}

func (w *Wire) newEvent(e int) *wireEvent {
	lang := w.lang(e)
	seed := mix(w.seed, uint64(e), 3)
	v := &wireEvent{w: w, g: wireGrammars()[lang], press: w.sites[lang], e: e, seed: seed, r: wireRand(mix(seed, 1)), start: w.start(e), kind: WireOriginal}
	v.facts = wireFacts{seed: mix(seed, 2), thing: mix(seed, 2), known: e}
	switch n := v.r.intN(100); {
	case n < 16:
		v.kind = WireSeries
	case n < 23:
		// The thing and the town of an earlier event, with other people and numbers.
		if old, ok := w.earlier(e, lang, &v.r); ok {
			v.kind = WireSubject
			v.facts.thing = mix(mix(w.seed, uint64(old), 3), 2)
			town := hash("1") ^ uint64(slotTown)
			v.facts.replaced = map[uint64]uint64{town: v.facts.thing}
		}
	case n < 31:
		v.kind = WireBackground
		v.shared = v.background()
	}
	return v
}

// earlier returns an earlier event in the language.
func (w *Wire) earlier(e int, lang string, r *wireRand) (int, bool) {
	for range 4 * len(w.langs) {
		if old := e - 1 - r.intN(10*len(w.langs)); old >= 0 && w.lang(old) == lang {
			return old, true
		}
	}
	return 0, false
}

// background returns two paragraphs on an affair that many stories of the time end
// with.
func (v *wireEvent) background() [][]byte {
	affair := mix(v.w.seed, hash(v.g.lang), uint64(v.e/(60*len(v.w.langs))), v.r.next()%3)
	facts := wireFacts{seed: affair, thing: affair, known: v.e / (60 * len(v.w.langs))}
	r := wireRand(affair)
	return [][]byte{v.paragraph(&r, &facts, nil, 3), v.paragraph(&r, &facts, nil, 3)}
}

// paragraph generates a paragraph of n sentences that begins with the given one.
func (v *wireEvent) paragraph(r *wireRand, facts *wireFacts, first wireChoice, n int) []byte {
	fill := wireFiller{g: v.g, facts: facts, out: make([]byte, 0, 160*n), familiar: 40}
	for k := range n {
		c := first
		if k > 0 || first == nil {
			rule := v.g.rules["s"]
			if r.chance(25) {
				rule = v.g.rules["quote"]
			}
			c = rule[r.intN(len(rule))]
		}
		if k > 0 && v.g.spaced {
			fill.out = append(fill.out, ' ')
		}
		own := wireRand(r.next())
		fill.sentence(&own, c)
	}
	return fill.out
}

// ledePart and rewritten are the numbers of the first paragraph of a story and of that of
// its update. Others count from 1.
const (
	ledePart  = 0
	rewritten = 1 << 20
)

// part generates paragraph i of the text of a teller.
func (v *wireEvent) part(facts *wireFacts, teller, i int) []byte {
	var first wireChoice
	ledes, sentences := v.g.rules["lede"], v.g.rules["fact"]
	if i == rewritten { // of the paragraph, only the first sentence is
		i, first = ledePart, ledes[2*teller+1]
	}
	r := wireRand(mix(v.seed, uint64(teller), uint64(i), 4))
	switch own := len(sentences) / tellers; {
	case first != nil:
	case i == ledePart:
		first = ledes[2*teller]
	case i <= own:
		first = sentences[teller+tellers*((i+int(v.seed%64))%own)]
	}
	n := 1 + r.intN(4)
	rest := wireRand(r.next())
	return v.paragraph(&rest, facts, first, n)
}

// text generates the paragraphs with the given numbers.
func (v *wireEvent) text(facts *wireFacts, teller int, numbers []int) [][]byte {
	paragraphs := make([][]byte, len(numbers), len(numbers)+4)
	for k, i := range numbers {
		paragraphs[k] = v.part(facts, teller, i)
	}
	return paragraphs
}

// title generates a headline: that of the teller, or a rewritten one.
func (v *wireEvent) title(facts *wireFacts, teller int, rewrite bool) []byte {
	if v.kind == WireSeries {
		return bytes.TrimRight(v.seriesText()[0], ".。।")
	}
	r := wireRand(mix(v.seed, uint64(teller), 5))
	fill := wireFiller{g: v.g, facts: facts}
	k := 2 * teller
	if rewrite {
		k++
	}
	fill.sentence(&r, v.g.rules["headline"][k])
	return fill.out
}

// seriesText fills the template of a series: one sentence a paragraph, all of them.
func (v *wireEvent) seriesText() [][]byte {
	r := wireRand(mix(v.seed, 6))
	rule := v.g.rules[v.seriesRule(&r)]
	var paragraphs [][]byte
	for _, c := range rule {
		fill := wireFiller{g: v.g, facts: &v.facts}
		fill.sentence(&r, c)
		paragraphs = append(paragraphs, fill.out)
	}
	return paragraphs
}

// seriesRule chooses a template.
func (v *wireEvent) seriesRule(r *wireRand) string {
	return "series" + string(rune('1'+r.intN(len(v.g.series))))
}

// A wireText is a story as its author wrote it, from which copies are made.
type wireText struct {
	teller     int
	facts      *wireFacts
	paragraphs [][]byte
	at         time.Time
}

// event generates all articles on event e.
func (w *Wire) event(e int) []WireArticle {
	v := w.newEvent(e)
	if v.kind == WireSeries {
		t := wireText{facts: &v.facts, paragraphs: v.seriesText(), at: v.start}
		v.publish(t, WireSeries, v.press.agency, t.paragraphs)
		if v.r.chance(20) {
			v.copies(t, 1)
		}
		return v.out
	}
	v.agency()
	for teller := 1; teller < tellers && v.r.chance(36); teller++ {
		v.related(teller)
	}
	return v.out
}

// agency publishes the story of the agency, with its updates and copies.
func (v *wireEvent) agency() {
	versions := 1
	if v.r.chance(25) {
		versions += 1 + v.r.intN(2)
	}
	t := wireText{facts: &v.facts, at: v.start}
	numbers := v.versions(versions)
	for k, list := range numbers {
		kind := v.kind
		if k > 0 {
			kind = WireUpdate
			t.at = t.at.Add(time.Duration(25+v.r.intN(400)) * time.Minute)
		}
		t.paragraphs = append(v.text(t.facts, 0, list), v.shared...)
		v.publish(t, kind, v.press.agency, v.frame(t.paragraphs, true))
		n := v.r.intN(4)
		if v.r.chance(6) {
			n += 4 + v.r.intN(14)
		}
		v.copies(t, n)
	}
}

// versions returns the numbers of the paragraphs of each version of the story.
func (v *wireEvent) versions(n int) [][]int {
	var all [][]int
	length := 5 + v.r.intN(8)
	if n > 1 {
		length = 4 + v.r.intN(2)
	}
	list := []int{ledePart}
	for i := 1; i < length; i++ {
		list = append(list, i)
	}
	all = append(all, list)
	for range n - 1 {
		list = slices.Clone(list)
		list[0] = rewritten
		for k := 2 + v.r.intN(3); k > 0; k-- {
			list = slices.Insert(list, 1+v.r.intN(len(list)), length)
			length++
		}
		all = append(all, list)
	}
	return all
}

// related publishes an independent text on the event, perhaps with copies.
func (v *wireEvent) related(teller int) {
	t := wireText{teller: teller, facts: &v.facts, at: v.start.Add(v.delay())}
	list := make([]int, 4+v.r.intN(7))
	for i := range list {
		list[i] = i
	}
	t.paragraphs = append(v.text(t.facts, teller, list), v.shared...)
	paper := v.paper()
	v.publishAs(t, WireRelated, paper, t.paragraphs, true)
	if v.r.chance(30) {
		v.copies(t, 1+v.r.intN(2))
	}
}

// delay returns how long after a story another one appears: minutes to two days, half
// of them within three hours.
func (v *wireEvent) delay() time.Duration {
	u := float64(v.r.intN(1000)) / 1000
	return 3*time.Minute + time.Duration(48*3600*u*u*u*u)*time.Second
}

func (v *wireEvent) paper() *wirePaper { return &v.press.papers[v.r.intN(len(v.press.papers))] }

// frame adds what the agency puts around a story: dateline, names, copyright.
func (v *wireEvent) frame(paragraphs [][]byte, all bool) [][]byte {
	out := slices.Clone(paragraphs)
	r := wireRand(mix(v.seed, 7))
	line := func(rule string) []byte {
		fill := wireFiller{g: v.g, facts: &v.facts}
		choices := v.g.rules[rule]
		fill.phrase(&r, choices[r.intN(len(choices))], 0)
		return fill.out
	}
	if len(v.g.rules["dateline"]) > 0 {
		out[0] = bytes.Join([][]byte{line("dateline"), out[0]}, nil)
	}
	if all || v.r.chance(50) {
		out = append(out, line("byline"))
	}
	if all || v.r.chance(50) {
		out = append(out, line("copyright"))
	}
	return out
}

// publish adds an article in the agency's style.
func (v *wireEvent) publish(t wireText, kind, host string, paragraphs [][]byte) {
	style := agencyStyle(v.g)
	v.add(t, kind, host, &style, paragraphs, v.title(t.facts, t.teller, false), t.at, false)
}

// publishAs adds an article of a paper, with the sentences below its articles.
func (v *wireEvent) publishAs(t wireText, kind string, p *wirePaper, paragraphs [][]byte, own bool) *WireArticle {
	style := agencyStyle(v.g)
	if own || kind == WireStyle || v.r.chance(35) {
		style = p.style
	}
	at := t.at
	if !own {
		at = at.Add(v.delay())
	}
	paragraphs = append(slices.Clone(paragraphs), p.tail...)
	return v.add(t, kind, p.host, &style, paragraphs, v.title(t.facts, t.teller, !own && v.r.chance(50)), at, !own)
}

// add adds an article that appears at a time. The dates of copies are not
// reliable.
func (v *wireEvent) add(t wireText, kind, host string, style *wireStyle, paragraphs [][]byte, title []byte, at time.Time, doubtful bool) *WireArticle {
	id := wireID(v.e, len(v.out))
	size := 0
	for _, p := range paragraphs {
		size += len(p) + 64
	}
	text := make([]byte, 0, size)
	for i, p := range paragraphs {
		if i > 0 {
			text = append(text, '\n')
		}
		text = style.render(v.g, text, p)
	}
	a := WireArticle{
		ID: id, URL: wireURL(host, at, id, false), Site: host, Lang: v.g.lang,
		Title: string(style.render(v.g, nil, title)), Text: string(text),
		Published: at, Seen: at.Add(time.Duration(v.r.intN(20)) * time.Minute),
		Group: v.e*tellers + t.teller, Event: v.e, Kind: kind,
	}
	if doubtful {
		switch n := v.r.intN(100); {
		case n < 6:
			a.Published = time.Time{}
		case n < 10:
			a.Published = v.start.Add(-time.Duration(1+v.r.intN(600)) * time.Minute)
		case n < 18:
			a.Published = at.Truncate(24 * time.Hour)
		}
	}
	v.out = append(v.out, a)
	return &v.out[len(v.out)-1]
}
