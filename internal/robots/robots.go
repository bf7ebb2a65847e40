// Package robots reads robots.txt files, in which sites say what programs may fetch
// (RFC 9309).
package robots

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Rules are the rules of a site for one program. The zero value allows everything.
type Rules struct {
	// Delay is the time between two requests that the site asks for, or 0.
	Delay time.Duration

	rules []rule
}

type rule struct {
	pattern string
	allow   bool
}

const (
	maxBytes = 500 << 10 // RFC 9309, section 2.5
	maxRules = 10_000
)

// Parse returns the rules for a program, such as "lede": those of the groups with
// its name, or else of the groups for all.
func Parse(text []byte, agent string) *Rules {
	own, all := &Rules{}, &Rules{}
	var named, inRules, toOwn, toAll bool // inRules: the next user-agent begins another group
	for line := range strings.Lines(string(text[:min(len(text), maxBytes)])) {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "\ufeff"), "#")
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !ok {
			continue
		}
		if key == "user-agent" {
			if inRules {
				inRules, toOwn, toAll = false, false, false
			}
			isOwn := strings.EqualFold(productOf(value), agent)
			named, toOwn, toAll = named || isOwn, toOwn || isOwn, toAll || value == "*"
			continue
		}
		for _, to := range []struct {
			*Rules
			on bool
		}{{own, toOwn}, {all, toAll}} {
			if to.on {
				to.add(key, value)
			}
		}
		inRules = inRules || key == "allow" || key == "disallow" || key == "crawl-delay"
	}
	if named {
		return own
	}
	return all
}

// productOf returns the name of a program without its version.
func productOf(agent string) string {
	name, _, _ := strings.Cut(agent, "/")
	return strings.TrimSpace(name)
}

func (r *Rules) add(key, value string) {
	switch key {
	case "allow", "disallow":
		if value != "" && len(r.rules) < maxRules {
			r.rules = append(r.rules, rule{escape(value), key == "allow"})
		}
	case "crawl-delay":
		if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 && s < 1e6 {
			r.Delay = time.Duration(s * float64(time.Second))
		}
	}
}

// Allowed reports whether an address may be fetched. The longest rule that matches
// decides, and Allow wins over Disallow of the same length.
func (r *Rules) Allowed(u *url.URL) bool {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	path = escape(path)
	longest, allowed := -1, true
	for _, x := range r.rules {
		if n := len(x.pattern); n >= longest && (n > longest || x.allow) && x.matches(path) {
			longest, allowed = n, x.allow
		}
	}
	return allowed
}

// matches reports whether the pattern matches the beginning of a path. "*" stands
// for any characters, and "$" at the end for the end of the path.
func (x *rule) matches(path string) bool {
	pattern, atEnd := strings.CutSuffix(x.pattern, "$")
	first, rest, more := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, first)
	if !ok {
		return false
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "*")
		if !more && atEnd {
			return strings.HasSuffix(path, part)
		}
		i := strings.Index(path, part)
		if i < 0 {
			return false
		}
		path = path[i+len(part):]
	}
	return !atEnd || path == ""
}

// escape escapes what is not ASCII, and writes escape sequences in upper case.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x80:
			b = append(b, '%', hex[c>>4], hex[c&15])
		case c == '%' && i+2 < len(s):
			b = append(b, strings.ToUpper(s[i:i+3])...)
			i += 2
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
