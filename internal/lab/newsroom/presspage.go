package newsroom

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"time"
)

// pageOptions say how a page is requested.
type pageOptions struct {
	root string // scheme and host of the request
	host string // scheme and main host, for canonical addresses; root if empty
	base string // start of links inside the site: empty or root
	form string // page, amp, print; empty is page
}

// page generates the page of story k at a time. It only changes when the story
// does: its boxes list the stories of that time.
func (s *PressSite) page(k int, at time.Time, o pageOptions) Page {
	st := s.storyAt(k, at)
	v := newView(s.site, o.base)
	v.st, v.r, v.root = st, s.site.stream(streamBoilerplate, k), o.root
	v.ids = s.boxStories(k, at)
	path := s.path(st, st.section)
	host := o.root
	if o.host != "" {
		host = o.host
	}
	v.gold.ID, v.gold.URL, v.gold.Type, v.gold.Title = s.goldID(k), host+path, "article", st.title
	var page []byte
	switch o.form {
	case "amp", "print":
		page = s.plainPage(v, o.form)
	default:
		page = s.dress(v.write("article"), st, o, v.gold.URL)
	}
	v.gold.Text = strings.Join(v.lines, "\n")
	v.gold.With = with(v.lines)
	return Page{Path: path, HTML: page, Gold: v.gold}
}

// boxStories returns the stories that boxes of a story's page list.
func (s *PressSite) boxStories(k int, at time.Time) []int {
	last := max(s.plan(s.lastChange(k, at)), pagesPerSite)
	ids := make([]int, pagesPerSite)
	for i := range ids {
		ids[i] = last - 1 - i
	}
	return ids
}

var (
	templateLink = regexp.MustCompile(`(?i)<link rel="(?:canonical|alternate)"[^>]*>\n?`)
	headEnd      = regexp.MustCompile(`(?i)</head>`)
	bodyEnd      = regexp.MustCompile(`(?i)</body>`)
)

// dress replaces the links in the head of a page by those of the site: to its
// feeds and to other forms of the story.
func (s *PressSite) dress(page []byte, st *story, o pageOptions, address string) []byte {
	t := &s.traits
	head := s.feedLinks(o.base)
	text := templateLink.ReplaceAllString(string(page), "")
	if c := s.canonical(o, address); c != "" {
		head += `<link rel="canonical" href="` + html.EscapeString(c) + `">` + "\n"
	}
	if t.amp {
		head += `<link rel="amphtml" href="` + html.EscapeString(o.root+s.form(st, "amp")) + `">` + "\n"
	}
	if !strings.Contains(text, "og:type") && !strings.Contains(text, "ld+json") {
		head += s.declaration(st, o.root)
	}
	text = insertBefore(text, headEnd, head)
	if t.print {
		line := `<p><a rel="nofollow" href="` + html.EscapeString(o.base+s.form(st, "print")) + `">` + html.EscapeString(s.site.grammar.ui["print"]) + "</a></p>\n"
		text = insertBefore(text, bodyEnd, line)
	}
	return []byte(text)
}

// declaration returns metadata for pages whose template has none: in OpenGraph
// or as linked data.
func (s *PressSite) declaration(st *story, root string) string {
	modified := cmp.Or(st.modified, st.date).Format(time.RFC3339)
	if s.choose("declaration", 2) == 0 {
		data, err := json.Marshal(map[string]any{
			"@context": "https://schema.org", "@type": "NewsArticle", "headline": st.title,
			"datePublished": st.date.Format(time.RFC3339), "dateModified": modified,
			"publisher": map[string]string{"@type": "Organization", "name": s.Title, "url": root + "/"},
		})
		if err != nil {
			panic("newsroom: " + err.Error())
		}
		return `<script type="application/ld+json">` + string(data) + "</script>\n"
	}
	return `<meta property="og:type" content="article"><meta property="og:title" content="` + html.EscapeString(st.title) +
		`"><meta property="og:site_name" content="` + html.EscapeString(s.Title) +
		`"><meta property="article:published_time" content="` + st.date.Format(time.RFC3339) +
		`"><meta property="article:modified_time" content="` + modified + `">` + "\n"
}

// insertBefore inserts text before the first match, or at the end.
func insertBefore(page string, mark *regexp.Regexp, text string) string {
	i := len(page)
	if loc := mark.FindStringIndex(page); loc != nil {
		i = loc[0]
	}
	return page[:i] + text + page[i:]
}

// canonical returns what a page declares to be its canonical address. On some
// sites that is a lie.
func (s *PressSite) canonical(o pageOptions, address string) string {
	switch s.traits.canonical {
	case "none":
		return ""
	case "home":
		return o.root + "/"
	case "https":
		return strings.Replace(address, "http://", "https://", 1)
	}
	return address
}

// feedLinks returns the declarations of the feeds.
func (s *PressSite) feedLinks(base string) string {
	t := &s.traits
	if t.feed == "" || !t.feedDeclared {
		return ""
	}
	kind := map[string]string{"rss": "application/rss+xml", "rdf": "application/rss+xml", "atom": "application/atom+xml", "json": "application/feed+json"}[t.feed]
	links := fmt.Sprintf(`<link rel="alternate" type="%s" title="%s" href="%s">`+"\n", kind, html.EscapeString(s.Title), base+t.feedPath)
	if t.commentFeed {
		links += fmt.Sprintf(`<link rel="alternate" type="application/rss+xml" title="%s: %s" href="%s">`+"\n",
			html.EscapeString(s.Title), html.EscapeString(s.site.grammar.ui["comments"]), base+commentFeedPath)
	}
	return links
}

// plainPage returns the AMP or print version of a story.
func (s *PressSite) plainPage(v *view, form string) []byte {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("<!doctype html>")
	if form == "amp" {
		p(`<html amp lang="%s">`, s.Lang)
	} else {
		p(`<html lang="%s">`, s.Lang)
	}
	p(`<head><meta charset="utf-8"><title>%s</title>`, v.Headline())
	if form == "amp" || s.choose("print canonical", 2) == 0 {
		p(`<link rel="canonical" href="%s">`, v.Canonical())
	}
	if form == "print" {
		p(`<meta name="robots" content="noindex">`)
	}
	p(`<meta property="og:type" content="article"><meta property="article:published_time" content="%s"></head>`, v.DateISO())
	p(`<body><header><a href="%s/">%s</a></header><article><h1>%s</h1>`, v.base, v.Masthead(), v.Headline())
	p(`<p class="byline">%s %s</p><time datetime="%s">%s</time>`, v.UI("by"), v.Byline(), v.DateISO(), v.Date())
	for _, blk := range v.Body() {
		switch blk.Kind {
		case "p":
			p("<p>%s</p>", blk.HTML)
		case "h":
			p("<h2>%s</h2>", blk.HTML)
		case "quote":
			p("<blockquote><p>%s</p></blockquote>", blk.HTML)
		case "figures":
			p("<pre>%s</pre>", blk.HTML)
		case "list", "nested", "table":
			p("<ul>")
			for _, line := range blk.lines() {
				p("<li>%s</li>", html.EscapeString(line))
			}
			p("</ul>")
		}
	}
	p(`</article><footer><p>%s</p></footer></body></html>`, v.UI("footer"))
	return []byte(b.String())
}

var siteLink = regexp.MustCompile(`(?i)<a\b[^>]*?href="[^"#]*`)

// addSession adds a session id to every link inside the site.
func addSession(page []byte, root, id string) []byte {
	return siteLink.ReplaceAllFunc(page, func(m []byte) []byte {
		address := strings.TrimPrefix(string(m[bytes.LastIndexByte(m, '"')+1:]), root)
		if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
			return m
		}
		sep := "?"
		if strings.Contains(address, "?") {
			sep = "&amp;"
		}
		return slices.Concat(m, []byte(sep+"sid="+id))
	})
}

// origin returns the start of absolute addresses.
func (v *view) origin() string { return cmp.Or(v.root, "https://"+v.Site.Host) }

// number returns the number of the k-th story that boxes list.
func (v *view) number(k int) int {
	if v.ids == nil {
		return k
	}
	return v.ids[k]
}

// listed returns the k-th story that boxes list, the newest first.
func (v *view) listed(k int) *story {
	if v.ids == nil {
		return v.Site.recent()[k]
	}
	return v.Site.press.story(v.ids[k])
}
