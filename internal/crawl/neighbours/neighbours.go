// Package neighbours finds the neighbours of an article: other articles of the same
// site and category, which StaDyNoT learns from (Barua, Patel and Agrawal 2014,
// section 3.1).
//
// The category of a page, such as sport, is read from its URL. [Nearest] chooses
// neighbours among pages that are at hand, [Section] and [Rank] among the links of a
// page.
package neighbours

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/page/links"
)

// Category returns the category of a page by its URL: the first part of the path
// that is not a number, as in /sport/2024/story and /2024/05/sport/story. It returns
// "" if there is none.
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

// Section returns the URL of the section page of an article, or "" if it is unknown:
// a link of the page that says the name of the section, which may be empty, or else
// leads to a folder of the article, or else the folder of its category.
func Section(address, name string, found []storylinks.Verdict) string {
	u, err := links.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	linked := make(map[string]string, len(found))
	for _, l := range found {
		key := links.Key(l.URL)
		if name != "" && strings.EqualFold(l.Text, name) && key != links.Key(address) {
			return l.URL
		}
		linked[key] = l.URL
	}
	folder := ""
	parts := pathParts(u)
	for n := len(parts) - 1; n > 0; n-- {
		if isNumber(parts[n-1]) {
			continue
		}
		folder = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/" + strings.Join(parts[:n], "/") + "/"}).String()
		if l := linked[links.Key(folder)]; l != "" {
			return l
		}
	}
	return folder
}

// Rank returns the URLs of links to other pages, each once: those of the article's
// category first, and of these the likeliest to be stories.
func Rank(address string, found []storylinks.Verdict) (ranked []string) {
	category := Category(address)
	rank := func(v storylinks.Verdict) float64 {
		if Category(v.URL) == category {
			return 1 + v.Score
		}
		return v.Score
	}
	found = slices.SortedStableFunc(slices.Values(found), func(a, b storylinks.Verdict) int { return cmp.Compare(rank(b), rank(a)) })
	seen := map[string]bool{links.Key(address): true}
	for _, v := range found {
		if key := links.Key(v.URL); !seen[key] {
			seen[key] = true
			ranked = append(ranked, v.URL)
		}
	}
	return ranked
}
