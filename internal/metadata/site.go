package metadata

import "strings"

// siteName is what the site calls itself, else its host.
func (p *page) siteName() (name, source string) {
	name, source = p.found.first(ofSite, func(s string) string {
		s = tidy(s)
		if len(s) > 100 || strings.Contains(s, "://") {
			return ""
		}
		return s
	})
	if name == "" && p.host != "" {
		return p.host, fromURL
	}
	return name, source
}

// standfirst is the page's own summary of its story.
func (p *page) standfirst() (text, source string) {
	return p.found.first(ofStandfirst, tidy)
}

// section is the part of the paper that the story stands in.
func (p *page) section() (text, source string) {
	return p.found.first(ofSection, func(s string) string {
		s = tidy(s)
		if strings.Contains(s, "://") || len(s) > 100 {
			return ""
		}
		return s
	})
}

// pageType is what the page calls itself.
func (p *page) pageType() (text, source string) {
	return p.found.first(ofType, tidy)
}

// chooseTags lists the topics of the best source that has any.
func (p *page) chooseTags() (tags []string, source string) {
	const mostTags = 30
	seen := map[string]bool{}
	for _, c := range p.found[ofTag] {
		if source != "" && source != c.from {
			break
		}
		for t := range strings.FieldsFuncSeq(clip(c.text, 4000), func(r rune) bool { return r == ',' || r == ';' || r == '،' || r == '，' || r == '、' }) {
			t = strings.Trim(tidy(t), `"'`)
			if t == "" || len(t) > 80 || seen[strings.ToLower(t)] {
				continue
			}
			if len(tags) == mostTags {
				return tags, source
			}
			seen[strings.ToLower(t)] = true
			tags = append(tags, t)
			source = c.from
		}
	}
	return tags, source
}
