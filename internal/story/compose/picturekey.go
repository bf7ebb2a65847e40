package compose

import (
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/words"
)

// pictureKey returns what all addresses of a picture have in common, whatever the
// size, the crop, the format and the server: the name of its file if that tells
// it from others, or else its path.
func pictureKey(addr string) string {
	path, name, query := splitFile(addr)
	switch stem := pictureStem(name); {
	case isDistinctive(stem):
		return stem
	case isPictureFile(name) || query == "":
		return path
	}
	return path + "?" + query
}

// splitFile returns the path of a picture's file, its name and the query. A server may
// put the size and the format after the name: /3700095/jpg/640x360, /a.jpg/size=320.jpg.
func splitFile(addr string) (path, name, query string) {
	path, query = splitAddress(innerAddress(addr))
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && isPictureFile(path[:i]) {
			path = path[:i]
		}
	}
	for {
		path = strings.TrimRight(path, "/")
		name = path[strings.LastIndexByte(path, '/')+1:]
		if path == name || !isSize(name) && !slices.ContainsFunc(pictureFormats[:], func(f string) bool { return f[1:] == name }) {
			return path, name, query
		}
		path = path[:len(path)-len(name)]
	}
}

// innerAddress returns the address of the file that an image server scales, as in
// https://img.example/scale?url=https%3A%2F%2Fpaper.example%2Fa.jpg.
func innerAddress(addr string) string {
	const maxLen = 4096
	if len(addr) > maxLen {
		return addr
	}
	if s, err := url.PathUnescape(addr); err == nil {
		addr = s
	}
	addr = strings.ToLower(addr)
	const scheme = len("https://")
	if i := strings.LastIndex(addr, "http"); i >= scheme && (strings.HasPrefix(addr[i:], "http://") || strings.HasPrefix(addr[i:], "https://")) {
		inner, _, _ := strings.Cut(addr[i:], "&")
		return inner
	}
	return addr
}

// splitAddress returns the path and the query of an address.
func splitAddress(addr string) (path, query string) {
	if _, rest, ok := strings.Cut(addr, "//"); ok {
		if i := strings.IndexAny(rest, "/?"); i >= 0 {
			addr = rest[i:]
		}
	}
	addr, _, _ = strings.Cut(addr, "#")
	path, query, _ = strings.Cut(addr, "?")
	return path, query
}

// urlPath returns the path of an address in lower case.
func urlPath(addr string) string {
	path, _ := splitAddress(addr)
	return strings.ToLower(path)
}

// pictureFormats are the extensions of picture files.
var pictureFormats = [...]string{".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif"}

// isPictureFile reports whether an address is that of a picture by its extension.
func isPictureFile(addr string) bool {
	_, ok := cutFormat(urlPath(addr))
	return ok
}

func cutFormat(name string) (string, bool) {
	for _, f := range pictureFormats {
		if stem, ok := strings.CutSuffix(name, f); ok {
			return stem, true
		}
	}
	return name, false
}

// pictureStem returns the name of a file without its format and size.
func pictureStem(name string) string {
	for ok := true; ok; { // a.jpg.webp
		name, ok = cutFormat(name)
	}
	if before, after, ok := strings.Cut(name, "_"); ok && isSize(before) { // 320x180_name
		name = after
	}
	for {
		i := strings.LastIndexAny(name, "-_~@.")
		if i <= 0 || !isSize(name[i+1:]) {
			return name
		}
		name = name[:i]
	}
}

// isSize matches what servers append to the name of a scaled file: 320x180, w600,
// 600w, scaled. A plain number is more often a part of the name.
func isSize(s string) bool {
	if s == "scaled" {
		return true
	}
	if w, h, ok := strings.Cut(s, "x"); ok {
		return isPixels(w) && isPixels(h)
	}
	return strings.HasPrefix(s, "w") && isPixels(s[1:]) || strings.HasSuffix(s, "w") && isPixels(s[:len(s)-1])
}

func isPixels(s string) bool {
	return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// isDistinctive reports whether the name of a file hardly names another: it is long,
// or has digits, as ids and the names from cameras do.
func isDistinctive(stem string) bool {
	const minLen, minMixed = 12, 8
	return len(stem) >= minLen || len(stem) >= minMixed && strings.ContainsAny(stem, "0123456789")
}

// isLarger reports whether one file of a picture is much larger than another, by the
// width in its URL, or else by the width that the page gives. A URL without a
// number names the original, unless it is named as a small copy. Copies for social
// networks have other crops and labels, and one that is hardly larger has another crop, too.
func isLarger(a, b *article.Image) bool {
	const factor = 1.4
	x, y := widthIn(a, b.URL), widthIn(b, a.URL)
	switch {
	case otherCopies.IsInName(a.URL) != otherCopies.IsInName(b.URL):
		return otherCopies.IsInName(b.URL)
	case x == 0 && y == 0:
		x, y = a.Width, b.Width
	case x == 0 || y == 0:
		return x == 0
	}
	return float64(x) > factor*float64(y)
}

// otherCopies are words in the addresses of copies that are not to be shown.
var otherCopies = words.NewSet("thumb thumbs thumbnail thumbnails small tiny mini preview placeholder blur lqip branded social share sharing opengraph overlay")

// widthIn returns the width in the URL of a picture: the largest number, up to the width
// of a picture, that is not in the other URL: 1280 in w_1280, 1280x720, w1280 and 1280px.
// Digits inside of an id are not a number.
func widthIn(im *article.Image, other string) (best int) {
	const maxSize, maxLen = 10000, 2048
	if len(im.URL) > maxLen || len(other) > maxLen {
		return 0
	}
	others := slices.Collect(sizesIn(other))
	for n := range sizesIn(im.URL) {
		if v, err := strconv.Atoi(n); err == nil && v <= maxSize && v > best && !slices.Contains(others, n) {
			best = v
		}
	}
	if best == im.Height && im.Width > 0 {
		return im.Width
	}
	return best
}

// sizesIn iterates over the numbers in an address that may be widths.
func sizesIn(addr string) iter.Seq[string] {
	const maxLetters = 2
	isNotWord := func(r rune) bool { return (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') && r != '.' } // 1.778 is a ratio
	if s, err := url.PathUnescape(addr); err == nil {
		addr = s
	}
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(strings.ToLower(addr), isNotWord) {
			w, _ = cutFormat(w)
			number := strings.TrimFunc(w, unicode.IsLetter)
			width, height, _ := strings.Cut(number, "x")
			if len(w)-len(number) <= maxLetters && isPixels(width) && (height == "" || isPixels(height)) && !yield(width) {
				return
			}
		}
	}
}
