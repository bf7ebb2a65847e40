package storylinks

import (
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/page/links"
)

// The limits of what is read of an address and of a text: pages are hostile.
const (
	maxAddress  = 1 << 10
	maxSegments = 12
	maxText     = 400
)

// target is an address taken apart.
type target struct {
	host     string // in lower case, without www. and its like
	domain   string // the registered domain, about
	path     string // unescaped, in lower case
	segments []segment
	query    string
	fragment bool
	slash    bool   // the path ends in a slash
	ext      string // html, php …
	date     date
	ok       bool // it is an address of the web
}

// segment is a part of a path between slashes.
type segment struct {
	text  string
	words []string // with two letters or more
	kind  kind
	date  date // in the text of the segment itself
}

// kind is the shape of a segment.
type kind byte

const (
	kindWord   kind = 'w' // one or two words: politics, us-news
	kindSlug   kind = 's' // three words or more
	kindNumber kind = 'n' // only digits
	kindDate   kind = 'd'
	kindID     kind = 'i' // letters and digits that are no words
)

// date says how exact the date in an address is.
type date byte

const (
	noDate date = iota
	yearDate
	monthDate
	dayDate
)

// parseTarget takes an absolute address apart.
func parseTarget(address string) target {
	if len(address) > maxAddress {
		address = strings.ToValidUTF8(address[:maxAddress], "")
	}
	u, err := links.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return target{}
	}
	t := target{ok: true, host: bareHost(u.Hostname()), query: strings.ToLower(u.RawQuery), fragment: u.Fragment != ""}
	t.domain = registeredDomain(t.host)
	t.path = strings.ToLower(strings.ToValidUTF8(u.Path, ""))
	t.slash = strings.HasSuffix(t.path, "/") && t.path != "/"
	t.splitPath()
	t.findDate()
	return t
}

// bareHost returns a host without the names of its editions.
func bareHost(host string) string {
	host = strings.TrimRight(strings.ToLower(host), ".")
	for _, prefix := range [...]string{"www.", "m.", "mobile.", "amp.", "edition."} {
		if rest, ok := strings.CutPrefix(host, prefix); ok && strings.Contains(rest, ".") {
			return rest
		}
	}
	return host
}

// registeredDomain returns the domain below a public suffix, about: the public suffix
// list is not needed to compare the hosts of one page.
func registeredDomain(host string) string {
	labels := strings.Split(host, ".")
	keep := 2
	if n := len(labels); n > 2 && len(labels[n-1]) == 2 && (len(labels[n-2]) <= 3 || labels[n-2] == "gouv") {
		keep = 3
	}
	return strings.Join(labels[max(0, len(labels)-keep):], ".")
}

// splitPath fills in the segments of a path.
func (t *target) splitPath() {
	for text := range strings.SplitSeq(t.path, "/") {
		if text == "" {
			continue
		}
		if len(t.segments) == maxSegments { // the last ones say most
			copy(t.segments[maxSegments/2:], t.segments[maxSegments/2+1:])
			t.segments = t.segments[:maxSegments-1]
		}
		t.segments = append(t.segments, segment{text: text})
	}
	if n := len(t.segments); n > 0 && !t.slash {
		last := &t.segments[n-1]
		if ext := path.Ext(last.text); isExtension(ext) {
			t.ext = ext[1:]
			last.text = strings.TrimSuffix(last.text, ext)
		}
		switch last.text {
		case "index", "default", "home", "":
			t.segments = t.segments[:n-1]
		}
	}
	for i := range t.segments {
		t.segments[i].classify()
	}
}

// isExtension reports whether ext is the ending of a file's name, such as ".html".
func isExtension(ext string) bool {
	if len(ext) < 2 || len(ext) > 6 {
		return false
	}
	name := strings.TrimLeft(ext[1:], digits+"abcdefghijklmnopqrstuvwxyz")
	return name == "" && len(ext)-1-countDigits(ext) > 1
}

// classify finds the words and the kind of a segment.
func (s *segment) classify() {
	s.date = dateIn(s.text)
	letters, digits, mixed := 0, 0, 0
	for word := range strings.FieldsFuncSeq(s.text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) }) {
		l, d, signs := 0, 0, 0
		for _, r := range word {
			switch {
			case unicode.IsDigit(r):
				d++
			case links.IsSign(r):
				signs++
				l++
			default:
				l++
			}
		}
		letters, digits = letters+l, digits+d
		switch {
		case l > 0 && d > 1 && l+d > 4, d == 1 && l > 6 && !isDigit(word[len(word)-1]):
			mixed++
		case signs > 1:
			s.words = append(s.words, splitSigns(word)...)
		case l > 1 && d <= 1 && hasVowel(word):
			s.words = append(s.words, word)
		}
	}
	switch {
	case s.date == dayDate && len(s.words) == 0:
		s.kind = kindDate
	case len(s.words) >= 3:
		s.kind = kindSlug
	case letters == 0 && digits > 0:
		s.kind = kindNumber
	case mixed > 0 || digits > 3 || len(s.words) == 0:
		s.kind = kindID
	default:
		s.kind = kindWord
	}
}

// splitSigns splits a word of a script without spaces in words of two characters.
func splitSigns(word string) (words []string) {
	for len(word) > 0 && len(words) < 20 {
		_, a := utf8.DecodeRuneInString(word)
		_, b := utf8.DecodeRuneInString(word[a:])
		words, word = append(words, word[:a+b]), word[a+b:]
	}
	return words
}

// hasVowel reports whether a word may be a word and not an identifier. Only Latin
// letters are looked at.
func hasVowel(word string) bool {
	run := 0
	vowel := false
	for _, r := range word {
		switch {
		case r >= utf8.RuneSelf || strings.ContainsRune("aeiouy", r):
			vowel, run = true, 0
		default:
			if run++; run > 6 {
				return false
			}
		}
	}
	return vowel || len(word) <= 4
}

// Patterns of dates in addresses. Months and days may have zeros before them.
const (
	yearPattern  = `(?:20\d\d|199\d)`
	twoMonth     = `(?:0[1-9]|1[0-2])`
	twoDay       = `(?:0[1-9]|[12]\d|3[01])`
	monthPattern = `(?:0{0,3}[1-9]|0{0,2}1[0-2])`
	dayPattern   = `(?:0{0,3}[1-9]|0{0,2}[12]\d|0{0,2}3[01])`
)

var (
	isYear      = matcher(`^(?:20\d{0,2}|199\d?)$`)
	beginsMonth = matcher(`^(?:` + monthPattern + `$|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`)
	isDay       = matcher(`^` + dayPattern + `$`)
	isMonthDay  = matcher(`^` + twoMonth + `[-_.]?` + twoDay + `$`) // 0517, 05-17, 05_17

	hasPlainDay = matcher(`(?:^|\D)` + yearPattern + twoMonth + twoDay + `(?:\d{4}|\d{6})?(?:\D|$)`) // 20240517, with a time
	hasDay      = matcher(`(?:^|\D)` + yearPattern +                                                 // 2024-05-17, 2024_5_17
		`(?:-` + monthPattern + `-|_` + monthPattern + `_|\.` + monthPattern + `\.)` + dayPattern + `(?:\D|$)`)
	isPlainMonth = matcher(`^` + yearPattern + twoMonth + `$`)                         // 202405
	hasMonth     = matcher(`(?:^|\D)` + yearPattern + `[-_.]` + twoMonth + `(?:\D|$)`) // 2024-05
)

func matcher(pattern string) func(string) bool { return regexp.MustCompile(pattern).MatchString }

func isMonth(s string) bool { return len(s) <= len("september") && beginsMonth(s) }

// findDate finds a date in the path: in a segment, or spread over several.
func (t *target) findDate() {
	for i, s := range t.segments {
		t.date = max(t.date, s.date)
		if len(s.text) != 4 || !isYear(s.text) {
			continue
		}
		t.date = max(t.date, yearDate)
		if i+1 == len(t.segments) {
			continue
		}
		switch next := t.segments[i+1].text; {
		case isMonth(next):
			t.date = max(t.date, monthDate)
			if i+2 < len(t.segments) && isDay(t.segments[i+2].text) {
				t.date = dayDate
			}
		case isMonthDay(next):
			t.date = dayDate
		}
	}
}

// dateIn finds a date in a segment.
func dateIn(s string) date {
	switch {
	case len(s) < 6:
		return noDate
	case hasPlainDay(s), hasDay(s):
		return dayDate
	case isPlainMonth(s), hasMonth(s):
		return monthDate
	}
	return noDate
}

const digits = "0123456789"

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// shape returns the form of an address: links to stories of one site mostly have the
// same. The address of the host is part of it, the words are not.
func (t *target) shape() string {
	var b strings.Builder
	b.WriteString(t.host)
	var before kind
	for _, s := range t.segments {
		k := s.kind
		if k == kindDate || k == kindNumber && t.date >= monthDate && (before == kindDate || isYear(s.text)) {
			k = kindDate
		}
		if k == kindDate && before == kindDate {
			continue
		}
		b.WriteByte('/')
		b.WriteByte(byte(k))
		before = k
	}
	if t.ext != "" {
		b.WriteByte('.')
		b.WriteString(t.ext)
	}
	if id := queryID(t.query); id != "" {
		b.WriteByte('?')
		b.WriteString(id)
	}
	return b.String()
}

// queryID returns the name of the first parameter that may say which page it is: one
// with a number.
func queryID(query string) string {
	for param := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(param, "=")
		if len(name) <= 20 && len(value) >= 3 && strings.Trim(value, digits) == "" {
			return name
		}
	}
	return ""
}
