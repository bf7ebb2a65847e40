// Package neighbours finds the neighbours of an article: other articles of the same
// site and category, which StaDyNoT learns from (Barua, Patel and Agrawal 2014,
// section 3.1).
//
// The category of a page, such as sport, is read from its address. [Nearest]
// chooses neighbours among pages that are at hand, [Section] and [Rank] among the
// links of a page.
package neighbours

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/page/links"
)

// Category returns the category of a page by its address: the first part of the
// path that is not a number, as in /sport/2024/story and /2024/05/sport/story. It
// returns "" if there is none.
func Category(address string) string {
	u, err := links.Parse(address)
	if err != nil {
		return ""
	}
	parts := pathParts(u)
	for _, p := range parts[:max(len(parts)-1, 0)] {
		if !isNumber(p) {
			return p
		}
	}
	return ""
}

func pathParts(u *url.URL) []string {
	return strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789-.") == "" }

// Nearest returns the indexes of n pages other than that at an index, those of its
// category first, starting with the next page. If n is negative it returns all.
func Nearest(categories []string, at, n int) []int {
	var same, others []int
	for i := range len(categories) - 1 {
		k := (at + 1 + i) % len(categories)
		if categories[k] == categories[at] {
			same = append(same, k)
		} else {
			others = append(others, k)
		}
	}
	all := append(same, others...)
	if n < 0 {
		return all
	}
	return all[:min(n, len(all))]
}

// Section returns the address of the section page of an article, or "" if it is
// unknown: a link of the page that says the name of the section, which may be
// empty, or else leads to the folder of the article, or else the folder of its
// category, whether the page links to it or not.
func Section(address, name string, found []links.Link) string {
	u, err := links.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	for _, l := range found {
		if name != "" && strings.EqualFold(l.Text, name) && links.Key(l.URL) != links.Key(address) {
			return l.URL
		}
	}
	byKey := make(map[string]string, len(found))
	for _, l := range found {
		byKey[links.Key(l.URL)] = l.URL
	}
	parts := pathParts(u)
	folder := func(n int) string {
		f := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/" + strings.Join(parts[:n], "/") + "/"}
		return f.String()
	}
	for n := len(parts) - 1; n > 0; n-- {
		if isNumber(parts[n-1]) {
			continue
		}
		if l, ok := byKey[links.Key(folder(n))]; ok {
			return l
		}
	}
	for n := 1; n < len(parts); n++ {
		if !isNumber(parts[n-1]) {
			return folder(n)
		}
	}
	return ""
}

// Rank returns the links that may lead to neighbours of an article, the likeliest
// first: those in the folder of the section, if one is known, and those whose
// addresses look like that of the article and whose texts look like headlines.
func Rank(address, section string, found []links.Link) []links.Link {
	page, err := links.Parse(address)
	if err != nil {
		return nil
	}
	folder := ""
	if s, err := links.Parse(section); err == nil && section != "" {
		if folder = strings.TrimSuffix(s.Path, "/") + "/"; !strings.HasPrefix(page.Path, folder) {
			folder = "" // /sport has the stories, but they are elsewhere
		}
	}
	type ranked struct {
		links.Link
		score float64
	}
	var all []ranked
	for _, l := range found {
		u, err := links.Parse(l.URL)
		if err != nil || !mayBeArticle(u) || links.Key(l.URL) == links.Key(address) || links.Key(l.URL) == links.Key(section) {
			continue
		}
		score := likeness(page, u)
		if isHeadline(l.Text) {
			score += 0.5
		}
		if folder != "" && strings.HasPrefix(u.Path, folder) || folder == "" && Category(l.URL) == Category(address) {
			score++
		}
		all = append(all, ranked{l, score})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	out := make([]links.Link, len(all))
	for i, r := range all {
		out[i] = r.Link
	}
	return out
}

// mayBeArticle excludes home pages and files that are not pages.
func mayBeArticle(u *url.URL) bool {
	if len(pathParts(u)) == 0 && u.RawQuery == "" {
		return false
	}
	switch ext := strings.ToLower(path.Ext(u.Path)); ext {
	case ".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".pdf", ".xml", ".rss", ".atom", ".json", ".js", ".css", ".ico", ".zip", ".mp3", ".mp4", ".m3u", ".epub", ".apk":
		return false
	}
	return true
}

// isHeadline reports whether a text is long enough for a headline, in languages
// with and without spaces.
func isHeadline(text string) bool {
	const minWords, minLetters = 4, 10
	if len(strings.Fields(text)) >= minWords {
		return true
	}
	wide := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			wide++
		}
	}
	return wide >= minLetters
}

// likeness returns how much two addresses look alike, from 0 to 1: the share of
// parts of their paths, counted from the end, that are of the same form, and of
// parameters with the same names.
func likeness(a, b *url.URL) float64 {
	x, y := forms(a), forms(b)
	same := 0
	for i := range min(len(x), len(y)) {
		if x[len(x)-1-i] == y[len(y)-1-i] {
			same++
		}
	}
	return float64(same) / float64(max(len(x), len(y), 1))
}

// forms returns the form of each part of a path, and of the query as the last.
func forms(u *url.URL) []string {
	var out []string
	for _, p := range pathParts(u) {
		ext := path.Ext(p)
		if isNumber(ext) || utf8.RuneCountInString(ext) > 6 {
			ext = ""
		}
		out = append(out, links.Form(strings.TrimSuffix(p, ext))+ext)
	}
	var names []string
	for name := range u.Query() {
		names = append(names, name)
	}
	slices.Sort(names)
	return append(out, strings.Join(names, "&"))
}
