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
	path, query := splitAddress(innerAddress(addr))
	// A server may put the size and the format after the name: /3700095/jpg/640x360, /a.jpg/size=320.jpg.
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		if _, ok := cutFormat(path[:i]); ok {
			path = path[:i]
			break
		}
	}
	folder, name := "", path
	for {
		path = strings.TrimRight(path, "/")
		at := strings.LastIndexByte(path, '/') + 1
		folder, name = path[:at], path[at:]
		if at == 0 || !isSize(name) && !slices.Contains(pictureFormats[:], "."+name) {
			break
		}
		path = folder
	}
	switch stem := pictureStem(name); {
	case isDistinctive(stem):
		return stem
	case stem != name || query == "":
		return folder + stem
	}
	return path + "?" + query
}

// innerAddress returns the address of the file that an image server scales, as in
// https://img.example/scale?url=https%3A%2F%2Fpaper.example%2Fa.jpg.
func innerAddress(addr string) string {
	const maxLen = 4096
	if len(addr) > maxLen {
		return addr
	}
	addr = strings.ToLower(unescape(addr))
	const scheme = len("https://")
	if i := strings.LastIndex(addr, "http"); i >= scheme && (strings.HasPrefix(addr[i:], "http://") || strings.HasPrefix(addr[i:], "https://")) {
		inner, _, _ := strings.Cut(addr[i:], "&")
		return inner
	}
	return addr
}

// unescape returns an address with its characters unescaped, or as it is if that fails.
func unescape(addr string) string {
	if s, err := url.PathUnescape(addr); err == nil {
		return s
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
	for { // 320x180_name
		before, after, ok := strings.Cut(name, "_")
		if !ok || !isSize(before) {
			break
		}
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

// sizeWords are words for the size of a file.
var sizeWords = words.NewSet("scaled thumb thumbnail small medium large xlarge sm md lg xl")

// isSize matches what servers append to the name of a scaled file: 320x180, w600,
// 600w, scaled. A plain number is more often a part of the name.
func isSize(s string) bool {
	const minSide = 3 // digits
	if w, h, ok := strings.Cut(s, "x"); ok && isPixels(w) && isPixels(h) {
		return true
	}
	side := strings.Trim(s, "whxy") // x and y are where the crop begins
	return len(side) == len(s)-1 && len(side) >= minSide && isPixels(side) || sizeWords[s]
}

func isPixels(s string) bool {
	return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// isDistinctive reports whether the name of a file hardly names another: it is long, a
// long number, or has digits, as ids and the names from cameras do.
func isDistinctive(stem string) bool {
	const minLen, minMixed, minNumber = 12, 8, 6
	return len(stem) >= minLen || len(stem) >= minMixed && strings.ContainsAny(stem, "0123456789") ||
		len(stem) >= minNumber && strings.Trim(stem, "0123456789") == ""
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
	addr = unescape(addr)
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
