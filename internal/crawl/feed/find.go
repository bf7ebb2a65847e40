package feed

import (
	"cmp"
	_ "embed"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
)

// maxFound bounds the number of feeds of a page.
const maxFound = 50

// Find returns the addresses of the feeds of a page: those that it declares, or else
// those that it links to. That of the whole site comes first. Feeds of comments are
// left out.
func Find(d *dom.Document, address string) []string {
	base := links.Base(d, address)
	found := declared(d, base)
	if len(found) == 0 {
		found = linked(d, base)
	}
	slices.SortStableFunc(found, func(a, b *url.URL) int { return cmp.Compare(rankOf(base, a), rankOf(base, b)) })
	seen := map[string]bool{links.Key(address): true} // a page is not its own feed
	var addresses []string
	for _, u := range found {
		if key := links.Key(u.String()); key != "" && !seen[key] && len(addresses) < maxFound {
			seen[key] = true
			addresses = append(addresses, u.String())
		}
	}
	return addresses
}

// declared returns the feeds that a page names in <link rel=alternate>.
func declared(d *dom.Document, base *url.URL) (found []*url.URL) {
	for n := range d.All(0, dom.Link) {
		rel := strings.Fields(strings.ToLower(d.Attr(n, "rel")))
		if !slices.Contains(rel, "alternate") && !slices.Contains(rel, "feed") || slices.Contains(rel, "stylesheet") {
			continue
		}
		u := parseLink(base, d.Attr(n, "href"))
		kind, _, _ := strings.Cut(strings.ToLower(d.Attr(n, "type")), ";")
		switch strings.TrimSpace(kind) {
		case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "application/x.atom+xml", "application/x-rss+xml",
			"text/rss+xml", "application/rss", "application/atom":
		case "application/json", "application/xml", "text/xml", "text/rss":
			if !looksLikeFeed(u) {
				continue
			}
		case "":
			if !slices.Contains(rel, "feed") {
				continue
			}
		default:
			continue
		}
		if u != nil {
			found = appendFeed(found, u, d.Attr(n, "title"))
		}
	}
	return found
}

// linked returns the feeds of the site that a page links to.
func linked(d *dom.Document, base *url.URL) (found []*url.URL) {
	for n := range d.All(0, dom.A) {
		u := parseLink(base, d.Attr(n, "href"))
		if !looksLikeFeed(u) || rankOf(base, u) == otherSite { // buttons to share and to subscribe
			continue
		}
		if found = appendFeed(found, u, d.Text(n)); len(found) >= 10*maxFound {
			break
		}
	}
	return found
}

// parseLink returns the absolute address of a link, or nil if it has none of the web.
func parseLink(base *url.URL, href string) *url.URL {
	to := links.ResolveWeb(base, href)
	u, err := links.Parse(to)
	if err != nil || to == "" || len(to) > maxURL {
		return nil
	}
	return u
}

// appendFeed adds a feed unless it is one of comments or of something else than
// stories.
func appendFeed(found []*url.URL, u *url.URL, title string) []*url.URL {
	where := strings.ToLower(u.Path + "?" + u.RawQuery)
	for _, other := range []string{"/wp-json/", "oembed", "/opensearch"} {
		if strings.Contains(where, other) {
			return found
		}
	}
	title = strings.ToLower(title)
	for word := range lines.Data(commentWords) {
		if strings.Contains(title, word) || strings.Contains(where, word) {
			return found
		}
	}
	return append(found, u)
}

// commentWords are parts of words for comments in titles and addresses of feeds.
//
//go:embed comments.txt
var commentWords string

// Ranks of feeds.
const (
	wholeSite = iota
	partOfSite
	otherSite
)

// rankOf returns the rank of a feed by its address.
func rankOf(base, feed *url.URL) int {
	if base != nil && hostName(base) != hostName(feed) && !isFeedHost(feed) {
		return otherSite
	}
	for segment := range strings.SplitSeq(strings.ToLower(feed.Path), "/") {
		if slices.Contains([]string{"author", "authors", "autor", "tag", "tags", "search", "user", "users", "podcast", "podcasts"}, segment) {
			return partOfSite
		}
	}
	return wholeSite
}

// isFeedHost reports whether a host serves the feeds of sites.
func isFeedHost(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return strings.HasPrefix(host, "feeds.") || strings.HasPrefix(host, "rss.") || host == "feedproxy.google.com"
}

// hostName returns the host of an address without the names of its editions.
func hostName(u *url.URL) string {
	host, _, _ := strings.Cut(links.Key("https://"+u.Host+"/"), "/")
	return host
}

// feedAddress matches the paths and queries of feeds: /rss, /feeds/sport, /atom.xml, /news.rss.
var feedAddress = regexp.MustCompile(`(?i)/(?:feeds?|outboundfeeds|rss2?|atom|rdf|newsfeed|rss[-_]?feed)(?:/[^.?]*)?(?:\.(?:xml|json|php))?/?(?:\?|$)` +
	`|\.(?:rss|rdf|atom)/?(?:\?|$)|[?&]feed=(?:rss2?|atom|rdf)(?:&|$)`)

// looksLikeFeed reports whether an address has the form of those of feeds. It may be nil.
func looksLikeFeed(u *url.URL) bool {
	return u != nil && (isFeedHost(u) && len(u.Path) > 1 || feedAddress.MatchString(u.RequestURI()))
}

// Paths returns paths at which sites without a declared feed often have one, the most
// likely first. /feed is that of WordPress, Medium and Substack, /rss of Ghost and
// Tumblr, /rss.xml of Drupal, /feed.xml of Jekyll, /atom.xml of Hexo, /index.xml of Hugo,
// /arc/outboundfeeds/rss/ of Arc XP, and /feeds/posts/default of Blogger.
func Paths() []string {
	return []string{"/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml",
		"/arc/outboundfeeds/rss/", "/feed.json", "/feeds/posts/default", "/index.rdf"}
}
