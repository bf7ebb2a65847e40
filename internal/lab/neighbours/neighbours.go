// Package neighbours finds the neighbours of an article: other articles of the same
// site and category, which StaDyNoT learns from (Barua, Patel and Agrawal 2014,
// section 3.1).
//
// The category of a page, such as sport, is read from its URL.
package neighbours

import (
	"strings"

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
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	for _, p := range parts[:max(len(parts)-1, 0)] {
		if !isNumber(p) {
			return p
		}
	}
	return ""
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
