package robots

import (
	"regexp"
	"strings"
)

var (
	naiveOrigin     = regexp.MustCompile(`^[A-Za-z0-9+.-]+://[^/?]*`)
	naiveCompatible = regexp.MustCompile(`^mozilla[ \t/();,].*?compatible;\s*([^ \t/();,]+)`)
	naiveVersion    = regexp.MustCompile(`[ \t/();,].*`)
	naiveLineEnd    = regexp.MustCompile(`\r\n|\r|\n`)
	naiveEscaped    = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)
	naiveDirective  = regexp.MustCompile(`^([^:#]*?)\s*:\s*([^#]*?)\s*(#.*)?$|^([^\s:#]+)\s+([^\s:#]+)\s*(#.*)?$`)
)

// naiveAllowed is Allowed by regular expressions, and without regard to time.
func naiveAllowed(text, agent, target string) bool {
	if i := strings.Index(target, "#"); i >= 0 {
		target = target[:i]
	}
	if m := naiveOrigin.FindString(target); m != "" {
		target = target[len(m):]
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + target
	}
	if target == "/robots.txt" {
		return true
	}
	rules := naiveRules(text, naiveName(agent))
	if rules == nil {
		rules = naiveRules(text, "*")
	}
	best, allowed := 0, true
	for _, r := range rules {
		n, ok := naiveMatch(r.path, target)
		if ok && (n > best || n == best && r.allow) {
			best, allowed = n, r.allow
		}
	}
	return allowed
}

func naiveName(agent string) string {
	agent = strings.ToLower(strings.TrimSpace(agent))
	if m := naiveCompatible.FindStringSubmatch(agent); m != nil {
		return m[1]
	}
	return naiveVersion.ReplaceAllString(agent, "")
}

type naiveRule struct {
	path  string
	allow bool
}

// naiveRules returns the rules for a name, or nil if there is no group with that name.
func naiveRules(text, name string) (rules []naiveRule) {
	in, inRules := false, false
	for _, line := range naiveLineEnd.Split(text, -1) {
		m := naiveDirective.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		key, value := strings.ToLower(m[1]+m[4]), m[2]+m[5]
		switch key {
		case "user-agent", "useragent", "user agent":
			if inRules {
				in, inRules = false, false
			}
			if name != "" && naiveName(value) == name {
				in = true
				if rules == nil {
					rules = []naiveRule{}
				}
			}
		case "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
			key = "disallow"
			fallthrough
		case "allow", "disallow":
			inRules = true
			if in && value != "" && (value[0] == '/' || value[0] == '*') {
				rules = append(rules, naiveRule{value, key == "allow"})
			}
		case "crawl-delay":
			inRules = true
		}
	}
	return rules
}

// naiveMatch returns the length of a rule that matches a target. A query counts as it
// is, and with the delimiters of addresses in it encoded.
func naiveMatch(rule, target string) (length int, ok bool) {
	units := naiveUnits(rule, true)
	if !naiveMatchUnits(units, naiveUnits(target, false)) &&
		!naiveMatchUnits(naiveEncodeQuery(units), naiveEncodeQuery(naiveUnits(target, false))) {
		return 0, false
	}
	return len(strings.Join(units, "")), true
}

func naiveMatchUnits(rule, target []string) bool {
	expr := "^"
	for _, u := range rule {
		switch u {
		case "*":
			expr += "(?s:.*)"
		case "$":
			expr += "$"
		default:
			expr += regexp.QuoteMeta(u)
		}
	}
	return regexp.MustCompile(expr).MatchString(strings.Join(target, ""))
}

// naiveUnits splits a path into its octets and escape sequences, normalised.
func naiveUnits(path string, isRule bool) (units []string) {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	const reserved = ":/?#[]@!$&'()*+,;="
	for path != "" {
		if m := naiveEscaped.FindString(path); m != "" {
			path = path[3:]
			m = strings.ToUpper(m)
			for _, c := range unreserved {
				if m == naiveEscape(byte(c)) {
					m = string(c)
				}
			}
			units = append(units, m)
			continue
		}
		c := path[:1]
		path = path[1:]
		special := isRule && (c == "*" || c == "$" && path == "")
		if !special && (c == "*" || c == "$" || !strings.Contains(unreserved+reserved, c)) {
			c = naiveEscape(c[0])
		}
		units = append(units, c)
	}
	return units
}

func naiveEncodeQuery(units []string) (encoded []string) {
	inQuery := false
	for _, u := range units {
		if inQuery && strings.Contains(":/?@", u) {
			u = naiveEscape(u[0])
		}
		inQuery = inQuery || u == "?"
		encoded = append(encoded, u)
	}
	return encoded
}

func naiveEscape(c byte) string {
	const digits = "0123456789ABCDEF"
	return "%" + string(digits[c/16]) + string(digits[c%16])
}
