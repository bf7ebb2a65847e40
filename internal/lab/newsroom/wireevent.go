package newsroom

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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

	shared []string // background paragraphs
	out    []WireArticle
}

func (w *Wire) newEvent(e int) *wireEvent {
	lang, seed := w.lang(e), mix(w.seed, uint64(e), 3)
	v := &wireEvent{w: w, g: wireGrammars()[lang], press: w.press[lang], e: e, seed: seed, r: wireRand(mix(seed, 1)), start: w.start(e), kind: WireOriginal}
	v.facts = wireFacts{seed: mix(seed, 2), thing: mix(seed, 2), known: e}
	switch n := v.r.intN(100); {
	case n < 16:
		v.kind = wireSeries
	case n < 23:
		// The thing and the town of an earlier event, with other people and numbers.
		if old, ok := v.earlier(); ok {
			v.kind = wireSubject
			v.facts.thing = mix(mix(w.seed, uint64(old), 3), 2)
			v.facts.town = v.facts.thing
		}
	case n < 31: // an affair that many stories of the time end with
		v.kind = wireBackground
		period := e / (60 * len(w.opts.Langs))
		affair := mix(w.seed, hash(lang), uint64(period), v.r.next()%3)
		facts, r := wireFacts{seed: affair, thing: affair, known: period}, wireRand(affair)
		v.shared = []string{v.paragraph(&r, &facts, nil, 3), v.paragraph(&r, &facts, nil, 3)}
	}
	return v
}

// earlier returns an earlier event in the language.
func (v *wireEvent) earlier() (int, bool) {
	langs := len(v.w.opts.Langs)
	for range 4 * langs {
		if old := v.e - 1 - v.r.intN(10*langs); old >= 0 && v.w.lang(old) == v.g.lang {
			return old, true
		}
	}
	return 0, false
}

// paragraph generates a paragraph of n sentences that begins with the given one.
func (v *wireEvent) paragraph(r *wireRand, facts *wireFacts, first wireChoice, n int) string {
	fill := wireFiller{g: v.g, facts: facts, familiar: 40}
	var sentences []string
	for k := range n {
		c := first
		if k > 0 || first == nil {
			rule := v.g.rules["s"]
			if r.chance(25) {
				rule = v.g.rules["quote"]
			}
			c = rule[r.intN(len(rule))]
		}
		own := wireRand(r.next())
		sentences = append(sentences, fill.sentence(&own, c))
	}
	if v.g.spaced() {
		return strings.Join(sentences, " ")
	}
	return strings.Join(sentences, "")
}

// own returns n paragraphs of a paper's own.
func (v *wireEvent) own(n int) (paragraphs []string) {
	for range n {
		paragraphs = append(paragraphs, v.paragraph(&v.r, &v.facts, nil, 1+v.r.intN(3)))
	}
	return paragraphs
}

// rewritten is the number of the first paragraph of an update, of which the first sentence
// is new. That of a story is 0.
const rewritten = 1 << 20

// text generates the paragraphs with the given numbers as a teller tells them.
func (v *wireEvent) text(teller int, numbers []int) (paragraphs []string) {
	ledes, sentences := v.g.rules["lede"], v.g.rules["fact"]
	own := len(sentences) / tellers
	for _, i := range numbers {
		var first wireChoice
		switch {
		case i == rewritten:
			i, first = 0, ledes[2*teller+1]
		case i == 0:
			first = ledes[2*teller]
		case i <= own:
			first = sentences[teller+tellers*((i+int(v.seed%64))%own)]
		}
		r := wireRand(mix(v.seed, uint64(teller), uint64(i), 4))
		n := 1 + r.intN(4)
		paragraphs = append(paragraphs, v.paragraph(&r, &v.facts, first, n))
	}
	return append(paragraphs, v.shared...)
}

// seriesText fills the template of a series: one sentence a paragraph, all of them.
func (v *wireEvent) seriesText() (paragraphs []string) {
	r := wireRand(mix(v.seed, 6))
	fill, n := wireFiller{g: v.g, facts: &v.facts}, 1
	for v.g.rules["series"+strconv.Itoa(n+1)] != nil {
		n++
	}
	for _, c := range v.g.rules["series"+strconv.Itoa(1+r.intN(n))] {
		paragraphs = append(paragraphs, fill.sentence(&r, c))
	}
	return paragraphs
}

// title generates a headline: that of the teller, or a rewritten one.
func (v *wireEvent) title(teller int, rewrite bool) string {
	if v.kind == wireSeries {
		return strings.TrimRight(v.seriesText()[0], ".。।")
	}
	k := 2 * teller
	if rewrite {
		k++
	}
	r, fill := wireRand(mix(v.seed, uint64(teller), 5)), wireFiller{g: v.g, facts: &v.facts}
	return fill.sentence(&r, v.g.rules["headline"][k])
}

// A wireText is a story as its author wrote it, from which copies are made.
type wireText struct {
	teller     int
	paragraphs []string
	at         time.Time
}

// event generates all articles on event e.
func (w *Wire) event(e int) []WireArticle {
	v := w.newEvent(e)
	if v.kind == wireSeries {
		t := wireText{paragraphs: v.seriesText(), at: v.start}
		v.publish(t, wireSeries, &v.press.agency, t.paragraphs, false)
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

// agency publishes the story of the agency, with its updates and copies. Most have one
// version; others are short at first, and every update adds paragraphs.
func (v *wireEvent) agency() {
	versions, length := 1, 5+v.r.intN(8)
	if v.r.chance(25) {
		versions, length = 2+v.r.intN(2), 4+v.r.intN(2)
	}
	t, numbers := wireText{at: v.start}, upTo(length)
	for k := range versions {
		kind := v.kind
		if k > 0 {
			kind = wireUpdate
			t.at = t.at.Add(time.Duration(25+v.r.intN(400)) * time.Minute)
			numbers[0] = rewritten
			for range 2 + v.r.intN(3) {
				numbers = slices.Insert(numbers, 1+v.r.intN(len(numbers)), len(numbers))
			}
		}
		t.paragraphs = v.text(0, numbers)
		v.publish(t, kind, &v.press.agency, v.frame(t.paragraphs, 100), false)
		n := v.r.intN(4)
		if v.r.chance(6) {
			n += 4 + v.r.intN(14)
		}
		v.copies(t, n)
	}
}

// upTo returns the numbers below n.
func upTo(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i)
	}
	return numbers
}

// related publishes an independent text on the event, perhaps with copies.
func (v *wireEvent) related(teller int) {
	numbers := upTo(4 + v.r.intN(7))
	t := wireText{teller: teller, at: v.start.Add(v.delay()), paragraphs: v.text(teller, numbers)}
	v.publish(t, wireRelated, v.paper(), t.paragraphs, false)
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

// frame adds what the agency puts around a story: dateline, names and copyright, the latter
// two in so many of a hundred cases.
func (v *wireEvent) frame(paragraphs []string, percent int) []string {
	out, fill, r := slices.Clone(paragraphs), wireFiller{g: v.g, facts: &v.facts}, wireRand(mix(v.seed, 7))
	if len(v.g.rules["dateline"]) > 0 {
		out[0] = fill.line(&r, "dateline") + out[0]
	}
	for _, rule := range []string{"byline", "copyright"} {
		if v.r.chance(percent) {
			out = append(out, fill.line(&r, rule))
		}
	}
	return out
}

// publish adds an article of a paper. A copy comes later, often in the style of the agency or
// under another headline, and its date is not reliable, but that of a round-up is.
func (v *wireEvent) publish(t wireText, kind string, p *wirePaper, paragraphs []string, copied bool) *WireArticle {
	style, at, title := p.style, t.at, v.title(t.teller, copied && v.r.chance(50))
	if copied {
		at = at.Add(v.delay())
		if kind != wireStyle && v.r.chance(65) {
			style = v.press.agency.style
		}
	}
	id := "w" + strconv.Itoa(v.e) + "-" + strconv.Itoa(len(v.out))
	a := WireArticle{
		ID: id, URL: "https://www." + p.host + "/" + at.Format("2006/01/02") + "/" + id, Site: p.host, Lang: v.g.lang,
		Title: style.Replace(title), Text: style.Replace(strings.Join(slices.Concat(paragraphs, p.tail), "\n")),
		Published: at, Seen: at.Add(time.Duration(v.r.intN(20)) * time.Minute),
		Group: v.e*tellers + t.teller, Event: v.e, Kind: kind,
	}
	if n := v.r.intN(100); copied && kind != wireRoundUp {
		switch {
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

// Kinds of copies that are special.
const (
	wireStyle   = "house style"
	wireTwice   = "two addresses" // again under another address of the same paper
	wireRoundUp = "round-up"      // quotes two stories; in the group of the one of which it has most
)

// wireCopies are the kinds of copies: how many of a hundred are of the kind, whether they may
// have the agency's names and copyright, and what they do to the paragraphs.
var wireCopies = []struct {
	kind   string
	share  int
	framed bool
	edit   func(v *wireEvent, p []string) []string
}{
	{"copy", 12, true, asItIs},
	{"cut", 13, true, func(v *wireEvent, p []string) []string { return p[:max(2, len(p)*(45+v.r.intN(45))/100)] }},
	{"cut inside", 8, true, func(v *wireEvent, p []string) []string {
		from := 1 + v.r.intN(len(p)-2)
		return slices.Delete(p, from, min(len(p), from+1+v.r.intN(max(1, len(p)/3))))
	}},
	{"reordered", 8, true, func(v *wireEvent, p []string) []string {
		for range 2 + v.r.intN(4) {
			i, k := 1+v.r.intN(len(p)-1), 1+v.r.intN(len(p)-1)
			p[i], p[k] = p[k], p[i]
		}
		return p
	}},
	{"local lede", 11, false, func(v *wireEvent, p []string) []string { return append(v.own(1+v.r.intN(3)), p...) }},
	{"corrected", 11, true, (*wireEvent).corrected},
	{wireStyle, 13, true, asItIs},
	{"excerpt", 8, false, (*wireEvent).excerpt},
	{"longer", 8, true, func(v *wireEvent, p []string) []string { return append(p, v.own(2+v.r.intN(len(p)))...) }},
	{wireTwice, 4, true, asItIs},
	{wireRoundUp, 4, false, (*wireEvent).roundUp},
}

func asItIs(_ *wireEvent, p []string) []string { return p }

// copies publishes n copies of a text.
func (v *wireEvent) copies(t wireText, n int) {
	for range n {
		i, k := 0, v.r.intN(100)
		for ; k >= wireCopies[i].share; i++ {
			k -= wireCopies[i].share
		}
		c := wireCopies[i]
		kind, paper, p := c.kind, v.paper(), c.edit(v, slices.Clone(t.paragraphs))
		if c.framed && v.r.chance(40) {
			p = v.frame(p, 50)
		}
		if kind == wireTwice {
			kind = "copy"
		}
		a := *v.publish(t, kind, paper, p, true)
		if c.kind == wireTwice {
			a.URL = "https://" + paper.host + "/news/" + a.ID + "?ref=home"
			a.ID, a.Kind, a.Seen = a.ID+"-again", wireTwice, a.Seen.Add(v.delay())
			v.out = append(v.out, a)
		}
	}
}

// excerpt returns the first two or three paragraphs, or more if they are short.
func (v *wireEvent) excerpt(p []string) []string {
	n, letters, enough := 2+v.r.intN(2), 0, 350
	if !v.g.spaced() {
		enough = 140
	}
	for i := range p {
		if letters += utf8.RuneCountInString(p[i]); i+1 >= n && letters >= enough {
			return p[:i+1]
		}
	}
	return p
}

var aNumber = regexp.MustCompile(`[0-9]+`)

// corrected returns the text with a rewritten paragraph, another name or another number.
func (v *wireEvent) corrected(p []string) []string {
	k := v.r.intN(len(p))
	switch v.r.intN(3) {
	case 0:
		p[k] = v.own(1)[0]
	case 1: // a person of the event has another name
		fill, key := wireFiller{g: v.g, facts: &v.facts}, strconv.Itoa(1+v.r.intN(2))
		other := v.r
		v.r.next()
		for _, rule := range []string{"per", "sur"} {
			wrong, right := v.facts.rand(rule, key), other
			change := strings.NewReplacer(fill.slot(&wrong, rule, part{}), fill.slot(&right, rule, part{}))
			for i := range p {
				p[i] = change.Replace(p[i])
			}
		}
	case 2:
		if at := aNumber.FindStringIndex(p[k]); at != nil {
			last := at[1] - 1
			p[k] = p[k][:last] + string('1'+(p[k][last]-'0'+byte(v.r.intN(8)))%9) + p[k][last+1:]
		}
	}
	return p
}

// roundUp returns paragraphs of the text and fewer of another event's, or the text if there
// is no other event.
func (v *wireEvent) roundUp(p []string) []string {
	old, ok := v.earlier()
	if !ok {
		return p
	}
	other := v.w.newEvent(old)
	if other.kind == wireSeries {
		return p
	}
	out := append(v.own(1), p[:min(len(p), 3+v.r.intN(3))]...)
	left := len(strings.Join(out[1:], "")) / 2
	for _, p := range other.text(0, upTo(3))[:3] {
		if left -= len(p); left < 0 {
			break
		}
		out = append(out, p)
	}
	return out
}
