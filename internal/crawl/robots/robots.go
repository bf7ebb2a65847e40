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

const maxDelay = 24 * time.Hour

// Rules are the rules of a site. The zero value allows everything.
type Rules struct {
	groups   []group
	agents   map[string][]int // the groups of a product token, in lower case
	sitemaps []string
}

// group is a group of rules. Several programs may share it, so it is kept once.
type group struct {
	rules []rule
	delay time.Duration
}

type rule struct {
	pattern pattern
	allow   bool
}

// Parse reads a robots.txt. There are no errors: a line that is not understood is
// skipped.
func Parse(text []byte) *Rules {
	p := parser{rules: &Rules{agents: map[string][]int{}}, current: -1, sitemaps: map[string]bool{}}
	for line := range strings.FieldsFuncSeq(clean(text), func(r rune) bool { return r == '\n' || r == '\r' }) {
		p.line(line)
	}
	return p.rules
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

// parser adds lines to rules.
type parser struct {
	rules    *Rules
	current  int  // the group that lines are added to, or -1
	closed   bool // the next user-agent begins another group
	sitemaps map[string]bool
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
		p.agent(value)
	case "allow", "disallow":
		p.rule(value, key == "allow")
	case "crawl-delay":
		if p.current >= 0 {
			p.closed = true
			g := &p.rules.groups[p.current]
			g.delay = max(g.delay, delay(value))
		}
	case "sitemap":
		if value != "" && !p.sitemaps[value] {
			p.sitemaps[value] = true
			p.rules.sitemaps = append(p.rules.sitemaps, value)
		}
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

func (p *parser) agent(value string) {
	if p.current < 0 || p.closed {
		p.rules.groups = append(p.rules.groups, group{})
		p.current, p.closed = len(p.rules.groups)-1, false
	}
	token := strings.ToLower(productToken(value))
	groups := p.rules.agents[token]
	if token != "" && (len(groups) == 0 || groups[len(groups)-1] != p.current) {
		p.rules.agents[token] = append(groups, p.current)
	}
}

func (p *parser) rule(value string, allow bool) {
	if p.current < 0 {
		return
	}
	p.closed = true
	if value != "" && (value[0] == '/' || value[0] == '*') {
		g := &p.rules.groups[p.current]
		g.rules = append(g.rules, rule{newPattern(value, true), allow})
	}
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

// groupsFor returns the groups that a program obeys: all with its name, or else those
// for everybody (RFC 9309, section 2.2.1).
func (r *Rules) groupsFor(agent string) []int {
	if groups, ok := r.agents[strings.ToLower(productToken(agent))]; ok {
		return groups
	}
	return r.agents["*"]
}

// Allowed reports whether a program may fetch an address, or a path with a query. The
// agent is the name of the program or its User-Agent. The longest rule that matches
// decides, and Allow wins over Disallow of the same length. The robots.txt itself is
// always allowed (RFC 9309, section 2.2.2).
func (r *Rules) Allowed(agent, target string) bool {
	path := pathOf(target)
	if path == "/robots.txt" {
		return true
	}
	t := newPattern(path, false)
	longest, allowed := 0, true
	for _, i := range r.groupsFor(agent) {
		for _, x := range r.groups[i].rules {
			n := len(x.pattern.text)
			if (n > longest || n == longest && !allowed && x.allow) && x.pattern.matches(t) {
				longest, allowed = n, x.allow
			}
		}
	}
	return allowed
}

// CrawlDelay returns the time between two requests that the site asks of a program,
// or 0.
func (r *Rules) CrawlDelay(agent string) (delay time.Duration) {
	for _, i := range r.groupsFor(agent) {
		delay = max(delay, r.groups[i].delay)
	}
	return delay
}

// Sitemaps returns the addresses of sitemaps, as they are written: they may be
// relative to that of the robots.txt.
func (r *Rules) Sitemaps() []string { return slices.Clone(r.sitemaps) }
