package metadata

import (
	"strings"
	"time"

	"github.com/lede-news/lede/article"
)

// firstYear is that of the first news on the web, or a little before.
const firstYear = 1990

// calendar knows how the page's country writes dates.
type calendar struct {
	monthFirst bool    // 5/3/2024 is the third of May
	tokens     []token // room for those of one text after another
}

// find is the first date in a text, and where it begins; -1 if there is none.
func (c *calendar) find(s string) (article.Date, int) {
	if !hasDigit(s) {
		return article.Date{}, -1
	}
	if c.tokens == nil {
		const few = 32 // of most rows
		c.tokens = make([]token, 0, few)
	}
	c.tokens = appendTokens(c.tokens[:0], clip(s, 2000))
	r := dateReader{tokens: c.tokens, monthFirst: c.monthFirst}
	for i := range r.tokens {
		if date, ok := r.date(i); ok {
			return date, r.tokens[i].at
		}
	}
	return article.Date{}, -1
}

// machine reads a value that is meant to be a date and nothing else.
func (c *calendar) machine(s string) (article.Date, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 200 {
		return article.Date{}, false
	}
	if date, ok := unixDate(s); ok {
		return date, true
	}
	date, at := c.find(s)
	return date, at >= 0
}

// unixDate reads seconds or milliseconds since 1970.
func unixDate(s string) (article.Date, bool) {
	if len(s) != 10 && len(s) != 13 {
		return article.Date{}, false
	}
	var n int64
	for i := range len(s) {
		if !isDigit(s[i]) {
			return article.Date{}, false
		}
		if i < 10 {
			n = n*10 + int64(s[i]-'0')
		}
	}
	t := time.Unix(n, 0).UTC()
	return article.Date{Time: t}, t.Year() >= firstYear
}
