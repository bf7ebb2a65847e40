package metadata

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// chooseDates returns the dates of publication and modification, and their
// sources. Machine-readable dates come first, then <time> elements, the URL and
// the visible text.
func (p *page) chooseDates(lang string) (published, modified article.Date, source, modifiedSource string) {
	dates := &dateParser{monthFirst: p.monthFirst(lang), islamic: hasHijraYears(lang), thai: primaryLang(lang) == "th"}
	published, source = p.declaredDate(factPublished, dates)
	modified, modifiedSource = p.declaredDate(factModified, dates)
	if !published.IsZero() {
		// Some content systems declare the time when the page was saved or built.
		saved := published.DayOnly == modified.DayOnly && published.Time.Equal(modified.Time)
		printed, _ := p.printedDate(dates)
		if printed.IsZero() {
			printed = p.markedTime(dates)
		}
		if !printed.IsZero() && (saved && dayOf(printed) < dayOf(published) || p.isStale(printed, published)) {
			published, source = printed, sourceHTML
		}
	}
	if published.IsZero() {
		var at int
		published, source, at = p.timeElementDate(dates)
		// A line above the element, which may belong to another story.
		if printed, line := p.printedDate(dates); source != "" && !printed.IsZero() && line < at && dayOf(printed) != dayOf(published) {
			published, source = printed, sourceHTML
		}
	}
	if published.IsZero() {
		published, source = p.urlDate(), sourceURL
	}
	if published.IsZero() {
		var changed article.Date
		published, changed = p.visibleDates(dates)
		source = sourceHTML
		if modified.IsZero() {
			modified, modifiedSource = changed, sourceHTML
		}
	}
	if published.IsZero() { // the only known date
		published, source = modified, modifiedSource
	}
	if published.IsZero() {
		source = ""
	}
	if modified.IsZero() || before(modified, published) {
		modified, modifiedSource = article.Date{}, ""
	}
	return published, modified, source, modifiedSource
}

// isStale reports whether a printed date shows that the declared one is later than
// the publication. In another time zone the same moment may have another date, and
// the address of the page may confirm the declared one. Below the headline of a forum
// are the dates when members joined.
func (p *page) isStale(printed, declared article.Date) bool {
	const day, zones = 24 * time.Hour, 14 * time.Hour
	if p.flags.forum || dayOf(printed) >= dayOf(declared) || !declared.DayOnly && declared.Time.Sub(printed.Time) < day+zones {
		return false
	}
	for _, layout := range [...]string{"2006/01", "2006-01", "200601", "2006/1/"} {
		if strings.Contains(p.opts.URL, declared.Time.Format(layout)) && !strings.Contains(p.opts.URL, printed.Time.Format(layout)) {
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

// before compares days if one of the dates has no time of day.
func before(a, b article.Date) bool {
	if a.DayOnly || b.DayOnly {
		return dayOf(a) < dayOf(b)
	}
	return a.Time.Before(b.Time)
}

// monthFirst reports whether 5/3 means May 3 on the page.
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
	// Most English pages without a country are American, unless they have a
	// country's top-level domain.
	if locale, _ := p.candidates.first(factLang, parseLang); strings.HasPrefix(locale, "en-") {
		return locale == "en-US"
	}
	return p.host != "" && len(p.host)-strings.LastIndexByte(p.host, '.')-1 > 2
}

// hasHijraYears reports whether pages in a language may count years from the Hijra.
func hasHijraYears(lang string) bool {
	switch primaryLang(lang) {
	case "ar", "fa", "prs", "ps", "ckb", "ur", "ug", "dv":
		return true
	}
	return false
}

// isPlausibleDate rejects dates before the web and in the future.
func (p *page) isPlausibleDate(d article.Date) bool {
	const slack = 24 * time.Hour // for wrong clocks and time zones
	return !d.IsZero() && d.Time.Year() >= firstYear &&
		(p.opts.Now.IsZero() || d.Time.Before(p.opts.Now.Add(slack)))
}

// declaredDate returns the best candidate that is a plausible date. If it has no
// time of day, it is replaced by another candidate of the same day that has.
func (p *page) declaredDate(what fact, dates *dateParser) (best article.Date, source string) {
	for _, c := range p.candidates[what] {
		d, ok := dates.parse(c.text)
		if !ok || !p.isPlausibleDate(d) {
			continue
		}
		if best.IsZero() {
			best, source = d, c.source
		}
		if !best.DayOnly {
			break
		}
		if !d.DayOnly && dayOf(d) == dayOf(best) {
			return d, c.source
		}
	}
	return best, source
}

// markedTime returns the date of a <time> element that is marked as that of the
// publication.
func (p *page) markedTime(dates *dateParser) article.Date {
	for _, n := range p.times {
		if _, ok := p.d.LookupAttr(n, "pubdate"); ok || strings.Contains(p.d.Attr(n, "class"), "published") {
			if d := p.readTime(n, dates); !d.IsZero() {
				return d
			}
		}
	}
	return article.Date{}
}

// readTime returns the date of a <time> element, zero if it is not plausible.
func (p *page) readTime(n dom.Node, dates *dateParser) article.Date {
	if d, ok := dates.parse(p.timeText(n)); ok && p.isPlausibleDate(d) {
		return d
	}
	return article.Date{}
}

// timeElementDate returns the date of the <time> element nearest to the
// headline, and where its text begins. One that is marked as the date of publication
// may be anywhere.
func (p *page) timeElementDate(dates *dateParser) (date article.Date, source string, at int) {
	if d := p.markedTime(dates); !d.IsZero() {
		return d, sourceTime, 0
	}
	before, after := p.nearHeadline()
	var near, prior []dom.Node
	for _, n := range p.times {
		switch {
		case p.isModifiedTime(n):
		case after.contains(p.d, n):
			near = append(near, n)
		case before.contains(p.d, n):
			prior = append(prior, n)
		}
	}
	slices.Reverse(prior)
	for _, n := range append(near, prior...) {
		if d := p.readTime(n, dates); !d.IsZero() {
			at, _ := p.d.Span(n)
			return d, sourceTime, at
		}
	}
	return article.Date{}, "", 0
}

// timeText returns the machine-readable value of a <time> element, or else its
// text.
func (p *page) timeText(n dom.Node) string { return cmp.Or(p.d.Attr(n, "datetime"), p.d.Text(n)) }

// isModifiedTime reports whether a <time> element is the date of a modification.
func (p *page) isModifiedTime(n dom.Node) bool {
	if c := strings.ToLower(p.d.Attr(n, "class")); strings.Contains(c, "updated") || strings.Contains(c, "modified") {
		return true
	}
	from, _ := p.d.Span(n)
	all := p.d.AllText()
	line := strings.LastIndexByte(all[:from], '\n') + 1
	return hasUpdatedWord(all[max(line, from-60):from])
}

// urlDate returns the date in the URL of the page: /2024/05/03/, /20240503/,
// 2024-05-03 or 03-05-2024.
func (p *page) urlDate() article.Date {
	addresses := [...]string{p.opts.URL, ""}
	if c := p.candidates[factCanonical]; len(c) > 0 {
		addresses[1] = c[0].text
	}
	path := ""
	for _, address := range addresses {
		if address == "" || path != "" {
			continue
		}
		if u, err := url.Parse(address); err == nil {
			path = u.Path
		}
	}
	var room [64]token // enough for most paths
	dates := dateParser{tokens: appendTokens(room[:0], path)}
	for i := range dates.tokens {
		t := dates.at(i)
		dayFirst := t.digits(2, 2) && dates.at(i+1).isSign("-") && dates.at(i+4).digits(4, 4) // 03-05-2024
		if !t.digits(4, 4) && !t.digits(8, 8) && !dayFirst {
			continue
		}
		if dates.at(i+2).digits(2, 2) && dates.at(i+4).digits(1, 1) {
			continue // /2024/05/3 is the third article of May
		}
		if d, ok := dates.date(i); ok && p.isPlausibleDate(d) {
			d.Time, d.DayOnly = d.Time.Truncate(24*time.Hour), true
			return d
		}
	}
	return article.Date{}
}

// visibleDates returns the dates in the visible text: near the headline, or else
// in elements whose class or id means a date, or else anywhere.
func (p *page) visibleDates(dates *dateParser) (published, modified article.Date) {
	const sentence, longLine = 80, 160 // characters
	take := func(text string) {
		// A long line counts only if it begins with the date.
		const early = 60 // characters
		d, at := dates.find(firstRunes(text, longLine))
		if at < 0 || !p.isPlausibleDate(d) || isLonger(text, longLine) && isLonger(text[:at], early) {
			return
		}
		switch {
		case hasUpdatedWord(text[:at]):
			if modified.IsZero() {
				modified = d
			}
		case published.IsZero():
			published = d
		}
	}
	before, after := p.nearHeadline()
	takeLines := func(sentences bool) {
		for _, line := range after.lines(p.d) {
			if published.IsZero() && isLonger(line, sentence) == sentences {
				take(line)
			}
		}
	}
	takeLines(false)
	if published.IsZero() {
		var lines []string
		for _, line := range before.lines(p.d) {
			lines = append(lines, line)
		}
		for _, line := range slices.Backward(lines) {
			take(line) // the nearest to the headline first
		}
	}
	takeLines(true) // a dateline, or a date inside a sentence
	if published.IsZero() {
		elements := p.dateElements()
		// After the headline, or else anywhere.
		for _, early := range [...]bool{false, true} {
			for _, n := range elements {
				if published.IsZero() && n < p.headline == early {
					take(p.d.Text(n))
				}
			}
		}
	}
	if published.IsZero() {
		body, all := p.bodyAndAfter(), p.d.AllText()
		rest := textRange{strings.LastIndexByte(all[:body.to], '\n') + 1, len(all)}
		for _, in := range [...]textRange{body, {0, body.from}, rest} {
			for _, line := range in.lines(p.d) {
				if published.IsZero() && hasDateLabel(line, dates) {
					take(line)
				}
			}
		}
	}
	if published.IsZero() {
		published = p.dateBelowBody(dates)
	}
	if published.IsZero() {
		published = modified
	}
	if published.IsZero() {
		published = p.onlyDate(dates)
	}
	return published, modified
}

// dateBelowBody returns the date in a line of nothing else right below the body. Where
// more such lines follow, they are those of a list of other stories.
func (p *page) dateBelowBody(dates *dateParser) (only article.Date) {
	if p.opts.End == dom.None {
		return article.Date{}
	}
	const maxLine, early, below, list = 32, 8, 200, 600
	_, end := p.d.Span(p.opts.End)
	for start, line := range (textRange{end, min(end+list, len(p.d.AllText()))}).lines(p.d) {
		d, at := dates.find(line)
		if at < 0 || isLonger(line, maxLine) || isLonger(line[:at], early) || !p.isPlausibleDate(d) {
			continue
		}
		if !only.IsZero() || start > end+below {
			return article.Date{}
		}
		only = d
	}
	return only
}

// onlyDate returns the date of all <time> elements and of all lines that are
// only a date, if they agree.
func (p *page) onlyDate(dates *dateParser) (only article.Date) {
	const maxLine, early = 32, 8
	agree := true
	compare := func(text string) {
		d, at := dates.find(text)
		if at < 0 || isLonger(text[:at], early) || !p.isPlausibleDate(d) || hasUpdatedWord(text) {
			return
		}
		if only.IsZero() {
			only = d
		}
		agree = agree && dayOf(only) == dayOf(d)
	}
	for _, n := range p.times {
		compare(p.timeText(n))
	}
	for _, line := range p.text().lines(p.d) {
		if agree && !isLonger(line, maxLine) {
			compare(line)
		}
	}
	if !agree {
		return article.Date{}
	}
	return only
}

// printedDate returns the date in a line of its own near the headline, unless
// it is labelled as the date of a modification, and where the line begins.
func (p *page) printedDate(dates *dateParser) (date article.Date, at int) {
	const maxLine, early = 60, 24
	_, after := p.nearHeadline()
	last := ""
	for start, line := range after.lines(p.d) {
		before := last
		last = line
		if isLonger(line, maxLine) {
			continue
		}
		if d, at := dates.find(line); at >= 0 && !isLonger(line[:at], early) && p.isPlausibleDate(d) && !hasUpdatedWord(line) &&
			!isJoinedLabel(before) && !isJoinedLabel(line) {
			return d, start
		}
	}
	return article.Date{}, 0
}

// isJoinedLabel reports whether a line says since when somebody is a member of a
// forum.
func isJoinedLabel(line string) bool {
	const maxLine = 60
	if isLonger(line, maxLine) {
		return false
	}
	var room [4 * maxLine]byte
	low := appendLower(room[:0], line)
	return slices.ContainsFunc(joinedWords[:], func(w string) bool { return bytes.Contains(low, []byte(w)) })
}

var joinedWords = [...]string{
	"joined", "registered", "member since", "registriert", "mitglied seit", "dabei seit", "inscrit",
	"registrado", "iscritto", "регистрация", "зарегистрирован", "dołączył", "注册", "註冊", "加入",
}

// bodyAndAfter returns the range of the body and of the lines below it, which may
// have the date of a post.
func (p *page) bodyAndAfter() textRange {
	if p.opts.Body == dom.None || p.opts.End == dom.None {
		return textRange{}
	}
	const below = 600
	from, _ := p.d.Span(p.opts.Body)
	_, to := p.d.Span(p.opts.End)
	return textRange{from, min(to+below, len(p.d.AllText()))}
}

// hasDateLabel reports whether a line has a date after a word such as "published"
// or "updated": "Last updated: 3 May 2024".
func hasDateLabel(line string, dates *dateParser) bool {
	const maxLine, near = 160, 60 // characters; bytes
	if isLonger(line, maxLine) || !hasDigit(line) {
		return false
	}
	_, at := dates.find(line)
	if at < 0 {
		return false
	}
	// In German, the word comes after the date: am 3. Mai 2024 veröffentlicht.
	var low [2 * near]byte
	for _, beside := range [...]string{line[max(0, at-near):at], line[at:min(len(line), at+near)]} {
		beside := appendLower(low[:0], beside)
		for _, list := range [...][]string{publishedWords(), updatedWords()} {
			for _, w := range list {
				if bytes.Contains(beside, []byte(w)) {
					return true
				}
			}
		}
	}
	return false
}

// isDateLabel reports whether a word is one that precedes a date, such as
// "published".
func isDateLabel(word string) bool {
	const short = 6 // a shorter prefix may begin a name
	var room [32]byte
	label := appendLower(room[:0], strings.Trim(word, ".,:"))
	for _, list := range [...][]string{publishedWords(), updatedWords()} {
		for _, w := range list {
			if string(label) == w || len(w) >= short && bytes.HasPrefix(label, []byte(w)) {
				return true
			}
		}
	}
	return false
}

// hasUpdatedWord reports whether the text before a date ends with a word such as
// "updated".
func hasUpdatedWord(lead string) bool {
	var room [128]byte
	low := appendLower(room[:0], lead)
	low = low[max(0, len(low)-60):]
	return slices.ContainsFunc(updatedWords(), func(w string) bool { return bytes.Contains(low, []byte(w)) })
}

// dateElements returns the elements whose class or id means a date.
func (p *page) dateElements() []dom.Node {
	const maxChars = 120
	var out []dom.Node
	for n := dom.Node(0); int(n) < p.d.Len() && !p.opts.Steps.Done(); n++ {
		if p.d.IsText(n) || p.isEmpty(n) || !p.classMeaning(n).date && !isDateName(p.d.Attr(n, "id")) {
			continue
		}
		if chars := p.d.Chars(n); chars > 0 && chars <= maxChars {
			out = append(out, n)
		}
	}
	return out
}

func isDateName(value string) bool {
	value = strings.ToLower(value)
	if strings.Contains(value, "update") && !strings.Contains(value, "publish") {
		return false
	}
	return containsWord(value, "date", "time", "publish", "pubdate", "posted", "pubtime", "submitted")
}
