package compose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// embed is the element of a post of a social network.
type embed struct {
	node dom.Node
	post *article.Post
}

// findEmbeds returns the posts of social networks in the story, in page order.
// Methods may drop them, since they look like the words of others, which they are.
func (c *composer) findEmbeds() (found []embed) {
	d := c.doc
	for n := dom.Node(0); int(n) < d.Len() && !c.opts.Steps.Done(); n++ {
		var post *article.Post
		switch d.Tag(n) {
		case dom.Blockquote:
			post = c.quotedPost(n)
		case dom.Div:
			if class := d.Class(n); class > 0 && isFacebookClass(d.ClassAttr(class)) {
				post = c.quotedPost(n)
			}
		case dom.Iframe:
			post = c.addressOnly(framePost(d, n))
		case dom.Script, dom.Unknown:
			post = c.addressOnly(scriptPost(d, n))
		}
		if post != nil && !hiddenPost(d, n) && c.inStory(n) {
			found = append(found, embed{n, post})
			n = d.End(n) - 1
		}
	}
	return found
}

// hiddenPost reports whether a post is hidden. Frames and scripts are, by themselves.
func hiddenPost(d *dom.Document, n dom.Node) bool {
	if tag := d.Tag(n); tag == dom.Iframe || tag == dom.Script {
		n = d.Parent(n)
	}
	return n != dom.None && d.Hidden(n)
}

// inStory reports whether a post is selected, stands between selected texts, or
// beside one in the same container.
func (c *composer) inStory(n dom.Node) bool {
	d := c.doc
	if c.hasSelected(n) {
		return true
	}
	const maxNodes, near = 100, 30 // to the next selected text
	before, after := dom.None, dom.None
	for m := n - 1; m > 0 && m >= n-maxNodes && before == dom.None; m-- {
		if c.mask[m] && d.IsText(m) {
			before = m
		}
	}
	end := d.End(n)
	for m := end; int(m) < d.Len() && m < end+maxNodes && after == dom.None; m++ {
		if c.mask[m] && d.IsText(m) {
			after = m
		}
	}
	if before != dom.None && after != dom.None {
		return true
	}
	beside := func(m dom.Node) bool {
		if m == dom.None || m < n-near || m >= end+near {
			return false
		}
		top := d.Tag(d.CommonAncestor(n, m))
		return top != dom.Body && top != dom.Main && top != dom.HTML
	}
	return beside(before) || beside(after)
}

// embedAt returns the post of n, or nil.
func (c *composer) embedAt(n dom.Node) *article.Post {
	if len(c.embeds) == 0 {
		return nil
	}
	i, ok := slices.BinarySearchFunc(c.embeds, n, func(e embed, n dom.Node) int { return cmp.Compare(e.node, n) })
	if !ok {
		return nil
	}
	return c.embeds[i].post
}

// addEmbed adds a post as a block.
func (c *composer) addEmbed(n dom.Node, post *article.Post) {
	if c.used != nil && post.Text != "" {
		for m := n; m < c.doc.End(n); m++ {
			if c.doc.IsText(m) && !c.doc.Hidden(m) {
				c.use(m)
			}
		}
	}
	_, c.end = c.doc.Span(n)
	c.add(article.Block{Kind: article.Embed, Embed: post})
}

// addressOnly returns a post of which only the address is known, or nil.
func (c *composer) addressOnly(addr string) *article.Post {
	if addr = c.absolute(addr, "http", "https"); addr == "" {
		return nil
	}
	p := parsePost(addr)
	if p.network == noNetwork {
		return nil
	}
	return &article.Post{URL: cutQuery(addr, p.network), Author: p.author, Date: p.date}
}

// quotedPost reads a blockquote that is the markup of a post, or ends with a link to
// one. It returns nil for other quotes.
func (c *composer) quotedPost(n dom.Node) *article.Post {
	const maxWords = 1000
	d := c.doc
	if d.Words(n) > maxWords {
		return nil
	}
	network := classNetwork(d, n)
	link, target := c.postLink(n)
	if network == noNetwork {
		if link == dom.None || target.network == reddit || !isSigned(d, n, link) {
			return nil
		}
		network = target.network
	}
	addr := c.permalink(n)
	if addr == "" && link != dom.None {
		addr = c.absolute(d.Attr(link, "href"), "http", "https")
	}
	known := parsePost(addr)
	if known.network == noNetwork && network != mastodon {
		addr, known = "", postAddress{}
	}
	if network == mastodon && known.network == noNetwork {
		known = parseMastodon(addr)
	}
	q := quote{doc: d, root: n, link: link}
	q.read(network)
	post := &article.Post{URL: cutQuery(addr, known.network), Author: cmp.Or(q.author, known.author), Date: q.date, Text: q.text}
	if post.Date.IsZero() {
		post.Date = known.date
	}
	if post.URL == "" && post.Text == "" {
		return nil
	}
	return post
}

// permalink returns the address of a post that its markup declares.
func (c *composer) permalink(n dom.Node) string {
	d := c.doc
	for _, key := range [...]string{"data-instgrm-permalink", "data-text-post-permalink", "data-href", "cite"} {
		if addr := c.absolute(d.Attr(n, key), "http", "https"); addr != "" {
			return addr
		}
	}
	if addr, ok := strings.CutSuffix(d.Attr(n, "data-embed-url"), "/embed"); ok {
		return c.absolute(addr, "http", "https")
	}
	if uri, ok := strings.CutPrefix(d.Attr(n, "data-bluesky-uri"), "at://"); ok {
		if user, key, ok := strings.Cut(uri, "/app.bsky.feed.post/"); ok {
			return c.absolute("https://bsky.app/profile/"+user+"/post/"+key, "https")
		}
	}
	return ""
}

// postLink returns the last link to a post in n, or dom.None.
func (c *composer) postLink(n dom.Node) (dom.Node, postAddress) {
	d := c.doc
	last, target := dom.None, postAddress{}
	for k := range d.All(n, dom.A) {
		if p := parsePost(c.absolute(d.Attr(k, "href"), "http", "https")); p.network != noNetwork {
			last, target = k, p
		}
	}
	return last, target
}

// isSigned reports whether a quote ends with the link to a post, which is alone on its
// line or follows the name of an author.
func isSigned(d *dom.Document, n, link dom.Node) bool {
	_, end := d.Span(n)
	from, to := d.Span(link)
	all := d.AllText()
	if strings.TrimSpace(all[to:end]) != "" {
		return false
	}
	start, _ := d.Span(n)
	line := all[start+strings.LastIndexByte(all[start:from], '\n')+1 : from]
	_, dashed := cutDash(line)
	return dashed || strings.TrimSpace(line) == "" || strings.Contains(line, "(@")
}

// classNetwork returns the network whose script turns n into a post.
func classNetwork(d *dom.Document, n dom.Node) network {
	for name := range strings.FieldsSeq(d.Attr(n, "class")) {
		switch name {
		case "twitter-tweet", "twitter-video":
			return twitter
		case "instagram-media":
			return instagram
		case "tiktok-embed":
			return tiktok
		case "fb-post", "fb-xfbml-parse-ignore":
			return facebook
		case "bluesky-embed":
			return bluesky
		case "mastodon-embed":
			return mastodon
		case "text-post-media":
			return threads
		case "reddit-embed-bq", "reddit-card":
			return reddit
		}
	}
	return noNetwork
}

// framePost returns the address of the post that a frame shows, or "".
func framePost(d *dom.Document, n dom.Node) string { return framedPost(frameSource(d, n)) }

// scriptPost returns the address of the post that a script or an AMP element shows.
func scriptPost(d *dom.Document, n dom.Node) string {
	if d.Tag(n) == dom.Script {
		if id := d.Attr(n, "data-telegram-post"); id != "" {
			return "https://t.me/" + id
		}
		return ""
	}
	switch d.Name(n) {
	case "amp-twitter":
		if id := d.Attr(n, "data-tweetid"); id != "" {
			return "https://x.com/i/status/" + id
		}
	case "amp-instagram":
		if id := d.Attr(n, "data-shortcode"); id != "" {
			return "https://www.instagram.com/p/" + id + "/"
		}
	case "amp-facebook":
		return d.Attr(n, "data-href")
	case "amp-tiktok", "amp-reddit":
		return d.Attr(n, "data-src")
	case "amp-iframe":
		return framePost(d, n)
	}
	return ""
}

func isFacebookClass(class string) bool {
	return class == "fb-post" || strings.HasPrefix(class, "fb-post ")
}
