package compose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// quote reads the markup of a post.
type quote struct {
	doc          *dom.Document
	root         dom.Node
	link         dom.Node // to the post, or dom.None
	article.Post          // what its address says, and then what the markup says
}

// read finds the author, the date and the text.
func (q *quote) read(n *network) {
	d := q.doc
	for k := range d.All(q.root, dom.Time) {
		var at article.Date
		if err := at.UnmarshalText([]byte(strings.TrimSpace(d.Attr(k, "datetime")))); err == nil && at.Time.Year() > 1970 {
			q.Date = at
		}
	}
	switch n.layout {
	case paragraphLayout:
		q.readParagraphs()
	case titleLayout:
		if q.link != dom.None {
			q.Text = collapseSpace(d.Text(q.link))
		}
		q.Author = cmp.Or(q.profile(q.root), q.Author)
	default:
		q.readLines()
	}
}

// readLines reads a post that ends with a line such as "— Ann Lee (@annlee) May 2, 2024".
func (q *quote) readLines() {
	text := strings.TrimSpace(q.doc.Text(q.root))
	if q.link != dom.None {
		text = strings.TrimSpace(strings.TrimSuffix(text, strings.TrimSpace(q.doc.Text(q.link))))
	}
	at := -1
	for _, dash := range []string{"—", "–", "―", "-- "} {
		at = max(at, strings.LastIndex(text, dash))
	}
	if at >= 0 {
		name := strings.TrimLeft(text[at:], "—–―- ")
		ownLine := at == 0 || text[at-1] == '\n' || strings.HasPrefix(name, "\n")
		if ownLine || strings.Contains(name, "(@") {
			q.Author, text = cmp.Or(shortName(name), q.Author), text[:at]
		}
	}
	q.Text = postText(strings.Split(text, "\n"))
}

// readParagraphs reads a post whose text is in paragraphs, if at all, among words of
// the network, such as "View this post".
func (q *quote) readParagraphs() {
	d := q.doc
	var lines []string
	for k := range d.All(q.root, dom.P) {
		text := strings.Trim(d.Text(k), "\n ")
		if name, ok := signature(collapseSpace(text)); ok {
			q.Author = cmp.Or(name, q.Author)
			continue
		}
		if q.link != dom.None && d.Contains(k, q.link) && q.profile(k) != "" {
			continue // "Posted by Ann Lee on Monday"
		}
		lines = append(lines, strings.Split(text, "\n")...)
	}
	if name := q.profile(q.root); name != "" && (q.Author == "" || strings.HasPrefix(q.Author, "@")) {
		q.Author = name
	}
	q.Text = postText(lines)
}

// profile returns the text of the first link to an account in n, or "".
func (q *quote) profile(n dom.Node) string {
	d := q.doc
	for k := range d.All(n, dom.A) {
		u := networkURL(strings.TrimSpace(d.Attr(k, "href")))
		if u == nil {
			continue
		}
		at := strings.Split(strings.Trim(u.Path, "/"), "/")
		user := len(at) == 1 && at[0] != "" || len(at) == 2 && (at[0] == "user" || at[0] == "profile" || at[0] == "people")
		if text := collapseSpace(d.Text(k)); user && text != "" && !strings.HasPrefix(text, "#") {
			return shortName(text)
		}
	}
	return ""
}

// sharedBy are the words before the author in posts of Instagram.
var sharedBy = []string{
	"a post shared by", "a photo posted by", "a video posted by", "ein beitrag geteilt von", "ein von", "une publication partagée par",
	"una publicación compartida de", "una publicación compartida por", "um post compartilhado por", "uma publicação partilhada por",
	"un post condiviso da", "een bericht gedeeld door", "post udostępniony przez", "публикация от",
}

// signature returns the author in a line such as "A post shared by Ann (@ann)". It
// returns the name of the account alone if the words before it are unknown.
func signature(line string) (name string, ok bool) {
	before, rest, ok := strings.Cut(line, "(@")
	account, _, closed := strings.Cut(rest, ")")
	if !ok || !closed || strings.ContainsAny(account, " \n") {
		return "", false
	}
	for _, words := range sharedBy {
		if len(before) >= len(words) && strings.EqualFold(before[:len(words)], words) {
			return shortName(before[len(words):] + "(@" + account + ")"), true
		}
	}
	return "@" + account, true
}

// shortName returns a name without space around it, or "" if it is too long for one.
func shortName(s string) string {
	const maxLen = 120
	if s = collapseSpace(s); len(s) > maxLen {
		return ""
	}
	return strings.Clone(s)
}

// postText joins the lines of a post, without the addresses of its pictures.
func postText(lines []string) string {
	var text []string
	for _, line := range lines {
		words := slices.DeleteFunc(strings.Fields(line), func(w string) bool {
			return strings.HasPrefix(w, "pic.twitter.com/") || strings.HasPrefix(w, "pic.x.com/")
		})
		if len(words) > 0 {
			text = append(text, strings.Join(words, " "))
		}
	}
	return strings.Join(text, "\n")
}
