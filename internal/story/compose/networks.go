package compose

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
)

// network is a social network.
type network struct {
	hosts   string // without "www.", "m." and the like
	classes string // of the markup that its script turns into a post
	// posts are the paths of posts, which may follow other segments: ":user" and
	// ":id" are of any name, "#id" is a number, and "?" names a parameter.
	posts  string
	layout layout
	// tracked is set if parameters are only for statistics.
	tracked bool
	// date returns the time that the id of a post contains.
	date func(id string) time.Time
}

// layout is how the markup of a post is read.
type layout uint8

const (
	linesLayout     layout = iota // the author is in the last line
	paragraphLayout               // the text is in paragraphs among words of the network
	titleLayout                   // the text is that of the link
)

var networks = [...]network{
	{hosts: "twitter.com x.com", classes: "twitter-tweet twitter-video", posts: ":user/status/#id :user/statuses/#id", tracked: true,
		date: snowflake(22, twitterEpoch)},
	{hosts: "instagram.com", classes: "instagram-media", posts: "p/:id reel/:id tv/:id", layout: paragraphLayout, tracked: true, date: shortcodeDate},
	{hosts: "tiktok.com", classes: "tiktok-embed", posts: "@:user/video/#id @:user/photo/#id embed/#id embed/v2/#id", tracked: true,
		layout: paragraphLayout, date: tiktokDate},
	{hosts: "facebook.com", classes: "fb-post fb-xfbml-parse-ignore", layout: paragraphLayout,
		posts: "posts/:id videos/:id photos/:id reel/:id permalink.php?story_fbid story.php?story_fbid photo.php?fbid photo?fbid watch?v video.php?v"},
	{hosts: "bsky.app", classes: "bluesky-embed", posts: "profile/:user/post/:id", tracked: true, date: tidDate},
	{hosts: "threads.net threads.com", classes: "text-post-media", posts: "@:user/post/:id t/:id", layout: paragraphLayout, tracked: true, date: shortcodeDate},
	{hosts: "reddit.com", classes: "reddit-embed-bq reddit-card", posts: "r/:sub/comments/:id user/:sub/comments/:id", layout: titleLayout},
	{hosts: "t.me", posts: ":user/#id", tracked: true},
	{hosts: "linkedin.com", posts: "posts/:id feed/update/:id"},
	{classes: "mastodon-embed", posts: "@:user/#id", layout: paragraphLayout, date: snowflake(16, 0)}, // servers may have any name
}

// classNetwork returns the network whose script turns an element into a post, or nil.
func classNetwork(class string) *network {
	for name := range strings.FieldsSeq(class) {
		for i := range networks {
			if slices.Contains(strings.Fields(networks[i].classes), name) {
				return &networks[i]
			}
		}
	}
	return nil
}

// hostNetwork returns the network of a host, or nil.
func hostNetwork(host string) *network {
	host = strings.ToLower(host)
	for _, prefix := range [...]string{"www.", "m.", "mobile.", "web.", "old."} {
		host = strings.TrimPrefix(host, prefix)
	}
	for i := range networks {
		if slices.Contains(strings.Fields(networks[i].hosts), host) {
			return &networks[i]
		}
	}
	return nil
}

// postAddress is what the address of a post says about it.
type postAddress struct {
	network *network
	url     string
	author  string // as "@name", or ""
	date    article.Date
}

// parsePost reads the address of a post. The network is nil for any other address,
// such as that of a user.
func parsePost(addr string) (p postAddress) {
	if u := networkURL(addr); u != nil {
		p = hostNetwork(u.Host).parsePost(u, addr)
	}
	return p
}

// parsePost reads the address of a post of a network.
func (n *network) parsePost(u *url.URL, addr string) postAddress {
	segments := strings.Split(strings.Trim(u.Path, "/"), "/")
	for form := range strings.FieldsSeq(n.posts) {
		path, param, _ := strings.Cut(form, "?")
		parts := strings.Split(path, "/")
		for i := range len(segments) - len(parts) + 1 {
			user, id, ok := matchPath(segments[i:], parts)
			if !ok || param != "" && u.Query().Get(param) == "" {
				continue
			}
			p := postAddress{network: n, url: addr, author: handle(user)}
			if n.date != nil {
				p.date = dateOf(n.date(id))
			}
			if n.tracked {
				p.url, _, _ = strings.Cut(addr, "?")
			}
			return p
		}
	}
	return postAddress{}
}

// matchPath compares the segments of a path with a form of network.posts.
func matchPath(segments, form []string) (user, id string, ok bool) {
	for i, part := range form {
		s := segments[i]
		if rest, at := strings.CutPrefix(part, "@"); at {
			if part, s = rest, strings.TrimPrefix(s, "@"); len(s) == len(segments[i]) {
				return "", "", false
			}
		}
		switch {
		case s == "":
			return "", "", false
		case part == ":user":
			user = s
		case part[0] == ':':
			id = s
		case part == "#id":
			if id = s; !isPostNumber(s) {
				return "", "", false
			}
		case part != s:
			return "", "", false
		}
	}
	return user, id, true
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

func isPostNumber(s string) bool {
	const maxLen = 20
	return s != "" && len(s) <= maxLen && strings.Trim(s, "0123456789") == ""
}

// The ids of posts contain their time, in milliseconds since an epoch of the
// network.
const (
	twitterEpoch   = 1288834974657
	instagramEpoch = 1314220021721
)

// snowflake returns a function for times in the upper bits of a number.
func snowflake(shift uint, epoch int64) func(string) time.Time {
	const first = 1 << 50 // smaller ones are from the time before
	return func(id string) (t time.Time) {
		if n, err := strconv.ParseUint(id, 10, 63); err == nil && n >= first {
			t = time.UnixMilli(int64(n>>shift) + epoch)
		}
		return t
	}
}

func tiktokDate(id string) time.Time {
	n, _ := strconv.ParseUint(id, 10, 63)
	return time.Unix(int64(n>>32), 0)
}

// shortcodeDate returns the time in the code of a post of Instagram or Threads.
func shortcodeDate(code string) time.Time {
	n := parseDigits(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 11)
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>23) + instagramEpoch)
}

// tidDate returns the time in the key of a post of Bluesky.
func tidDate(key string) time.Time {
	return time.UnixMicro(int64(parseDigits(key, "234567abcdefghijklmnopqrstuvwxyz", 13) >> 10))
}

// parseDigits returns a number of a length in a notation, or 0.
func parseDigits(s, digits string, length int) (n uint64) {
	if len(s) != length {
		return 0
	}
	for i := range len(s) {
		d := strings.IndexByte(digits, s[i])
		if d < 0 {
			return 0
		}
		n = n*uint64(len(digits)) + uint64(d)
	}
	return n
}

// dateOf returns t if networks existed then.
func dateOf(t time.Time) article.Date {
	const first, last = 2006, 2100
	if t = t.UTC().Truncate(time.Second); t.Year() < first || t.Year() >= last {
		return article.Date{}
	}
	return article.Date{Time: t}
}
