package follow

import (
	"bytes"
	"cmp"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/site/store"
)

// isOwn reports whether an address belongs to the site.
func (v *visit) isOwn(address string) bool { return store.SiteName(address) == v.name }

// hostOf returns the name of the host of an address, in lower case.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// sourceKey returns a text that is the same for addresses of the same source. The
// scheme and the host are those of the address: http and https, or www and m, are
// the same story but may be different sources.
func sourceKey(address string) string {
	u, err := links.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	u.Fragment = ""
	u.Host = strings.ToLower(u.Host)
	u.Path = cmp.Or(u.Path, "/")
	return u.String()
}

// sourceWay returns what the beginning of a source is: a feed, a sitemap or a page.
func sourceWay(head []byte) ways {
	text := string(head)
	list, _ := charset.FindList(head)
	firstLine, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))), []byte("\n"))
	switch {
	case strings.HasPrefix(text, "\x1f\x8b"): // the sitemaps of an index are often compressed
		return bySitemap
	case list.Holds == "articles", strings.Contains(text, "<rss"), strings.Contains(text, "<feed"), strings.Contains(text, "<rdf:RDF"):
		return byFeed
	case list.Holds != "", strings.Contains(text, "<urlset"), strings.Contains(text, "<sitemapindex"), lines.AreAddresses(firstLine):
		return bySitemap
	}
	return byHome
}

// formOf returns the form of an address, which the stories of a site share: each part
// of its path as a number, a headline, a word with numbers, or a word. The first part
// of several is kept if it is a word, such as tag or video.
func formOf(address string) string {
	u, err := links.Parse(address)
	if err != nil {
		return ""
	}
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	var b strings.Builder
	for i, p := range parts {
		ext := path.Ext(p)
		if len(ext) > 6 || strings.Trim(ext, ".0123456789") == "" {
			ext = ""
		}
		kind := links.Form(strings.TrimSuffix(p, ext))
		if i == 0 && kind == "word" && len(parts) > 1 {
			kind = p
		}
		b.WriteString("/" + kind + ext)
	}
	if strings.HasSuffix(u.Path, "/") {
		b.WriteByte('/')
	}
	for name := range u.Query() {
		if !links.IsTracking(name) && !links.IsSession(name) {
			b.WriteString("?" + name) // stories have at most one
			break
		}
	}
	return b.String()
}

// dateInAddress returns the day that an address has as /2024/05/31/, /2024-05-31 or
// /20240531, or the zero time. A date after now is none.
func dateInAddress(address string, now time.Time) time.Time {
	u, err := links.Parse(address)
	if err != nil {
		return time.Time{}
	}
	digits := strings.FieldsFunc(u.Path, func(r rune) bool { return r < '0' || r > '9' })
	for i, d := range digits {
		date := ""
		switch {
		case len(d) == 8:
			date = d[:4] + "-" + d[4:6] + "-" + d[6:]
		case len(d) == 4 && i+2 < len(digits):
			date = strings.Join(digits[i:i+3], "-")
		}
		if t, err := time.Parse("2006-1-2", date); err == nil && t.Year() >= 1990 && !t.After(now.Add(24*time.Hour)) {
			return t
		}
	}
	return time.Time{}
}
