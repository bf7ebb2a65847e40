// Package comments finds the readers' comments below an article.
//
// A comment section is found by its class, id or microdata. Everything in it except
// controls belongs to a comment.
package comments

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/words"
)

// Find returns the readers' comments of a page in their order. Each begins with
// the line that has its author and date, where there is one. story is the mask
// of the nodes of the article, which are never part of a comment. Steps ends the
// search early; it may be nil.
func Find(d *dom.Document, story []bool, steps *steps.Counter) []string {
	f := finder{doc: d, story: make([]int32, d.Len()+1), steps: steps}
	for n := range dom.Node(d.Len()) {
		f.story[n+1] = f.story[n]
		if int(n) < len(story) && story[n] && d.IsText(n) {
			f.story[n+1] += int32(d.Words(n))
		}
	}
	return f.find()
}

// IsThread reports whether the named element n contains at least two comments,
// or has a sibling that is named a comment too. An article in an element that is
// named "comment", as with opinion pieces, is not a thread.
func IsThread(d *dom.Document, n dom.Node) bool {
	f := finder{doc: d}
	items, _ := f.items(n)
	return len(items) > 1 || hasCommentSibling(d, n)
}

func hasCommentSibling(d *dom.Document, n dom.Node) bool {
	const distance = 8 // siblings, because names and rules may separate comments
	for _, step := range [...]func(dom.Node) dom.Node{d.Prev, d.Next} {
		for i, m := 0, step(n); i < distance && m != dom.None; i, m = i+1, step(m) {
			if d.Tag(m) == d.Tag(n) && d.Words(m) > 0 && IsNamed(d, m) {
				return true
			}
		}
	}
	return false
}

type finder struct {
	doc   *dom.Document
	story []int32 // prefix sums of the words of the article
	steps *steps.Counter
}

// storyWords returns the number of words of the article in n.
func (f *finder) storyWords(n dom.Node) int { return int(f.story[f.doc.End(n)] - f.story[n]) }

// find searches the outermost elements that are named for comments and contain
// little or nothing of the article.
func (f *finder) find() []string {
	d := f.doc
	var out []string
	for n := dom.Node(1); int(n) < d.Len() && !f.steps.Done(); {
		story := f.storyWords(n)
		switch {
		case d.IsText(n):
			n++
		case d.Hidden(n) || d.Words(n) == 0 || isControlTag(d.Tag(n)) && story == 0:
			n = d.End(n)
		case story == 0 && (d.Tag(n) == dom.Aside || hasRole(d, n, elsewhereRole, 0)):
			n = d.End(n) // comments on other articles
		case d.Tag(n) != dom.Body && IsNamed(d, n) && 2*story <= d.Words(n): // the body may be named for what it lacks
			out = append(out, f.inSection(n)...)
			n = d.End(n)
		default:
			n++
		}
	}
	return out
}

// inSection returns the comments in an element. Those that the page does not
// name comments must be dated, unlike a text such as "No comments yet".
func (f *finder) inSection(section dom.Node) []string {
	items, named := f.items(section)
	const maxLinks, maxLinksNamed = 0.6, 0.85 // a list of other articles has more
	if density := f.doc.LinkDensity(section); density > maxLinksNamed || !named && density > maxLinks {
		return nil
	}
	if len(items) == 0 {
		const minWords = 8
		if f.doc.Words(section) < minWords {
			return nil
		}
		items = []item{{section, f.doc.End(section)}}
	}
	out, dated := f.texts(items)
	isText := func(text string) bool { return !isByline(text) || strings.Contains(text, "\n") && len(out) > 1 }
	if !slices.ContainsFunc(out, isText) || len(out) == 1 && !isLoneComment(out[0], dated > 0) {
		return nil // dates of other articles, or a notice
	}
	const minWords = 5 // a button has fewer
	if 2*dated > len(out) || named && (dated > 0 || len(strings.Fields(strings.Join(out, " "))) >= minWords) {
		return out
	}
	return nil
}

// isLoneComment reports whether the only text in a section is a comment, and not a
// notice such as "There are no comments yet". Without a date it needs the name of
// its author in the first line.
func isLoneComment(text string, dated bool) bool {
	name, rest, _ := strings.Cut(text, "\n")
	if dated {
		return !isHeadingText(name) || rest != "" && !strings.Contains(name, "(0)") || hasTime(name)
	}
	const maxWords, minName, maxName = 300, 2, 5
	return len(name) >= minName && len(strings.Fields(name)) <= maxName && !isHeadingText(name) && rest != "" && len(strings.Fields(rest)) <= maxWords
}

// isByline reports whether a text has nothing but a name and dates: alone it is
// the byline of the article in a box that is named for the number of comments.
func isByline(text string) bool {
	const minWords, maxWords = 3, 10
	for line := range strings.SplitSeq(text, "\n") {
		first, _, _ := strings.Cut(line, " ")
		if n := words.Count(line, maxWords+1); n > maxWords || n >= minWords && !hasDate(line) && !isBy(first) {
			return false
		}
	}
	return true
}

// isBy reports whether a word precedes the name of an author.
func isBy(word string) bool { return byWords[strings.ToLower(strings.TrimRight(word, ":"))] }

var byWords = words.NewSet("by von par por di door av af автор oleh")

// isHeadingText reports whether a short text has a word for comments.
func isHeadingText(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(lists().headings, func(w string) bool { return strings.Contains(text, w) })
}

// texts returns the texts of the comments, and how many of them are dated.
func (f *finder) texts(items []item) (out []string, dated int) {
	ends := map[dom.Node]dom.Node{}
	for _, it := range items {
		ends[it.from] = it.to
	}
	for _, it := range items {
		text := f.text(it, ends)
		if text == "" || isInstruction(text) || f.isInStory(it) {
			continue
		}
		out = append(out, text)
		if hasDate(text) {
			dated++
		}
	}
	return out, dated
}

// isInStory reports whether most of an item is part of the article, so that only
// the name of its author is left.
func (f *finder) isInStory(it item) bool {
	words := 0
	for n := it.from; n < it.to; n = f.doc.End(n) {
		words += f.doc.Words(n)
	}
	story := int(f.story[it.to] - f.story[it.from])
	return story > 0 && 2*story >= words
}

// text returns the lines of a comment, without controls and the replies inside
// it. ends maps the first node of each comment to its end.
func (f *finder) text(it item, ends map[dom.Node]dom.Node) string {
	d := f.doc
	all := d.AllText()
	var lines []string
	var line strings.Builder
	end := -1
	flush := func() {
		if s := strings.TrimSpace(line.String()); s != "" && !isButtonText(s) {
			lines = append(lines, s)
		}
		line.Reset()
	}
	for m := it.from; m < it.to && !f.steps.Done(); m++ {
		if to := ends[m]; to > 0 && m > it.from {
			m = to - 1
			continue
		}
		if !d.IsText(m) {
			if d.Hidden(m) || m > it.from && isControl(d, m) {
				m = d.End(m) - 1
			}
			continue
		}
		from, to := d.Span(m)
		if from == to || f.storyWords(m) > 0 || isButtonText(all[from:to]) && d.InLink(m) {
			continue
		}
		if end >= 0 && strings.Contains(all[end:from], "\n") {
			flush()
		} else if line.Len() > 0 && end < from {
			line.WriteByte(' ')
		}
		line.WriteString(all[from:to])
		end = to
	}
	flush()
	return strings.Join(lines, "\n")
}
