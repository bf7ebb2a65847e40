package newsroom

import (
	"html"
	"maps"
	"strings"
	"sync"
	"unicode/utf8"
)

// Microblogs returns the made-up microblogs of a seed: an English and a Chinese one.
// Their stories are posts of a sentence to a few, each on a page of its own, between
// replies and posts of others. The title of a post, which is its gold's title, is not
// set apart on the page: it is how the post begins, and the text of the link to it on
// the home page.
func Microblogs(seed uint64) *Newsroom { return newRoom(microblogList(), seed) }

var microblogList = sync.OnceValue(func() []siteConfig { return readSites("microblogs.json") })

// post returns the text of a post, of no more than config.Post characters.
func (s *Site) post(st *story) string {
	w := newWriter(s, &story{i: st.i, facts: maps.Clone(st.facts)}) // the writer adds facts
	text, end := st.title, "."
	if !w.spaced {
		text, end = "【"+text+"】", ""
	}
	if !strings.ContainsRune(".?!。？！】", lastRune(text)) {
		text += end
	}
	sentences := w.r.IntN(4)
	for k := range sentences {
		rule := "sentence"
		if k == 0 {
			rule = "lead"
		}
		next := w.draw(rule)
		if w.spaced {
			next = " " + next
		}
		if utf8.RuneCountInString(text+next) > s.config.Post {
			break
		}
		text += next
	}
	if tag := hashtag(st.tags[0], w.spaced); oneIn(w.r, 2) && utf8.RuneCountInString(text+tag) < s.config.Post {
		text += tag
	}
	return text
}

// hashtag returns a topic as it ends a post: in English on a line of its own.
func hashtag(topic string, spaced bool) string {
	if spaced {
		return "\n#" + strings.ReplaceAll(topic, " ", "")
	}
	return "#" + topic + "#"
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// markUp escapes a post and adds its line breaks.
func markUp(post string) string {
	return strings.ReplaceAll(html.EscapeString(post), "\n", "<br>")
}

// Posts returns n random posts of others.
func (v *view) Posts(n int) []link {
	posts := v.Related(n)
	for _, p := range posts {
		post, _, _ := strings.Cut(p.Post, "<br>")
		v.noise(snippet(html.UnescapeString(post)))
	}
	return posts
}

// Count returns a number of reposts, likes and the like, below most.
func (v *view) Count(most int) int { return 1 + v.r.IntN(most) }

// handle returns the name of an account.
func handle(name string) string { return "@" + strings.ReplaceAll(slugOrHash(name), "-", ".") }

// Account returns the author of the post.
func (v *view) Account() link {
	a := v.Authors()[0]
	v.gold.Authors = v.st.authors[:1]
	return link{Title: a.Title, URL: a.URL, Handle: handle(v.st.authors[0])}
}
