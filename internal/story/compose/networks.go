package compose

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/article"
)

// network is a social network.
type network struct {
	hosts   string // without "www.", "m." and the like
	classes string // of the markup that its script turns into a post
	// post matches the path and the query of posts, from any segment on. It may have groups
	// for the user, and for the id if that contains the time.
	post   func() *regexp.Regexp
	layout layout
	// tracked is set if parameters are only for statistics.
	tracked bool
	// Ids are milliseconds since an epoch, shifted.
	shift uint
	epoch int64
}

// layout is how the markup of a post is read.
type layout uint8

const (
	linesLayout     layout = iota // the author is in the last line
	paragraphLayout               // the text is in paragraphs among words of the network
	titleLayout                   // the text is that of the link
)

var networks = [...]network{
	{hosts: "twitter.com x.com", classes: "twitter-tweet twitter-video", post: pattern(`(?P<user>[^/]+)/status(es)?/(?P<id>\d+)`), tracked: true,
		shift: 22, epoch: 1288834974657},
	{hosts: "instagram.com", classes: "instagram-media", post: pattern(`(p|reel|tv)/[^/?]+`), layout: paragraphLayout, tracked: true},
	{hosts: "tiktok.com", classes: "tiktok-embed", post: pattern(`@(?P<user>[^/]+)/(video|photo)/\d+|embed/(v2/)?\d+`), layout: paragraphLayout, tracked: true},
	{hosts: "facebook.com", classes: "fb-post fb-xfbml-parse-ignore", layout: paragraphLayout,
		post: pattern(`(posts|videos|photos|reel)/[^/?]+|(permalink|story)\.php\?(.*&)?story_fbid=.*|photo(\.php)?\?(.*&)?fbid=.*|(watch|video\.php)\?(.*&)?v=.*`)},
	{hosts: "bsky.app", classes: "bluesky-embed", post: pattern(`profile/(?P<user>[^/]+)/post/[^/?]+`), tracked: true},
	{hosts: "threads.net threads.com", classes: "text-post-media", post: pattern(`@(?P<user>[^/]+)/post/[^/?]+|t/[^/?]+`), layout: paragraphLayout, tracked: true},
	{hosts: "reddit.com", classes: "reddit-embed-bq reddit-card", post: pattern(`(r|user)/[^/]+/comments/[^/?]+`), layout: titleLayout},
	{hosts: "t.me", post: pattern(`(?P<user>[^/]+)/\d+`), tracked: true},
	{hosts: "linkedin.com", post: pattern(`(posts|feed/update)/[^/?]+`)},
	{classes: "mastodon-embed", post: pattern(`@(?P<user>[^/]+)/(?P<id>\d+)`), layout: paragraphLayout, shift: 16}, // servers may have any name
}

func pattern(post string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|/)(?:` + post + `)(?:[/?]|$)`) })
}

// byName has the networks by their hosts and classes.
var byName = sync.OnceValue(func() map[string]*network {
	all := make(map[string]*network)
	for i := range networks {
		for name := range strings.FieldsSeq(networks[i].hosts + " " + networks[i].classes) {
			all[name] = &networks[i]
		}
	}
	return all
})

// hostNetwork returns the network of a host, or nil.
func hostNetwork(host string) *network {
	host = strings.ToLower(host)
	for _, prefix := range [...]string{"www.", "m.", "mobile.", "web.", "old."} {
		host = strings.TrimPrefix(host, prefix)
	}
	return byName()[host]
}

// parsePost returns the network of a post and what its address says about it: not the text. The
// network is nil for any other address, such as that of a user.
func parsePost(addr string) (*network, article.Post) {
	u := networkURL(addr)
	if u == nil {
		return nil, article.Post{}
	}
	return hostNetwork(u.Host).parsePost(u, addr)
}

func (n *network) parsePost(u *url.URL, addr string) (*network, article.Post) {
	re, p := n.post(), article.Post{URL: addr}
	m := re.FindStringSubmatch(strings.Trim(u.Path, "/") + "?" + u.RawQuery)
	if m == nil {
		return nil, article.Post{}
	}
	if i := re.SubexpIndex("user"); i >= 0 {
		p.Author = handle(m[i])
	}
	if i := re.SubexpIndex("id"); i >= 0 {
		p.Date = n.dateOf(m[i])
	}
	if n.tracked {
		p.URL, _, _ = strings.Cut(addr, "?")
	}
	return n, p
}

// networkURL returns the address of a page of a network, or nil.
func networkURL(addr string) *url.URL {
	_, host, ok := strings.Cut(addr, "//") // fast path: most links lead elsewhere
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if !ok || !strings.HasPrefix(addr, "http") || hostNetwork(host) == nil {
		return nil
	}
	u, err := url.Parse(addr)
	if err != nil {
		return nil
	}
	if strings.HasPrefix(u.Fragment, "!/") { // how addresses of Twitter began in 2011
		u.Path = u.Fragment[1:]
	}
	return u
}

// handle returns the name of a user in an address with an @, unless it stands for any
// user or is the number of one.
func handle(name string) string {
	const maxLen = 64
	if name == "" || len(name) > maxLen || name == "i" || name == "web" || name == "anyuser" || name == "c" || strings.HasPrefix(name, "did:") {
		return ""
	}
	return "@" + name
}

// dateOf returns the time in the id of a post, if networks existed then.
func (n *network) dateOf(id string) article.Date {
	const first, last = 2006, 2100
	const oldest = 1 << 50 // smaller ids are from the time before they had one
	number, err := strconv.ParseUint(id, 10, 63)
	t := time.UnixMilli(int64(number>>n.shift) + n.epoch).UTC().Truncate(time.Second)
	if err != nil || number < oldest || t.Year() < first || t.Year() >= last {
		return article.Date{}
	}
	return article.Date{Time: t}
}
