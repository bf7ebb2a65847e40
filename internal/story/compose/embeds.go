package compose

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// addPost finds the post of a social network at n. It must be in the story. Methods may drop
// it, since it looks like the words of others, which it is.
func (c *composer) addPost(n dom.Node) bool {
	d := c.doc
	var post *article.Post
	at := n
	switch d.Tag(n) {
	case dom.Blockquote:
		post = c.quotedPost(n)
	case dom.Div:
		if class := d.Class(n); class > 0 && strings.HasPrefix(d.ClassAttr(class), "fb-post") {
			post = c.quotedPost(n)
		}
	case dom.Iframe, dom.Script: // hidden by themselves
		at = d.Parent(n)
		post = c.linkedPost(n)
	case dom.Unknown:
		post = c.linkedPost(n)
	}
	if post == nil || d.Hidden(at) || !c.inStory(n) {
		return false
	}
	m := medium{node: n, post: post, own: true}
	if post.Text != "" {
		m.nodes = visibleTexts(d, n)
	}
	c.media = append(c.media, m)
	return true
}

// inStory reports whether a post is selected, stands between selected texts, or
// beside one in the same container.
func (c *composer) inStory(n dom.Node) bool {
	d := c.doc
	if c.mask[n] || c.hasText(n) {
		return true
	}
	const maxNodes, near = 100, 30 // to the next selected text
	end := d.End(n)
	before, after := max(n-1, 0), end
	for before > 0 && before > n-maxNodes && !c.texts[before] {
		before--
	}
	for int(after) < d.Len()-1 && after < end+maxNodes && !c.texts[after] {
		after++
	}
	hasBefore, hasAfter := c.texts[before], int(after) < d.Len() && c.texts[after]
	if hasBefore && hasAfter {
		return true
	}
	beside := func(m dom.Node) bool {
		top := d.Tag(d.CommonAncestor(n, m))
		return top != dom.Body && top != dom.Main && top != dom.HTML
	}
	return hasBefore && before >= n-near && beside(before) || hasAfter && after < end+near && beside(after)
}

// linkedPost returns the post that a frame, a script or an AMP element shows, or nil.
// Only its address is known.
func (c *composer) linkedPost(n dom.Node) *article.Post {
	d := c.doc
	addr := ""
	if name := d.Name(n); name == "iframe" || name == "amp-iframe" {
		addr = framedPost(frameSource(d, n))
	} else {
		for _, e := range &postElements {
			if e.name != name {
				continue
			}
			if value := d.Attr(n, e.attr); value != "" {
				addr = e.prefix + value
			}
		}
	}
	if addr == "" {
		return nil
	}
	network, post := parsePost(c.web(addr))
	if network == nil {
		return nil
	}
	return &post
}

// postElements are the elements that scripts turn into posts, and where they have the
// address.
var postElements = [...]struct{ name, attr, prefix string }{
	{"script", "data-telegram-post", "https://t.me/"},
	{"amp-twitter", "data-tweetid", "https://x.com/i/status/"},
	{"amp-instagram", "data-shortcode", "https://www.instagram.com/p/"},
	{"amp-facebook", "data-href", ""},
	{"amp-tiktok", "data-src", ""},
	{"amp-reddit", "data-src", ""},
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
	if addr := u.Query().Get("href"); u.Path == "/plugins/post.php" {
		return addr
	}
	switch host := strings.ToLower(u.Host); host {
	case "platform.twitter.com", "platform.x.com":
		return "https://x.com/i/status/" + u.Query().Get("id")
	case "embed.bsky.app":
		return blueskyPost(strings.TrimPrefix(u.Path, "/embed/"))
	case "embed.reddit.com", "www.redditmedia.com":
		return "https://www.reddit.com" + u.Path
	default:
		path := strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/captioned")
		return "https://" + host + strings.TrimSuffix(path, "/embed")
	}
}

// blueskyPost returns the address of a post that is given by its user and key.
func blueskyPost(uri string) string {
	user, key, ok := strings.Cut(uri, "/app.bsky.feed.post/")
	if !ok {
		return ""
	}
	return "https://bsky.app/profile/" + user + "/post/" + key
}

// quotedPost reads an element whose class is that of the markup of posts. It returns nil for
// others.
func (c *composer) quotedPost(n dom.Node) *article.Post {
	const maxWords = 1000
	d := c.doc
	var network *network
	for name := range strings.FieldsSeq(d.Attr(n, "class")) {
		network = cmp.Or(network, byName()[name])
	}
	if network == nil || d.Words(n) > maxWords {
		return nil
	}
	q := quote{doc: d, root: n, link: dom.None}
	for k := range d.All(n, dom.A) { // the last link to a post
		if by, p := parsePost(d.Attr(k, "href")); by != nil {
			q.link, q.Post = k, p
		}
	}
	addr := c.permalink(n)
	by, p := parsePost(addr)
	if u, err := url.Parse(addr); err == nil && network.hosts == "" {
		by, p = network.parsePost(u, addr)
	}
	if by != nil {
		q.Post = p
	}
	q.read(network)
	if q.URL == "" && q.Text == "" {
		return nil
	}
	return &q.Post
}

// permalink returns the address of a post that its markup declares.
func (c *composer) permalink(n dom.Node) string {
	d := c.doc
	for _, key := range [...]string{"data-instgrm-permalink", "data-text-post-permalink", "data-href", "cite"} {
		if addr := c.web(d.Attr(n, key)); addr != "" {
			return addr
		}
	}
	if addr, ok := strings.CutSuffix(d.Attr(n, "data-embed-url"), "/embed"); ok {
		return c.web(addr)
	}
	return blueskyPost(strings.TrimPrefix(d.Attr(n, "data-bluesky-uri"), "at://"))
}
