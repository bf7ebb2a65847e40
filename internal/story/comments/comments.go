// Package comments finds the readers' comments below an article.
//
// A comment section is found by its class, id or microdata, or by a heading
// above similar, dated elements. Everything in it except controls belongs to a
// comment.
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
	prev, next := n, n
	for range distance {
		if prev != dom.None {
			prev = d.Prev(prev)
		}
		if next != dom.None {
			next = d.Next(next)
		}
		for _, m := range [...]dom.Node{prev, next} {
			if m != dom.None && d.Tag(m) == d.Tag(n) && d.Words(m) > 0 && IsNamed(d, m) {
				return true
			}
		}
	}
	return false
}

type finder struct {
	doc   *dom.Document
	story []int32  // prefix sums of the words of the article
	tried dom.Node // headings before it have no comments
	steps *steps.Counter
}

// storyWords returns the number of words of the article in n.
func (f *finder) storyWords(n dom.Node) int { return int(f.story[f.doc.End(n)] - f.story[n]) }

// find searches the outermost elements that are named for comments and contain
// little or nothing of the article, and what is below headings for comments.
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
		case f.isHeading(n):
			var found []string
			found, n = f.belowHeading(n)
			out = append(out, found...)
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
	if len(out) == 1 && isByline(out[0]) || !slices.ContainsFunc(out, func(text string) bool { return strings.Contains(text, "\n") || !isByline(text) }) {
		return nil // dates of other articles
	}
	if len(out) == 1 {
		if dated == 0 {
			out[0] = cutHeading(out[0])
		}
		if !isLoneComment(out[0], dated > 0) {
			return nil
		}
	}
	const minWords = 5 // a button has fewer
	if 2*dated > len(out) || named && (dated > 0 || len(strings.Fields(strings.Join(out, " "))) >= minWords) {
		return out
	}
	return nil
}

// cutHeading removes the lines at the beginning of a text that are a heading for
// comments.
func cutHeading(text string) string {
	const maxWords = 8
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || len(strings.Fields(line)) > maxWords || !isHeadingText(line) {
			return text
		}
		text = rest
	}
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
		words := strings.Fields(line)
		if len(words) > maxWords || len(words) >= minWords && !hasDate(line) && !isBy(words[0]) || isHanSentence(line) {
			return false
		}
	}
	return true
}

// isHanSentence reports whether a line has more Han characters than names and
// dates have. They are not separated by spaces.
func isHanSentence(line string) bool {
	const maxName = 7
	n := 0
	for _, r := range line {
		if words.IsIdeograph(r) {
			if n++; n > maxName {
				return !hasDate(line)
			}
		}
	}
	return false
}

// isSigned reports whether a comment begins with a line for its author and date.
// The date of a copyright has no text below it.
func isSigned(text string) bool {
	const maxWords = 8
	first, rest, _ := strings.Cut(text, "\n")
	isCopyright := strings.Contains(first, "©") || strings.Contains(strings.ToLower(first), "copyright")
	return rest != "" && hasDate(first) && len(strings.Fields(first)) <= maxWords && !isCopyright
}

// isBy reports whether a word precedes the name of an author.
func isBy(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ":")) {
	case "by", "von", "par", "por", "di", "door", "av", "af", "автор", "oleh":
		return true
	}
	return false
}

// isHeading reports whether n is a heading for comments after the article.
func (f *finder) isHeading(n dom.Node) bool {
	d := f.doc
	const maxWords, maxChars = 8, 100
	if n < f.tried || f.story[n] == 0 || !d.Tag(n).IsBlock() || d.Words(n) > maxWords || d.Chars(n) > maxChars || f.storyWords(n) > 0 {
		return false
	}
	return isHeadingText(d.Text(n))
}

// isHeadingText reports whether a short text has a word for comments.
func isHeadingText(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(lists().headings, func(w string) bool { return strings.Contains(text, w) })
}

// belowHeading returns the comments below a heading: the similar, dated elements
// after it, or the content of a single one.
func (f *finder) belowHeading(heading dom.Node) (found []string, end dom.Node) {
	d := f.doc
	end = d.End(heading)
	for p := d.Parent(heading); p != dom.None && d.Words(p) == d.Words(heading); p = d.Parent(p) {
		heading = p
	}
	var items []item
	for n := d.Next(heading); n != dom.None && !f.steps.Done(); n = d.Next(n) {
		if d.Words(n) == 0 && !d.IsText(n) {
			continue
		}
		if !mayBeComment(d.Tag(n)) && d.Tag(n) != dom.Ol && d.Tag(n) != dom.Ul || f.storyWords(n) > 0 || len(items) > 0 && !isSimilar(d, items[0].from, n) {
			break
		}
		items = append(items, item{n, d.End(n)})
	}
	switch len(items) {
	case 0:
		return nil, end
	case 1:
		if found = f.inSection(items[0].from); len(found) == 1 && !hasTime(found[0]) && !isSigned(found[0]) {
			found = nil // the date may be that of a copyright
		}
	default:
		var dated int
		if found, dated = f.texts(items); 2*dated <= len(found) {
			found = nil
		}
	}
	last := items[len(items)-1].to
	if found == nil {
		f.tried = last // avoids quadratic time on a page of headings
		return nil, end
	}
	return found, last
}

func isSimilar(d *dom.Document, a, b dom.Node) bool {
	return d.Tag(a) == d.Tag(b) && d.Attr(a, "class") == d.Attr(b, "class")
}

// texts returns the texts of the comments, and how many of them are dated.
func (f *finder) texts(items []item) (out []string, dated int) {
	ends := map[dom.Node]dom.Node{}
	for _, it := range items {
		ends[it.from] = it.to
	}
	for _, it := range items {
		if f.steps.Done() {
			return nil, 0
		}
		if f.isInStory(it) {
			continue
		}
		text := f.text(it, ends)
		if text == "" || isInstruction(text) {
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
	for m := it.from; m < it.to && !f.steps.Done(); {
		if to := ends[m]; to > 0 && m > it.from {
			m = to
			continue
		}
		if !d.IsText(m) {
			if d.Hidden(m) || m > it.from && isControl(d, m) {
				m = d.End(m)
				continue
			}
			m++
			continue
		}
		from, to := d.Span(m)
		m++
		if from == to || f.storyWords(m-1) > 0 || isButtonText(all[from:to]) && d.InLink(m-1) {
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
