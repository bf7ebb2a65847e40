package metadata

import (
	"regexp"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// loginInElements returns the author in the first element of a rank in a range that has
// nothing but a login, such as "ann_lee7".
func (p *page) loginInElements(in textRange, rank bylineRank) (list byline) {
	for n := range p.elementsOf(in, rank) {
		text := collapseSpace(p.d.Text(n))
		if by, name, ok := strings.Cut(text, " "); ok && isBy(by) {
			text = name
		}
		href := p.linkIn(n)
		if p.isPublisher(text) || rank == userByline && p.d.Tag(n) == dom.A && !p.isUserLink(n, text) {
			continue
		}
		if isUserName(text) || rank == userByline && isPlainName(text) && linksToName(href, text) {
			list.addName(article.Author{Name: text, URL: p.resolve(href)}, false)
			list.node = n
			return list
		}
	}
	return list
}

// loginAfterBy returns the login after "by": the whole line, or a word before a date or a word
// such as "in".
func loginAfterBy(name string) (list byline) {
	word, rest, _ := strings.Cut(name, " ")
	word = strings.TrimRight(word, ".,;")
	if isLogin(word) && (rest == "" || startsAfterName(rest) || startsWithHelper(rest)) {
		list.addName(article.Author{Name: word}, false)
	}
	return list
}

// linksToName reports whether an address has the last word of a name, as the pages of authors
// have.
func linksToName(href, name string) bool {
	last := words.Fold(name[strings.LastIndexByte(name, ' ')+1:])
	return len(last) > 2 && strings.Contains(words.Fold(href), last)
}

var userKeys = words.NewSet("u uid user userid user_id member memberid member_id")

// isUserQuery reports whether a URL asks for the page about a user by a number:
// "/memberlist?mode=viewprofile&u=5".
func isUserQuery(href string) bool {
	_, query, _ := strings.Cut(href, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if key, value, _ := strings.Cut(pair, "="); value != "" && isDigit(value[0]) && userKeys[key] {
			return true
		}
	}
	return false
}

// isUserLink reports whether a link is to the page about the user that it names, and not to a
// social network. Queries of other links look alike, so these must begin a line or follow a
// word such as "by".
func (p *page) isUserLink(link dom.Node, name string) bool {
	href, line := strings.ToLower(p.d.Attr(link, "href")), p.lineBefore(link)
	if strings.Contains(href, "://") && strings.Contains(href, strings.ToLower(name)+".") || isUserQuery(href) && line != "" && !isBy(line) {
		return false
	}
	last := href[strings.LastIndexByte(strings.TrimRight(href, "/"), '/')+1:]
	return hasDigit(last) || strings.Contains(words.Fold(last), words.Fold(name))
}

var oneLogin = regexp.MustCompile(`^@?[\pL\d_.-]+$`)

// isLogin reports whether a text may be the name of a user: one word of letters and digits,
// perhaps with the sign of a social network.
func isLogin(s string) bool {
	const minLen, maxLen = 3, 30
	if len(s) < minLen || len(s) > maxLen || !oneLogin.MatchString(s) || !isPlausibleName(s) || monthOf(s) > 0 {
		return false
	}
	kinds := kindsOf(strings.TrimPrefix(s, "@"))
	return kinds&(placeholderWord|userWord|buttonWord|tailWord) == 0 && kinds&(roleWord|groupWord) != roleWord
}

// isUserName reports whether a text is a login or two words in lower case, as people call
// themselves in blogs.
func isUserName(s string) bool {
	first, second, more := strings.Cut(s, " ")
	return isLogin(first) && (!more || isLogin(second) && s == strings.ToLower(s))
}
