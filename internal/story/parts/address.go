package parts

import (
	"strings"

	"github.com/lede-news/lede/internal/words"
)

// place is where a page stands among the pages of a story.
type place struct {
	page    int  // number of the page
	current int  // number of the page that links to it
	named   bool // the address says that the number is that of a page
}

// compare compares the keys of two addresses (links.Key). It returns false if they
// differ in more than the number of a page.
func compare(own, other string) (place, bool) {
	ownPath, ownQuery, _ := strings.Cut(own, "?")
	path, query, _ := strings.Cut(other, "?")
	switch {
	case own == other || !strings.Contains(own, "/") && ownQuery == "":
		return place{}, false // the same page, or the front page
	case ownPath == path:
		return compareQueries(ownQuery, query)
	case ownQuery == query || query == "":
		return comparePaths(ownPath, path)
	}
	return place{}, false
}

// compareQueries compares the parameters of two addresses with the same path. Only
// a parameter such as page may differ: others name stories.
func compareQueries(own, other string) (place, bool) {
	a, b := params(own), params(other)
	at := place{current: 1, named: true}
	for name, value := range b {
		if a[name] == value {
			continue
		}
		if at.page > 0 || !pageWords[words.Fold(name)] || pageNumber(value) == 0 {
			return place{}, false
		}
		at.page = pageNumber(value)
		if was, ok := a[name]; ok {
			if at.current = pageNumber(was); at.current == 0 {
				return place{}, false
			}
			at.named = name != "p" // which is also a post
		}
	}
	for name := range a {
		if _, ok := b[name]; !ok {
			return place{}, false
		}
	}
	return at, at.page > 0
}

func params(query string) map[string]string {
	all := map[string]string{}
	for p := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(p, "="); name != "" {
			all[name] = value
		}
	}
	return all
}

// comparePaths compares two paths, such as /story and /story/2, /story.html and
// /story-2.html, or /story/page/2 and /story/page/3.
func comparePaths(own, other string) (place, bool) {
	b, ok := splitPath(other)
	if !ok {
		return place{}, false
	}
	ownStem, ownEnding := cutEnding(own)
	switch {
	case own == b.stem || ownStem == b.stem && ownEnding == b.ending:
		if !strings.Contains(b.stem, "/") {
			return place{}, false // /2 is a page of the front page
		}
		return place{page: b.number, current: 1, named: b.word != "" || b.separator == '/'}, true
	case ownStem+"/index" == b.stem:
		return place{page: b.number, current: 1, named: b.word != ""}, true
	}
	if a, ok := splitPath(own); ok && a.stem == b.stem && a.word == b.word && a.separator == b.separator && a.ending == b.ending {
		return place{page: b.number, current: a.number, named: a.word != ""}, true
	}
	return place{}, false
}

// numbered is a path that ends with a number.
type numbered struct {
	stem      string
	separator byte   // before the word or the number
	word      string // such as "page", or ""
	number    int
	ending    string // such as ".html"
}

// splitPath splits a path that ends with the number of a page.
func splitPath(path string) (numbered, bool) {
	var n numbered
	path, n.ending = cutEnding(path)
	stem := strings.TrimRight(path, "0123456789")
	if n.number = pageNumber(path[len(stem):]); n.number == 0 || path[len(stem)] == '0' || stem == "" {
		return n, false
	}
	// page2, page-2 and page/2; /2 and -2
	cut := strings.TrimRight(stem, "/-_,.=")
	rest := strings.TrimRight(cut, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	word := strings.ToLower(cut[len(rest):])
	switch separators := len(stem) - len(cut); {
	case separators <= 1 && pageWords[word] && rest != "" && isSeparator(rest[len(rest)-1]):
		stem, n.word = rest, word
	case separators != 1 || cut == "":
		return n, false
	}
	if !isSeparator(stem[len(stem)-1]) {
		return n, false
	}
	n.separator, n.stem = stem[len(stem)-1], stem[:len(stem)-1]
	return n, true
}

func isSeparator(c byte) bool { return strings.IndexByte("/-_,.", c) >= 0 }

// cutEnding cuts .html and the like off a path.
func cutEnding(path string) (stem, ending string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 || i < strings.LastIndexByte(path, '/') || !strings.Contains(path, "/") {
		return path, ""
	}
	if ending = strings.ToLower(path[i:]); !pageEndings[ending] {
		return path, ""
	}
	return path[:i], ending
}

var (
	pageEndings = words.NewSet(".html .htm .shtml .xhtml .php .asp .aspx .jsp .do .cfm .phtml .stm")
	// pageWords name the number of a page.
	pageWords = words.NewSet("page p pg pn pp pag paged pagenum pageno pagenumber pagenr pagewanted currentpage pageindex articlepage storypage " +
		"part seite teil pagina página sida side sivu strona str strana stranica oldal sayfa halaman hal trang stranitsa страница")
)

// guess is compare for a page whose address is unknown, which may be the first.
func guess(other string) (place, bool) {
	path, query, _ := strings.Cut(other, "?")
	for name, value := range params(query) {
		if n := pageNumber(value); n > 0 && pageWords[words.Fold(name)] {
			return place{page: n, current: 1}, true
		}
	}
	if n, ok := splitPath(path); ok {
		return place{page: n.number, current: 1}, true
	}
	return place{}, false
}
