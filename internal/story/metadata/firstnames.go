package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// isFirstName reports whether the name of an author may be only the first one.
func isFirstName(s string) bool {
	first, n := utf8.DecodeRuneInString(s)
	return len(s) > 2 && unicode.IsUpper(first) && !strings.ContainsFunc(s[n:], func(r rune) bool { return !unicode.IsLower(r) })
}

// fullName returns the full name that a page has for a first name, or else the
// first name. It must be the only one on the page, and that of the author: the
// site has its name, or it is in a text about the author or after words such as "I
// am".
func (p *page) fullName(first string) string {
	const maxTried = 100
	all := p.d.AllText()
	name, certain := "", false
	for at, tried := 0, 0; tried < maxTried; tried++ {
		i := strings.Index(all[at:], first+" ")
		if i < 0 {
			break
		}
		pos := at + i
		at = pos + len(first) + 1
		last := capitalizedWord(all[at:])
		if before, _ := utf8.DecodeLastRuneInString(all[:pos]); last == "" || unicode.IsLetter(before) {
			continue
		}
		n := p.nodeAt(pos)
		if !strings.Contains(p.d.Text(n), all[pos:at+len(last)]) {
			continue // something beside the first name
		}
		if name != "" && name != all[pos:at+len(last)] {
			return first
		}
		name = all[pos : at+len(last)]
		certain = certain || p.isOwner(first, last) || saysIAm(all[:pos]) || p.isAboutAuthor(n)
	}
	if !certain || !isPlainName(name) {
		return first
	}
	return name
}

// capitalizedWord returns the word that s begins with if it is capitalized.
func capitalizedWord(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(r) {
		return ""
	}
	end := strings.IndexFunc(s[n:], func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	if end < 0 {
		end = len(s) - n
	}
	if end < 2 {
		return ""
	}
	return s[:n+end]
}

// isOwner reports whether the site is named for a person.
func (p *page) isOwner(first, last string) bool {
	site, last := fold(hostLabel(p.host)), fold(last)
	return site != "" && (site == last || site == fold(first)+last)
}

// saysIAm reports whether a text ends with words before the name of who wrote it.
func saysIAm(s string) bool {
	const longest = 16
	s = strings.ToLower(strings.ReplaceAll(s[max(0, len(s)-longest):], "’", "'"))
	for _, words := range [...]string{"i'm ", "i am ", "my name is ", "ich bin ", "mein name ist ", "je suis ", "je m'appelle ", "soy ", "me llamo ", "mi chiamo ", "ik ben ", "eu sou "} {
		if strings.HasSuffix(s, words) {
			return true
		}
	}
	return false
}

// isAboutAuthor reports whether a node is in an element that is named for the
// author.
func (p *page) isAboutAuthor(n dom.Node) bool {
	const levels = 5
	if p.isThirdParty(n) {
		return false
	}
	for range levels {
		if n = p.d.Parent(n); n == dom.None {
			return false
		}
		class := p.d.Attr(n, "class")
		if len(class) < 400 && containsWord(strings.ToLower(class), "author", "autor", "auteur", "bio") {
			return true
		}
	}
	return false
}
