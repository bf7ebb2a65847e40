package newsroom

import (
	"fmt"
	"strings"
)

// robotsFile returns the robots.txt of the site.
func (s *PressSite) robotsFile(root string) string {
	t := &s.traits
	var b strings.Builder
	if s.is("robots comment", 40) {
		fmt.Fprintf(&b, "# robots.txt of %s\n\n", s.Title)
	}
	if s.is("other agents", 50) {
		b.WriteString("User-agent: GreedyBot\nUser-agent: MirrorMaker\nDisallow: /\n\n")
	}
	if s.is("polite agents", 30) {
		b.WriteString("User-agent: Findseeker\nCrawl-delay: 30\nDisallow: /archive/\nDisallow: /img/\n\n")
	}
	b.WriteString("User-agent: *\n")
	for _, rule := range t.disallow {
		b.WriteString("Disallow: " + rule + "\n")
	}
	if len(t.disallow) == 0 {
		b.WriteString("Disallow:\n")
	}
	if t.crawlDelay > 0 {
		fmt.Fprintf(&b, "Crawl-delay: %d\n", t.crawlDelay)
	}
	if t.sitemapDeclared {
		b.WriteString("\nSitemap: " + root + t.sitemapPath + "\n")
		if t.newsSitemap && t.sitemap != "index" {
			b.WriteString("Sitemap: " + root + newsSitemapPath + "\n")
		}
	}
	if s.is("robots crlf", 20) {
		return strings.ReplaceAll(b.String(), "\n", "\r\n")
	}
	return b.String()
}

// forbids reports whether robots.txt forbids a path with query for everybody. It
// knows just the rules that robotsFile writes and shares no code with the parser
// that it judges.
func (s *PressSite) forbids(target string) bool {
	if s.traits.noRobots || target == "/robots.txt" {
		return false
	}
	for _, rule := range s.traits.disallow {
		if matchesRule(rule, target) {
			return true
		}
	}
	return false
}

// matchesRule reports whether a rule with at most one star matches.
func matchesRule(rule, target string) bool {
	rule, whole := strings.CutSuffix(rule, "$")
	before, after, star := strings.Cut(rule, "*")
	rest, ok := strings.CutPrefix(target, before)
	switch {
	case !ok:
		return false
	case !star:
		return !whole || rest == ""
	case whole:
		return strings.HasSuffix(rest, after)
	}
	return strings.Contains(rest, after)
}

// Forbids reports whether the site's robots.txt forbids a path with query.
func (s *PressSite) Forbids(path string) bool { return s.forbids(path) }

// CrawlDelay returns the seconds that the site's robots.txt asks for between
// requests; 0 if it does not say.
func (s *PressSite) CrawlDelay() int {
	if s.traits.noRobots {
		return 0
	}
	return s.traits.crawlDelay
}
