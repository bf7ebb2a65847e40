package metadata

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// Scores of the candidates for the date of publication. A declared one has 1, less for a source
// that is less reliable.
const (
	perRank      = 0.05
	staleBonus   = 1    // the page shows an earlier day below the headline than it declares
	afterScore   = 0.5  // between headline and body
	beforeScore  = 0.48 // above the headline
	urlScore     = 0.505
	lineScore    = 0.15 // less if the line says more than the date
	namedScore   = 0.24 // an element whose name means a date
	labelScore   = 0.2  // "published" or the like is beside it
	besideScore  = 0.3  // less in a part of the page that has other stories
	changedScore = 0.1  // the date of a modification
	aloneScore   = 0.05 // anywhere, if all lines of nothing but a date agree
	perByte      = 4e-6 // less for each byte of distance from the headline
)

// chooseDates returns the dates of publication and modification, and their sources. What a
// page declares comes first, then what it shows below the headline, the URL, and other lines.
func (p *page) chooseDates(lang string) (published, modified article.Date, source, modifiedSource string) {
	dates := &dateParser{monthFirst: p.monthFirst(lang), thai: primaryLang(lang) == "th"}
	dates.persian = slices.Contains([]string{"fa", "prs", "ps"}, primaryLang(lang))
	changed := p.declaredDates(factModified, dates)
	list := p.declaredDates(factPublished, dates)
	declared, last := best(list), best(changed)
	before, after := p.nearHeadline()
	shown := p.shownDates(textRange{before.from, after.to}, before, after, dates)
	if c := p.urlDate(); declared == nil && !c.date.IsZero() {
		list = append(list, c)
	}
	if best(list) == nil && !slices.ContainsFunc(shown, func(s shownDate) bool { return s.score > namedScore && !s.updated }) {
		shown = p.shownDates(p.text(), before, after, dates)
	}
	header := declared == nil // whether the first date below the headline was seen, or does not matter
	for _, s := range shown {
		c := s.candidate
		if s.updated {
			changed = append(changed, c)
			c.score = min(c.score, changedScore)
		} else if s.isHeader && !header {
			if header = true; p.isStale(&c, declared, last) {
				c.score += staleBonus
			}
		}
		list = append(list, c)
	}
	p.offer("published", list)
	p.offer("modified", changed)
	if won := best(list); won != nil {
		won = withTime(won, list)
		published, source = won.date, won.source
		p.dateNode = p.shownNode(won, list)
	}
	if won := best(changed); won != nil {
		won = withTime(won, changed)
		modified, modifiedSource = won.date, won.source
	}
	if published.IsZero() { // the only known date
		published, source = modified, modifiedSource
	}
	if modified.IsZero() || isBefore(modified, published) {
		modified, modifiedSource = article.Date{}, ""
	}
	return published, modified, source, modifiedSource
}

// declaredDates returns the plausible dates among the candidates of a fact.
func (p *page) declaredDates(what fact, dates *dateParser) (list []candidate) {
	for _, c := range p.candidates[what] {
		var ok bool
		if c.date, ok = dates.parse(c.text); ok && p.isPlausibleDate(c.date) {
			c.score = 1 - perRank*float32(c.rank)
			list = append(list, c)
		}
	}
	return list
}

// withTime returns the best candidate of the same day that has a time of day, if won has none.
func withTime(won *candidate, list []candidate) *candidate {
	for i := range list {
		c := &list[i]
		if won.date.DayOnly && !c.date.DayOnly && c.score > 0 && dayOf(c.date) == dayOf(won.date) {
			return c
		}
	}
	return won
}

// shownNode returns the node that shows the day of a candidate, perhaps in another time zone, or
// dom.None.
func (p *page) shownNode(won *candidate, list []candidate) dom.Node {
	const day, sameDay = 24 * time.Hour, 0.05
	node, most := dom.None, float32(0)
	for i := range list {
		c := &list[i]
		if c.node <= 0 || p.d.Chars(c.node) == 0 || c.date.Time.Sub(won.date.Time).Abs() > day {
			continue
		}
		score := c.score
		if dayOf(c.date) == dayOf(won.date) {
			score += sameDay
		}
		if score > most {
			node, most = c.node, score
		}
	}
	return node
}

// isStale reports whether a date below the headline shows that the declared one is later than
// the publication: some content systems declare the time when the page was saved or built. In
// another time zone the same moment may have another date, and the URL may confirm the
// declared one.
func (p *page) isStale(shown, declared, changed *candidate) bool {
	const day, zones = 24 * time.Hour, 14 * time.Hour
	d, s := declared.date, shown.date
	if dayOf(s) >= dayOf(d) {
		return false
	}
	if changed != nil && d.DayOnly == changed.date.DayOnly && d.Time.Equal(changed.date.Time) {
		return true
	}
	if !d.DayOnly && d.Time.Sub(s.Time) < day+zones {
		return false
	}
	for _, layout := range [...]string{"2006/01", "2006-01", "200601", "2006/1/"} {
		if strings.Contains(p.opts.URL, d.Time.Format(layout)) && !strings.Contains(p.opts.URL, s.Time.Format(layout)) {
			return false
		}
	}
	return true
}

// dayOf returns a number for the day of a date. A later day has a larger one.
func dayOf(d article.Date) int {
	const longest = 366 // days of a year
	return d.Time.Year()*(longest+1) + d.Time.YearDay()
}

// isBefore compares days if one of the dates has no time of day.
func isBefore(a, b article.Date) bool {
	if a.DayOnly || b.DayOnly {
		return dayOf(a) < dayOf(b)
	}
	return a.Time.Before(b.Time)
}

// monthFirst reports whether 5/3 means May 3 on the page. Most English pages without a country
// are American, unless they have a country's top-level domain.
func (p *page) monthFirst(lang string) bool {
	top := p.host[strings.LastIndexByte(p.host, '.')+1:]
	return lang == "en-US" || lang == "en-PH" || top == "us" || top == "gov" || top == "mil" || lang == "en" && len(top) > 2
}

// isPlausibleDate rejects dates before the web and in the future.
func (p *page) isPlausibleDate(d article.Date) bool {
	const slack = 24 * time.Hour // for wrong clocks and time zones
	return !d.IsZero() && d.Time.Year() >= firstYear &&
		(p.opts.Now.IsZero() || d.Time.Before(p.opts.Now.Add(slack)))
}

// shownDate is a date that the page shows.
type shownDate struct {
	candidate
	at       int // where it begins
	line     string
	lead     string // of the line, before the date
	alone    bool   // the line has hardly anything else
	updated  bool   // labelled as the date of a modification
	isHeader bool   // alone below the headline
}

// shownDates returns the dates in the lines and <time> elements of a range, in page order. before
// and after are those of nearHeadline.
func (p *page) shownDates(in, before, after textRange, dates *dateParser) (list []shownDate) {
	const longLine, early, aloneLine, aloneEarly = 160, 60, 60, 24 // characters
	const most, sentenceWords = 500, 8
	for _, n := range p.times {
		c := candidate{text: cmp.Or(p.d.Attr(n, "datetime"), p.d.Text(n)), node: n, source: sourceTime}
		var ok bool
		if c.date, ok = dates.parse(c.text); ok && (in.contains(p.d, n) || p.isPubdate(n)) && p.isPlausibleDate(c.date) {
			at, _ := p.d.Span(n)
			lead := p.lineLead(at)
			list = append(list, shownDate{candidate: c, at: at, line: lead + c.text, lead: lead, alone: true, updated: p.isModifiedTime(n, lead)})
		}
	}
	last := ""
	for at, line := range in.lines(p.d) {
		if len(list) >= most {
			break
		}
		above := last
		last = line
		d, i := dates.find(firstRunes(line, longLine))
		// A long line counts only if it begins with the date.
		if i < 0 || !p.isPlausibleDate(d) || isLonger(line, longLine) && isLonger(line[:i], early) || isJoinedLabel(above) || isJoinedLabel(line) {
			continue
		}
		s := shownDate{at: at + i, line: line, lead: line[:i], updated: hasUpdatedWord(line[:i])}
		s.candidate = candidate{text: truncate(line, 4*longLine), node: p.nodeAt(at + i), source: sourceHTML, date: d}
		s.alone = !isLonger(line, aloneLine) && !isLonger(line[:i], aloneEarly) && !hasUpdatedWord(line) &&
			!(endsSentence(line) && words.Count(line, sentenceWords) == sentenceWords)
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b shownDate) int { return a.at - b.at })
	p.rateShown(list, before, after)
	return list
}

// lineLead returns what precedes a position in its line, up to a few words.
func (p *page) lineLead(at int) string {
	const most = 60
	all := p.d.AllText()[:at]
	return all[max(strings.LastIndexByte(all, '\n')+1, at-most):]
}

// rateShown sets the scores of the dates that the page shows, by their place, their line and the
// names of their elements.
func (p *page) rateShown(list []shownDate, before, after textRange) {
	const far = 20_000 // bytes
	var first *shownDate
	agree := true
	for i := range list {
		s := &list[i]
		switch {
		case after.from <= s.at && s.at < after.to:
			s.score, s.isHeader = afterScore, s.alone
		case before.from <= s.at && s.at < before.to:
			s.score = beforeScore
		case p.isPubdate(s.node):
			s.score, s.isHeader = namedScore, true
		case p.isDateElement(s.node):
			s.score = namedScore
		case hasDateLabel(s.lead, s.line[len(s.lead):]):
			s.score = labelScore
		}
		if s.score > namedScore && !s.alone {
			s.score -= lineScore
		}
		if s.score > 0 && (p.isThirdParty(s.node) || p.d.Closest(s.node, dom.Aside, dom.Nav, dom.Footer) != dom.None) {
			s.score, s.isHeader = s.score-besideScore, false
		}
		if s.score > 0 {
			s.score -= perByte * float32(min(max(s.at-after.from, 2*(before.to-s.at)), far))
		}
		if s.isBare() {
			if first == nil {
				first = s
			}
			agree = agree && dayOf(first.date) == dayOf(s.date)
		}
	}
	if first != nil && agree {
		first.score = max(first.score, aloneScore)
	}
}

// isBare reports whether a line is nothing but a date.
func (s *shownDate) isBare() bool {
	const maxLine, maxLead = 40, 12 // with the day of the week and the time
	return s.alone && !s.updated && !isLonger(s.line, maxLine) && !isLonger(s.lead, maxLead)
}

// isModifiedTime reports whether a <time> element is the date of a modification.
func (p *page) isModifiedTime(n dom.Node, lead string) bool {
	if c := strings.ToLower(p.d.Attr(n, "class")); strings.Contains(c, "updated") || strings.Contains(c, "modified") {
		return !strings.Contains(c, "published")
	}
	return hasUpdatedWord(lead)
}

// isPubdate reports whether a node is a <time> element that is marked as the date of publication.
func (p *page) isPubdate(n dom.Node) bool {
	_, ok := p.d.LookupAttr(n, "pubdate")
	return ok
}

// isDateElement reports whether a short element around a node has a class or id that means a
// date.
func (p *page) isDateElement(n dom.Node) bool {
	const maxChars = 120
	for a := n; a != dom.None && p.d.Chars(a) <= maxChars; a = p.d.Parent(a) {
		if isDateName(p.d.Attr(a, "class")) || isDateName(p.d.Attr(a, "id")) {
			return true
		}
	}
	return false
}

func isDateName(value string) bool {
	const maxLen = 400
	value = strings.ToLower(truncate(value, maxLen))
	if strings.Contains(value, "update") && !strings.Contains(value, "publish") {
		return false
	}
	return containsWord(value, "date", "time", "publish", "pubdate", "posted", "pubtime", "submitted")
}

// urlDate returns the date in the URL of the page: /2024/05/03/, /20240503/,
// 2024-05-03 or 03-05-2024.
func (p *page) urlDate() (c candidate) {
	u, err := url.Parse(p.opts.URL)
	if err != nil {
		return c
	}
	dates := dateParser{tokens: appendTokens(nil, u.Path)}
	for i := range dates.tokens {
		t := dates.at(i)
		dayFirst := t.digits(2, 2) && dates.at(i+1).isSign("-") && dates.at(i+4).digits(4, 4) // 03-05-2024
		if !t.digits(4, 4) && !t.digits(8, 8) && !dayFirst {
			continue
		}
		if d, ok := dates.date(i); ok && p.isPlausibleDate(d) {
			d.Time, d.DayOnly = d.Time.Truncate(24*time.Hour), true
			return candidate{text: u.Path, source: sourceURL, date: d, score: urlScore}
		}
	}
	return c
}

// isJoinedLabel reports whether a line says since when somebody is a member of a
// forum.
func isJoinedLabel(line string) bool {
	const maxLine = 60
	return !isLonger(line, maxLine) && containsAny(strings.ToLower(line), joinedWords[:]...)
}

var joinedWords = [...]string{
	"joined", "registered", "member since", "registriert", "mitglied seit", "dabei seit", "inscrit",
	"registrado", "iscritto", "регистрация", "зарегистрирован", "dołączył", "注册", "註冊", "加入",
}

// hasDateLabel reports whether a word such as "published" or "updated" is beside a date: before
// it, or after it as in German (am 3. Mai 2024 veröffentlicht).
func hasDateLabel(lead, rest string) bool {
	const near = 60 // bytes
	for _, beside := range [...]string{lead[max(0, len(lead)-near):], rest[:min(len(rest), near)]} {
		if beside = strings.ToLower(beside); containsAny(beside, publishedWords()...) || containsAny(beside, updatedWords()...) {
			return true
		}
	}
	return false
}

// hasUpdatedWord reports whether the text before a date ends with a word such as
// "updated".
func hasUpdatedWord(lead string) bool {
	const near = 60
	return containsAny(strings.ToLower(lead[max(0, len(lead)-near):]), updatedWords()...)
}
