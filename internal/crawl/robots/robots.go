// Package robots reads robots.txt files, in which sites say what programs may fetch
// (RFC 9309).
//
// Where the RFC leaves a choice, the package reads what the authors of files mean:
//
//   - Words that Google's parser knows as misspelt are understood (useragent, dissallow,
//     site-map and the like), and so is a line of two words without a colon. That hides
//     no rule that is written correctly.
//   - Crawl-delay, which is not in the RFC, belongs to a group as Allow and Disallow do.
//     Of several, the longest counts. What is not a number, or negative, is ignored,
//     and more than a day is a day.
//   - A rule that begins with neither / nor * matches nothing.
//   - NUL bytes are skipped. A file in UTF-16 can therefore be read, if it is in ASCII.
//   - The first 512 KiB of a file count, up to the last whole line.
package robots

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxBytes is how much of a file Parse reads. RFC 9309, section 2.5, asks for 500 KiB
// at least.
const MaxBytes = 512 << 10

const (
	maxDelay    = 24 * time.Hour
	maxSitemaps = 1000
)

// Rules are the rules of a site for a program. The zero value allows everything.
type Rules struct {
	group
	sitemaps []string
}

// group is what a file says to a program or to everybody.
type group struct {
	rules []rule
	delay time.Duration
}

type rule struct {
	pattern string // normalised
	allow   bool
}

// Parse reads a robots.txt for a program, which is given by its name or its User-Agent. A
// program obeys all groups with its name, or else those for everybody (RFC 9309, section
// 2.2.1). There are no errors: a line that is not understood is skipped.
func Parse(text []byte, agent string) *Rules {
	p := parser{agent: strings.ToLower(productToken(agent))}
	for line := range strings.FieldsFuncSeq(clean(text), func(r rune) bool { return r == '\n' || r == '\r' }) {
		p.line(line)
	}
	r := &Rules{sitemaps: p.sitemaps}
	if r.group = p.others; p.named {
		r.group = p.own
	}
	return r
}

// clean returns what counts of a file, without byte order marks and NUL bytes. Google's
// parser also knows a mark without its last byte.
func clean(text []byte) string {
	if len(text) > MaxBytes {
		text = text[:MaxBytes+1] // a line may end at the limit
		text = text[:bytes.LastIndexAny(text, "\r\n")+1]
	}
	for _, mark := range []string{"\xef\xbb\xbf", "\xef\xbb", "\xff\xfe", "\xfe\xff"} {
		if rest, ok := bytes.CutPrefix(text, []byte(mark)); ok {
			text = rest
			break
		}
	}
	return strings.ReplaceAll(string(text), "\x00", "")
}

// parser collects the rules of a file.
type parser struct {
	agent       string
	own, others group // for the program, and for everybody
	named       bool  // the program is named
	current     []*group
	closed      bool // the next user-agent begins another group
	sitemaps    []string
}

func (p *parser) line(line string) {
	key, value, ok := split(line)
	if !ok {
		return
	}
	if right, ok := misspelt[key]; ok {
		key = right
	}
	switch key {
	case "user-agent":
		p.addAgent(value)
	case "allow", "disallow":
		p.closed = true
		if value != "" && (value[0] == '/' || value[0] == '*') {
			for _, g := range p.current {
				g.rules = append(g.rules, rule{normalise(value, true), key == "allow"})
			}
		}
	case "crawl-delay":
		p.closed = true
		for _, g := range p.current {
			g.delay = max(g.delay, delay(value))
		}
	case "sitemap":
		if value != "" && !slices.Contains(p.sitemaps, value) && len(p.sitemaps) < maxSitemaps {
			p.sitemaps = append(p.sitemaps, value)
		}
	}
}

// addAgent adds the group of a user-agent to those that the next rules belong to.
func (p *parser) addAgent(value string) {
	if p.closed {
		p.current, p.closed = nil, false
	}
	var g *group
	switch token := strings.ToLower(productToken(value)); token {
	case "":
		return
	case p.agent:
		p.named, g = true, &p.own
	case "*":
		g = &p.others
	default:
		return
	}
	if !slices.Contains(p.current, g) {
		p.current = append(p.current, g)
	}
}

// split splits a line into a directive, in lower case, and its value.
func split(line string) (key, value string, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	if key, value, ok = strings.Cut(line, ":"); !ok {
		words := strings.Fields(line)
		if len(words) != 2 {
			return "", "", false
		}
		key, value = words[0], words[1]
	}
	return strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value), true
}

// misspelt are directives as they are often written.
var misspelt = map[string]string{
	"useragent": "user-agent", "user agent": "user-agent", "site-map": "sitemap",
	"dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow", "diasllow": "disallow", "disallaw": "disallow",
}

// delay reads the value of Crawl-delay, in seconds.
func delay(value string) time.Duration {
	s, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64)
	switch {
	case math.IsNaN(s) || err != nil && !math.IsInf(s, 0), s <= 0:
		return 0
	case s >= maxDelay.Seconds():
		return maxDelay
	}
	return time.Duration(s * float64(time.Second))
}

// productToken returns the name of a program in a User-Agent or a user-agent line,
// without its version. Programs that pose as a browser have it in a comment, as in
// "Mozilla/5.0 (compatible; ExampleBot/0.1)".
func productToken(agent string) string {
	agent = strings.TrimSpace(agent)
	token := firstToken(agent)
	if strings.EqualFold(token, "mozilla") {
		const mark = "compatible;"
		if i := strings.Index(strings.ToLower(agent), mark); i >= 0 {
			if inner := firstToken(strings.TrimSpace(agent[i+len(mark):])); inner != "" {
				return inner
			}
		}
	}
	return token
}

func firstToken(s string) string {
	if i := strings.IndexAny(s, " \t/();,"); i >= 0 {
		s = s[:i]
	}
	return s
}

// Allowed reports whether the program may fetch an address, or a path with a query. The
// longest rule that matches decides, and Allow wins over Disallow of the same length. The
// robots.txt itself is always allowed (RFC 9309, section 2.2.2).
func (r *Rules) Allowed(target string) bool {
	path := pathOf(target)
	if path == "/robots.txt" {
		return true
	}
	path = normalise(path, false)
	longest, allowed := 0, true
	for _, x := range r.rules {
		n := len(x.pattern)
		if (n > longest || n == longest && !allowed && x.allow) && matches(x.pattern, path) {
			longest, allowed = n, x.allow
		}
	}
	return allowed
}

// CrawlDelay returns the time between two requests that the site asks for, or 0.
func (r *Rules) CrawlDelay() time.Duration { return r.delay }

// Sitemaps returns the addresses of sitemaps, as they are written: they may be
// relative to that of the robots.txt.
func (r *Rules) Sitemaps() []string { return r.sitemaps }
