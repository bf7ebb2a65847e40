package metadata

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// chooseDates finds when the story was published and when it was changed.
// What is written for machines comes first, then <time>, the URL, and what
// readers see near the headline.
func (p *page) chooseDates(lang string, note func(field, source string, found bool)) (published, modified article.Date) {
	cal := &calendar{monthFirst: p.monthFirst(lang)}
	published, from := p.claimedDate(ofPublished, cal)
	modified, changedFrom := p.claimedDate(ofModified, cal)
	// Content systems that know only when a page was saved write that twice.
	if !published.IsZero() && sameMoment(published, modified) {
		if printed := p.printedDate(cal); !printed.IsZero() && printed.Time.Format(time.DateOnly) < published.Time.Format(time.DateOnly) {
			published, from = printed, fromHTML
		}
	}
	if published.IsZero() {
		published, from = p.timeDate(cal)
	}
	if published.IsZero() {
		published, from = p.urlDate(), fromURL
	}
	if published.IsZero() {
		var changed article.Date
		published, changed = p.visibleDates(cal)
		from = fromHTML
		if modified.IsZero() {
			modified, changedFrom = changed, fromHTML
		}
	}
	if published.IsZero() { // the only day that the page tells
		published, from = modified, changedFrom
	}
	note("published", from, !published.IsZero())
	if before(modified, published) {
		modified = article.Date{}
	}
	note("modified", changedFrom, !modified.IsZero())
	return published, modified
}

func sameMoment(a, b article.Date) bool {
	return a.DayOnly == b.DayOnly && a.Time.Equal(b.Time)
}

// before compares what both dates know.
func before(a, b article.Date) bool {
	if a.DayOnly || b.DayOnly {
		return a.Time.Format(time.DateOnly) < b.Time.Format(time.DateOnly)
	}
	return a.Time.Before(b.Time)
}

// monthFirst reports whether the page comes from where 5/3 is in May.
func (p *page) monthFirst(lang string) bool {
	if lang == "en-US" || lang == "en-PH" {
		return true
	}
	if strings.HasSuffix(p.host, ".us") || strings.HasSuffix(p.host, ".gov") || strings.HasSuffix(p.host, ".mil") {
		return true
	}
	if lang != "en" {
		return false
	}
	// Of the English pages that name no country, most are American, unless
	// their address has a country's ending.
	if locale, _ := p.found.first(ofLang, normalLang); strings.HasPrefix(locale, "en-") {
		return locale == "en-US"
	}
	return p.host != "" && len(p.host)-strings.LastIndexByte(p.host, '.')-1 > 2
}

// possible refuses dates before the web and after today.
func (p *page) possible(d article.Date) bool {
	const slack = 24 * time.Hour // clocks and zones differ
	return !d.IsZero() && d.Time.Year() >= firstYear &&
		(p.opts.Now.IsZero() || d.Time.Before(p.opts.Now.Add(slack)))
}

// claimedDate is the best claim that is a possible date. If it is only a day,
// another claim may know the hour of that day.
func (p *page) claimedDate(what fact, cal *calendar) (best article.Date, source string) {
	for _, c := range p.found[what] {
		d, ok := cal.machine(c.text)
		if !ok || !p.possible(d) {
			continue
		}
		if best.IsZero() {
			best, source = d, c.from
		}
		if !best.DayOnly {
			break
		}
		if !d.DayOnly && d.Time.Format(time.DateOnly) == best.Time.Format(time.DateOnly) {
			return d, c.from
		}
	}
	return best, source
}

// timeDate is that of the <time> nearest to the headline; one that calls
// itself the date of publication is believed wherever it stands.
func (p *page) timeDate(cal *calendar) (article.Date, string) {
	read := func(n dom.Node) article.Date {
		if d, ok := cal.machine(p.timeText(n)); ok && p.possible(d) {
			return d
		}
		return article.Date{}
	}
	first, last := p.around()
	var near, prior []dom.Node
	for _, n := range p.times {
		if _, ok := p.d.Attr(n, "pubdate"); ok || strings.Contains(p.d.AttrOr(n, "class"), "published") {
			if d := read(n); !d.IsZero() {
				return d, fromTime
			}
		}
		switch {
		case p.changed(n):
		case last.holds(p.d, n):
			near = append(near, n)
		case first.holds(p.d, n):
			prior = append(prior, n)
		}
	}
	slices.Reverse(prior)
	for _, n := range append(near, prior...) {
		if d := read(n); !d.IsZero() {
			return d, fromTime
		}
	}
	return article.Date{}, ""
}

// timeText is what a <time> tells machines, else readers.
func (p *page) timeText(n dom.Node) string {
	if v := p.d.AttrOr(n, "datetime"); v != "" {
		return v
	}
	return p.d.Text(n)
}

// changed reports whether a <time> tells when the story was changed.
func (p *page) changed(n dom.Node) bool {
	if c := strings.ToLower(p.d.AttrOr(n, "class")); strings.Contains(c, "updated") || strings.Contains(c, "modified") {
		return true
	}
	from, _ := p.d.Span(n)
	all := p.d.AllText()
	row := strings.LastIndexByte(all[:from], '\n') + 1
	lead := all[max(row, from-60):from]
	return saysUpdated(lead)
}

// urlDate is the day in the address of the page: /2024/05/03/, /20240503/,
// 2024-05-03.
func (p *page) urlDate() article.Date {
	path := ""
	for _, address := range []string{p.opts.URL, p.canonicalText()} {
		if u, err := url.Parse(address); err == nil && path == "" {
			path = u.Path
		}
	}
	r := dateReader{tokens: appendTokens(nil, path)}
	for i := range r.tokens {
		t := r.at(i)
		if !t.digits(4, 4) && !t.digits(8, 8) {
			continue
		}
		if r.at(i+2).digits(2, 2) && r.at(i+4).digits(1, 1) {
			continue // /2024/05/3 is the third story of May
		}
		if d, ok := r.date(i); ok && p.possible(d) {
			d.Time, d.DayOnly = d.Time.Truncate(24*time.Hour), true
			return d
		}
	}
	return article.Date{}
}

func (p *page) canonicalText() string {
	if c := p.found[ofCanonical]; len(c) > 0 {
		return c[0].text
	}
	return ""
}

// visibleDates are those that readers see: near the headline, else where the
// page's own names for its elements say that there is one.
func (p *page) visibleDates(cal *calendar) (published, modified article.Date) {
	take := func(text string) {
		// In a long row only the dateline at its beginning counts.
		const shortRow, early = 160, 60
		d, at := cal.find(clip(text, shortRow))
		if at < 0 || !p.possible(d) || len(text) > shortRow && at > early {
			return
		}
		switch {
		case saysUpdated(text[:at]):
			if modified.IsZero() {
				modified = d
			}
		case published.IsZero():
			published = d
		}
	}
	first, last := p.around()
	for _, row := range last.rows(p.d) {
		if take(row); !published.IsZero() {
			break
		}
	}
	if published.IsZero() {
		var rows []string
		for _, row := range first.rows(p.d) {
			rows = append(rows, row)
		}
		for _, row := range slices.Backward(rows) {
			take(row) // the nearest to the headline first
		}
	}
	if published.IsZero() {
		hints := p.dateHints()
		// After the headline, or else anywhere.
		for _, early := range [...]bool{false, true} {
			for _, n := range hints {
				if published.IsZero() && n < p.headline == early {
					take(p.d.Text(n))
				}
			}
		}
	}
	if published.IsZero() {
		p.labelledDates(take)
	}
	if published.IsZero() {
		published = modified
	}
	if published.IsZero() {
		published = p.onlyDate(cal)
	}
	return published, modified
}

// labelledDates takes the rows anywhere on the page that say what their date
// means: "Last updated: 3 May 2024".
func (p *page) labelledDates(take func(string)) {
	const shortRow = 80
	for _, row := range (stretch{0, len(p.d.AllText())}).rows(p.d) {
		if len(row) <= shortRow && hasDigit(row) && beginsWithLabel(row) {
			take(row)
		}
	}
}

// onlyDate is the day of all <time> and all rows that are a date and nothing
// else, if they agree.
func (p *page) onlyDate(cal *calendar) (only article.Date) {
	const shortRow, early = 32, 8
	agree := true
	see := func(text string) {
		d, at := cal.find(text)
		if at < 0 || at > early || !p.possible(d) || saysUpdated(text) {
			return
		}
		if only.IsZero() {
			only = d
		}
		agree = agree && only.Time.Format(time.DateOnly) == d.Time.Format(time.DateOnly)
	}
	for _, n := range p.times {
		see(p.timeText(n))
	}
	for _, row := range (stretch{0, len(p.d.AllText())}).rows(p.d) {
		if len(row) <= shortRow && agree {
			see(row)
		}
	}
	if !agree {
		return article.Date{}
	}
	return only
}

// printedDate is the date in a row of its own near the headline, with at most
// a word before it that does not say that it is the date of a change.
func (p *page) printedDate(cal *calendar) article.Date {
	const shortRow, early = 60, 24
	_, after := p.around()
	for _, row := range after.rows(p.d) {
		if len(row) > shortRow {
			continue
		}
		if d, at := cal.find(row); at >= 0 && at <= early && p.possible(d) && !saysUpdated(row) {
			return d
		}
	}
	return article.Date{}
}

// beginsWithLabel reports whether a row begins with a word for publication or
// for a change.
func beginsWithLabel(row string) bool {
	var low [64]byte
	begin := appendLower(low[:0], clip(row, 40))
	for _, list := range [...][]string{publishedWords(), updatedWords()} {
		for _, w := range list {
			if len(w) <= len(begin) && string(begin[:len(w)]) == w {
				return true
			}
		}
	}
	return false
}

// saysUpdated reports whether the words before a date end in one that means
// that the story was changed.
func saysUpdated(lead string) bool {
	lead = strings.ToLower(lead)
	if len(lead) > 60 {
		lead = lead[len(lead)-60:]
	}
	for _, w := range updatedWords() {
		if strings.Contains(lead, w) {
			return true
		}
	}
	return false
}
