package compose

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// quote reads the markup of a post.
type quote struct {
	doc  *dom.Document
	root dom.Node
	link dom.Node // to the post, or dom.None

	author, text string
	date         article.Date
}

// read finds the author, the date and the text.
func (q *quote) read(n *network) {
	d := q.doc
	for k := range d.All(q.root, dom.Time) {
		var at article.Date
		if err := at.UnmarshalText([]byte(strings.TrimSpace(d.Attr(k, "datetime")))); err == nil && at.Time.Year() > 1970 {
			q.date = at
		}
	}
	switch n.layout {
	case paragraphLayout:
		q.readParagraphs()
	case titleLayout:
		if q.link != dom.None {
			q.text = collapseSpace(d.Text(q.link))
		}
		q.author = q.profile(q.root)
	default:
		q.readLines()
	}
}

// readLines reads a post that ends with a line such as "— Ann Lee (@annlee) May 2, 2024".
func (q *quote) readLines() {
	d := q.doc
	lines := strings.Split(strings.Trim(d.Text(q.root), "\n "), "\n")
	last := len(lines) - 1
	signed := -1
	for i := last; i >= 0 && i >= last-2; i-- {
		if _, ok := cutDash(lines[i]); ok {
			signed = i
			break
		}
		if text, ok := strings.CutSuffix(strings.TrimSpace(lines[i]), "—"); ok && i < last {
			lines[i], signed = text, i+1
			break
		}
	}
	name := ""
	switch {
	case signed >= 0:
		name = strings.TrimLeft(strings.Join(lines[signed:], " "), "—–―- ")
		lines = lines[:signed]
	case strings.Contains(lines[last], "(@"): // the text has no paragraph of its own
		i := strings.LastIndex(lines[last], "— ")
		if i < 0 {
			break
		}
		name = lines[last][i+len("— "):]
		lines[last] = lines[last][:i]
	case q.link != dom.None: // only a link
		lines[last] = strings.TrimSuffix(strings.TrimSpace(lines[last]), collapseSpace(d.Text(q.link)))
	}
	if q.link != dom.None {
		name = strings.TrimSuffix(strings.TrimSpace(name), collapseSpace(d.Text(q.link)))
	}
	q.author = shortName(name)
	q.text = postText(lines)
}

// readParagraphs reads a post whose text is in paragraphs, if at all, among words of
// the network, such as "View this post".
func (q *quote) readParagraphs() {
	d := q.doc
	var lines []string
	for k := range d.All(q.root, dom.P) {
		text := strings.Trim(d.Text(k), "\n ")
		if name, ok := signature(collapseSpace(text)); ok {
			q.author = name
			continue
		}
		if q.link != dom.None && d.Contains(k, q.link) && q.profile(k) != "" {
			continue // "Posted by Ann Lee on Monday"
		}
		lines = append(lines, strings.Split(text, "\n")...)
	}
	if name := q.profile(q.root); q.author == "" || strings.HasPrefix(q.author, "@") && name != "" {
		q.author = name
	}
	q.text = postText(lines)
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

// cutDash returns what follows the dash at the beginning of a line.
func cutDash(line string) (string, bool) {
	line = strings.TrimSpace(line)
	for _, dash := range [...]string{"—", "–", "―", "-- "} {
		if rest, ok := strings.CutPrefix(line, dash); ok {
			return rest, true
		}
	}
	return "", false
}

// postText joins the lines of a post, without the addresses of its pictures.
func postText(lines []string) string {
	lines = slices.Clone(lines)
	for i, line := range lines {
		words := strings.Fields(line)
		words = slices.DeleteFunc(words, func(w string) bool {
			return strings.HasPrefix(w, "pic.twitter.com/") || strings.HasPrefix(w, "pic.x.com/")
		})
		lines[i] = strings.Join(words, " ")
	}
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	return strings.Join(lines, "\n")
}
