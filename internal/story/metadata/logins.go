package metadata

import (
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// loginInElements returns the author in the first element down to the rank worst that has
// nothing but a login, such as "ann_lee7".
func (p *page) loginInElements(elements []bylineElement, worst uint8) (list byline) {
	for _, e := range elements {
		if e.rank > certainRank && e.rank != loginRank || e.rank > worst {
			continue
		}
		text := collapseSpace(p.d.Text(e.node))
		if by, name, ok := strings.Cut(text, " "); ok && isBy(by) {
			text = name
		}
		href := p.linkIn(e.node)
		if e.rank == loginRank && p.d.Tag(e.node) == dom.A && !p.isUserLink(e.node, text) {
			continue
		}
		if (isUserName(text) || e.rank == loginRank && isPlainName(text) && linksToName(href, text)) && !p.isPublisher(text) {
			list.addName(article.Author{Name: text, URL: p.resolve(href)}, false)
			list.node = e.node
			return list
		}
	}
	return list
}

// loginAtEnd returns the login at the end of the body that follows a word such as "by".
func (p *page) loginAtEnd() byline {
	for _, e := range p.bylineElements(p.endOfBody()) {
		line := p.lineBefore(e.node)
		if label, colon := strings.CutSuffix(line, ":"); isCertainBy(line) || colon && isBy(label) {
			if list := p.loginInElements([]bylineElement{e}, loginRank); len(list.authors) > 0 {
				return list
			}
		}
	}
	return byline{}
}

// loginAfterBy returns the login after "by": the whole line, the link that follows, or a word
// before a date or a word such as "in".
func (p *page) loginAfterBy(n dom.Node, name string) (list byline) {
	word, rest, _ := strings.Cut(name, " ")
	word = strings.TrimRight(word, ".,;")
	url, found := "", rest == "" || startsAfterName(rest) || startsWithHelper(rest)
	for end := p.within(n); n < end; n++ {
		if p.d.Tag(n) == dom.A && strings.TrimSpace(p.d.Text(n)) == word {
			url, found = p.d.Attr(n, "href"), true
			break
		}
	}
	if found && isLogin(word) {
		list.addName(article.Author{Name: word, URL: p.resolve(url)}, false)
	}
	return list
}

// isUserQuery reports whether an address asks for the page about a user by a number:
// "/memberlist?mode=viewprofile&u=5".
func isUserQuery(href string) bool {
	const longest = 200
	_, query, ok := strings.Cut(href, "?")
	if !ok || len(href) > longest {
		return false
	}
	for part := range strings.SplitSeq(query, "&") {
		switch key, value, _ := strings.Cut(part, "="); key {
		case "u", "uid", "user", "userid", "user_id", "member", "memberid", "member_id":
			return startsWithDigit(value)
		case "id":
			return startsWithDigit(value) && strings.Contains(href, "profile")
		}
	}
	return false
}

// isUserLink reports whether a link is to the page about the user that it names. Queries of
// other links look alike, so these must begin a line or follow a word such as "by".
func (p *page) isUserLink(link dom.Node, name string) bool {
	href := p.d.Attr(link, "href")
	if strings.Contains(href, "://") && strings.Contains(href, strings.ToLower(name)+".") {
		return false // a social network
	}
	if line := p.lineBefore(link); isUserQuery(href) && line != "" && !isBy(line) {
		return strings.Contains(p.d.Attr(link, "class"), "username")
	}
	last := strings.ToLower(href[strings.LastIndexByte(strings.TrimRight(href, "/"), '/')+1:])
	return hasDigit(last) || strings.Contains(foldAccents(last), foldAccents(name))
}

// isLogin reports whether a text may be the name of a user: one word of letters and digits,
// perhaps with the sign of a social network.
func isLogin(s string) bool {
	name := strings.TrimPrefix(s, "@")
	letters, ideographs := 0, 0
	for _, r := range name {
		switch {
		case unicode.IsLetter(r):
			letters++
			if words.IsIdeograph(r) {
				ideographs++
			}
		case !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.':
			return false
		}
	}
	const maxIdeographs = 8 // more are a sentence
	if letters < 2 || ideographs > maxIdeographs || len(s) < 3 || len(s) > 30 {
		return false
	}
	kinds := kindsOf(name) & (placeholderWord | userWord | buttonWord | tailWord | roleWord | groupWord)
	return kinds&^(roleWord|groupWord) == 0 && kinds != roleWord && monthOf(name) == 0
}

// isUserName reports whether a text is a login or two words in lower case, as people call
// themselves in blogs.
func isUserName(s string) bool {
	first, second, more := strings.Cut(s, " ")
	if !more {
		return isLogin(s)
	}
	return s == strings.ToLower(s) && isLogin(first) && isLogin(second)
}
