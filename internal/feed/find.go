package feed

import (
	"cmp"
	_ "embed"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lines"
	"github.com/lede-news/lede/internal/links"
)

// maxFound bounds the number of feeds of a page.
const maxFound = 50

// candidate is an address that may be that of a feed.
type candidate struct {
	address string
	rank    int // less is better
}

// Find returns the addresses of the feeds of a page: those that it declares, or else
// those that it links to. That of the whole site comes first. Feeds of comments are
// left out.
func Find(d *dom.Document, address string) []string {
	base := links.Base(d, address)
	found := declared(d, base)
	if len(found) == 0 {
		found = linked(d, base)
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	seen := map[string]bool{links.Key(address): true} // a page is not its own feed
	var addresses []string
	for _, c := range found {
		if key := links.Key(c.address); key != "" && !seen[key] && len(addresses) < maxFound {
			seen[key] = true
			addresses = append(addresses, c.address)
		}
	}
	return addresses
}

// declared returns the feeds that a page names in <link rel=alternate>.
func declared(d *dom.Document, base *url.URL) (found []candidate) {
	for n := range d.All(0, dom.Link) {
		rel := strings.Fields(strings.ToLower(d.Attr(n, "rel")))
		if !slices.Contains(rel, "alternate") && !slices.Contains(rel, "feed") || slices.Contains(rel, "stylesheet") {
			continue
		}
		href := d.Attr(n, "href")
		kind, _, _ := strings.Cut(strings.ToLower(d.Attr(n, "type")), ";")
		switch strings.TrimSpace(kind) {
		case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "application/x.atom+xml", "application/x-rss+xml", "text/rss+xml", "application/rss", "application/atom":
		case "application/json", "application/xml", "text/xml", "text/rss":
			if !looksLikeFeed(base, href) {
				continue
			}
		case "":
			if !slices.Contains(rel, "feed") {
				continue
			}
		default:
			continue
		}
		found = appendFeed(found, base, href, d.Attr(n, "title"))
	}
	return found
}

// linked returns the feeds that a page links to.
func linked(d *dom.Document, base *url.URL) (found []candidate) {
	for n := range d.All(0, dom.A) {
		if href := d.Attr(n, "href"); href != "" && looksLikeFeed(base, href) {
			found = appendFeed(found, base, href, d.Text(n))
			if len(found) >= 10*maxFound {
				break
			}
		}
	}
	return found
}

// appendFeed adds a feed unless it is one of comments or of something else than
// stories.
func appendFeed(found []candidate, base *url.URL, href, title string) []candidate {
	to := links.ResolveWeb(base, href)
	u, err := links.Parse(to)
	if err != nil || to == "" || len(to) > maxURL {
		return found
	}
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
	return append(found, candidate{to, rankOf(base, u)})
}

// commentWords are parts of words for comments in titles and addresses of feeds.
//
//go:embed comments.txt
var commentWords string

// rankOf returns 0 for a feed of the site, 1 for one of an author, tag or search,
// and 2 for one of another site.
func rankOf(base, feed *url.URL) int {
	if base != nil && hostName(base) != hostName(feed) && !strings.Contains(feed.Host, "feedburner.") {
		return 2
	}
	for segment := range strings.SplitSeq(strings.ToLower(feed.Path), "/") {
		if slices.Contains([]string{"author", "authors", "autor", "tag", "tags", "search", "user", "users", "podcast", "podcasts"}, segment) {
			return 1
		}
	}
	return 0
}

// hostName returns the host of an address without the names of its editions.
func hostName(u *url.URL) string {
	host, _, _ := strings.Cut(links.Key("https://"+u.Host+"/"), "/")
	return host
}

// looksLikeFeed reports whether an address has the form of those of feeds.
func looksLikeFeed(base *url.URL, href string) bool {
	u, err := links.Parse(links.ResolveWeb(base, href))
	if err != nil || u.Host == "" {
		return false
	}
	if strings.HasPrefix(u.Host, "feeds.") && len(u.Path) > 1 || u.Host == "feedproxy.google.com" {
		return true
	}
	if slices.Contains([]string{"rss", "rss2", "atom", "rdf"}, strings.ToLower(u.Query().Get("feed"))) {
		return true
	}
	name := strings.ToLower(path.Base(strings.TrimRight(u.Path, "/")))
	stem, ending, _ := strings.Cut(name, ".")
	switch ending {
	case "rss", "rdf", "atom":
		return true
	case "", "xml", "json", "php":
		return slices.Contains([]string{"feed", "feeds", "rss", "rss2", "atom", "rdf", "newsfeed", "rssfeed", "rss_feed", "rss-feed"}, stem)
	}
	return false
}

// Paths returns paths at which sites without a declared feed often have one, the most
// likely first. /feed is that of WordPress and Substack, /rss of Ghost and Tumblr, /index.xml of
// Hugo, /feed.xml of Jekyll, /atom.xml of Hexo, and /feeds/posts/default of Blogger.
func Paths() []string {
	return []string{"/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/feed.json", "/feeds/posts/default", "/rss/all", "/index.rdf", "/news/rss.xml"}
}
