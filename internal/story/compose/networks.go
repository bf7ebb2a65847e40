package compose

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
)

// network is a social network.
type network uint8

const (
	noNetwork network = iota
	twitter
	instagram
	tiktok
	facebook
	bluesky
	mastodon
	threads
	reddit
	telegram
	linkedin
)

// hosts are the hosts of networks, without "www.", "m." and "mobile.".
var hosts = map[string]network{
	"twitter.com": twitter, "x.com": twitter, "instagram.com": instagram, "tiktok.com": tiktok, "facebook.com": facebook,
	"bsky.app": bluesky, "threads.net": threads, "threads.com": threads, "reddit.com": reddit, "t.me": telegram, "linkedin.com": linkedin,
}

// postAddress is what the address of a post says about it.
type postAddress struct {
	network network
	author  string // as "@name", or ""
	date    article.Date
}

// parsePost reads the address of a post. The network is noNetwork for any other
// address, such as that of a user.
func parsePost(addr string) (p postAddress) {
	u := networkURL(addr)
	if u == nil {
		return p
	}
	at := strings.Split(strings.Trim(u.Path, "/"), "/")
	n := len(at)
	kind := bareNetwork(u.Host)
	ok := false
	switch kind {
	case twitter:
		for n > 3 && at[0] == "i" && at[1] == "web" || n > 3 && at[0] == "#!" {
			at, n = at[1:], n-1
		}
		if ok = n >= 3 && (at[1] == "status" || at[1] == "statuses") && isPostNumber(at[2]); ok {
			p.author, p.date = handle(at[0], "i", "web", "anyuser"), snowflake(at[2], 22, twitterEpoch)
		}
	case instagram, threads:
		for i := range at[:n-1] {
			if at[i] == "p" || at[i] == "reel" || at[i] == "tv" || at[i] == "post" || at[i] == "t" && kind == threads {
				ok = true
				p.date = shortcodeDate(at[i+1])
				break
			}
		}
		if name, found := strings.CutPrefix(at[0], "@"); found {
			p.author = handle(name)
		}
	case tiktok:
		switch {
		case n == 3 && (at[1] == "video" || at[1] == "photo") && strings.HasPrefix(at[0], "@"):
			ok = true
			p.author, p.date = handle(at[0][1:]), tiktokDate(at[2])
		case n >= 2 && at[0] == "embed":
			ok = isPostNumber(at[n-1])
			p.date = tiktokDate(at[n-1])
		}
	case facebook:
		ok = isFacebookPost(at, u.Query())
	case bluesky:
		if ok = n == 4 && at[0] == "profile" && at[2] == "post"; ok {
			p.date = tidDate(at[3])
			if !strings.HasPrefix(at[1], "did:") {
				p.author = handle(at[1])
			}
		}
	case reddit:
		ok = n >= 4 && (at[0] == "r" || at[0] == "user") && at[2] == "comments"
	case telegram:
		if n == 3 && at[0] == "s" {
			at, n = at[1:], 2
		}
		if ok = n == 2 && isPostNumber(at[1]); ok {
			p.author = handle(at[0], "c")
		}
	case linkedin:
		ok = n >= 2 && at[0] == "posts" || n >= 3 && at[n-3] == "feed" && at[n-2] == "update"
	}
	if !ok {
		return postAddress{}
	}
	p.network = kind
	return p
}

func networkURL(addr string) *url.URL {
	if addr == "" || !strings.HasPrefix(addr, "http") {
		return nil
	}
	_, host, _ := strings.Cut(addr, "//") // fast path: most links lead elsewhere
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if bareNetwork(host) == noNetwork {
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

func bareNetwork(host string) network {
	host = strings.ToLower(host)
	for _, prefix := range [...]string{"www.", "m.", "mobile.", "web.", "old."} {
		if rest, ok := strings.CutPrefix(host, prefix); ok {
			host = rest
			break
		}
	}
	return hosts[host]
}

// cutQuery removes what is only for statistics from the address of a post.
func cutQuery(addr string, n network) string {
	switch n {
	case twitter, instagram, tiktok, bluesky, threads, telegram:
		addr, _, _ = strings.Cut(addr, "?")
	}
	return addr
}

func isFacebookPost(at []string, query url.Values) bool {
	for i, part := range at {
		switch part {
		case "posts", "videos", "photos", "reel":
			return i+1 < len(at)
		case "permalink.php", "story.php":
			return query.Get("story_fbid") != ""
		case "photo.php", "photo", "watch", "video.php":
			return query.Get("fbid") != "" || query.Get("v") != ""
		}
	}
	return false
}

// framedPost returns the address of the post that a frame of a network shows.
func framedPost(src string) string {
	if strings.HasPrefix(src, "//") {
		src = "https:" + src
	}
	u, err := url.Parse(src)
	if err != nil {
		return ""
	}
	switch host := strings.ToLower(u.Host); host {
	case "platform.twitter.com", "platform.x.com":
		if id := u.Query().Get("id"); strings.EqualFold(u.Path, "/embed/tweet.html") && isPostNumber(id) {
			return "https://x.com/i/status/" + id
		}
	case "www.facebook.com":
		if u.Path == "/plugins/post.php" {
			return u.Query().Get("href")
		}
	case "embed.bsky.app":
		if user, key, ok := strings.Cut(strings.TrimPrefix(u.Path, "/embed/"), "/app.bsky.feed.post/"); ok {
			return "https://bsky.app/profile/" + user + "/post/" + key
		}
	case "embed.reddit.com", "www.redditmedia.com":
		return "https://www.reddit.com" + u.Path
	case "www.instagram.com", "www.threads.net", "www.threads.com", "t.me", "www.tiktok.com", "www.linkedin.com":
		path := strings.TrimSuffix(u.Path, "/")
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/captioned"), "/embed")
		return "https://" + host + path
	}
	return ""
}

// parseMastodon reads the address of a post on a server of Mastodon, which may have
// any name.
func parseMastodon(addr string) (p postAddress) {
	u, err := url.Parse(addr)
	if err != nil {
		return p
	}
	user, id, ok := strings.Cut(strings.TrimPrefix(u.Path, "/@"), "/")
	if !ok || !isPostNumber(id) || !strings.HasPrefix(u.Path, "/@") {
		return p
	}
	return postAddress{network: mastodon, author: handle(user), date: snowflake(id, 16, 0)}
}

// handle returns the name of a user in an address with an @, unless it is one of the
// words that stand for any user.
func handle(name string, any ...string) string {
	const maxLen = 64
	for _, w := range any {
		if name == w {
			return ""
		}
	}
	if name == "" || len(name) > maxLen {
		return ""
	}
	return "@" + name
}

func isPostNumber(s string) bool {
	const maxLen = 20
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= maxLen
}

// The numbers of posts contain their time, in milliseconds since an epoch of the
// network.
const (
	twitterEpoch   = 1288834974657
	instagramEpoch = 1314220021721
)

// snowflake returns the time in the upper bits of a number.
func snowflake(id string, shift uint, epoch int64) article.Date {
	const first = 1 << 50 // smaller ones are from the time before
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n < first {
		return article.Date{}
	}
	return dateOf(time.UnixMilli(int64(n>>shift) + epoch))
}

func tiktokDate(id string) article.Date {
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil {
		return article.Date{}
	}
	return dateOf(time.Unix(int64(n>>32), 0))
}

// shortcodeDate returns the time in the code of a post of Instagram or Threads.
func shortcodeDate(code string) article.Date {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	const maxLen = 11
	n, ok := parseDigits(code, digits, maxLen)
	if !ok {
		return article.Date{}
	}
	return dateOf(time.UnixMilli(int64(n>>23) + instagramEpoch))
}

// tidDate returns the time in the key of a post of Bluesky.
func tidDate(key string) article.Date {
	const digits = "234567abcdefghijklmnopqrstuvwxyz"
	const length = 13
	n, ok := parseDigits(key, digits, length)
	if !ok || len(key) != length {
		return article.Date{}
	}
	return dateOf(time.UnixMicro(int64(n >> 10)))
}

func parseDigits(s, digits string, maxLen int) (n uint64, ok bool) {
	for i := range len(s) {
		d := strings.IndexByte(digits, s[i])
		if d < 0 {
			return 0, false
		}
		n = n*uint64(len(digits)) + uint64(d)
	}
	return n, s != "" && len(s) <= maxLen
}

// dateOf returns t if networks existed then.
func dateOf(t time.Time) article.Date {
	const first, last = 2006, 2100
	if t = t.UTC().Truncate(time.Second); t.Year() < first || t.Year() >= last {
		return article.Date{}
	}
	return article.Date{Time: t}
}
