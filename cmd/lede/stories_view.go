package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

// Bounds of what is shown without --all.
const (
	shownCopies   = 10
	shownEdits    = 20
	shownArticles = 50 // of the time line
	shownPapers   = 20
	shownRunes    = 300 // of a paragraph
)

// The colours of a terminal.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// storyView shows a story.
type storyView struct {
	w      io.Writer // behind a console: what is written must be printable
	index  *store.Store
	story  *store.Story
	all    bool
	colour bool
}

// paint returns a text of a page, in a colour if there are any. Control characters are
// made visible, and line breaks become spaces.
func (v *storyView) paint(colour, text string) string {
	text = string(cli.Printable([]byte(strings.Join(strings.Fields(text), " "))))
	if !v.colour || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

func (v *storyView) print(format string, args ...any) {
	fmt.Fprintf(v.w, format, args...) // a bufio.Writer keeps the error
}

func (v *storyView) show(ctx context.Context) error {
	s := v.story
	v.print("%s\n", v.paint(bold, orNoTitle(s.Headline)))
	about := []string{"story " + s.ID, number(s.Articles, "article", "articles") + " of " + number(len(s.Papers), "paper", "papers")}
	if list := baseLanguages(s); len(list) > 0 {
		about = append(about, strings.Join(list, ", "))
	}
	v.print("%s\n", v.paint(dim, strings.Join(append(about, span(s.Start, s.End)), " · ")))
	if len(s.Terms) > 0 {
		v.print("terms:  %s\n", v.paint("", strings.Join(s.Terms, ", ")))
	}
	if n := len(s.Papers); n > 0 {
		list := strings.Join(s.Papers[:min(n, shownPapers)], ", ")
		if n > shownPapers {
			list += fmt.Sprintf(", and %d more", n-shownPapers)
		}
		v.print("papers: %s\n", v.paint("", list))
	}
	v.print("first:  %s, %s\n", v.paint(bold, paperOf(&s.First)), minute(&s.First))
	if s.First.URL != "" {
		v.print("        %s\n", v.paint("", s.First.URL))
	}
	v.timeLine()
	return v.copies(ctx)
}

// timeLine prints all articles in order of time.
func (v *storyView) timeLine() {
	list := v.story.Members
	if !v.all {
		list = list[:min(len(list), shownArticles)]
	}
	width := 0
	for i := range list {
		width = max(width, utf8.RuneCountInString(paperOf(&list[i])))
	}
	v.print("\n%s\n", v.paint(bold, "Time line"))
	for i := range list {
		m := &list[i]
		v.print("  %-16s  %-*s  %s\n", minute(m), min(width, 30), v.paint("", paperOf(m)), v.paint("", orNoTitle(m.Title)))
		v.print("  %16s  %s\n", "", v.paint(dim, v.role(m)))
	}
	if rest := v.story.Articles - len(list); rest > 0 {
		v.print("  … and %s\n", number(rest, "more article", "more articles"))
	}
}

// role says what an article is to the story.
func (v *storyView) role(m *store.Member) string {
	switch {
	case m.Parent != 0:
		what := "copy of " + m.CopyOf
		if of := v.member(m.Parent); of != nil {
			what = "copy of " + paperOf(of)
			if of.ID == m.ID {
				what = "later version"
			}
		}
		return fmt.Sprintf("%s: has %s of it, which is %s of this text", what, percent(m.Overlap.InB), percent(m.Overlap.InA))
	case m.Number == v.story.First.Number:
		return "had it first"
	case m.First:
		return "opened the story"
	}
	return fmt.Sprintf("in other words: %.2f, %s", m.Score, v.reason(m))
}

// reason returns the reason of a membership, with the paper of an article in place of
// the id at its end.
func (v *storyView) reason(m *store.Member) string {
	for i := range v.story.Members {
		other := &v.story.Members[i]
		if before, ok := strings.CutSuffix(m.Reason, " with "+other.ID); ok {
			return before + " with " + paperOf(other)
		}
	}
	return m.Reason
}

// member returns the article with a number, or nil.
func (v *storyView) member(number int64) *store.Member {
	i := slices.IndexFunc(v.story.Members, func(m store.Member) bool { return m.Number == number })
	if i < 0 {
		return nil
	}
	return &v.story.Members[i]
}

// copies prints for each copy what was changed.
func (v *storyView) copies(ctx context.Context) error {
	shown, total := 0, copiesIn(v.story)
	for i := range v.story.Members {
		m := &v.story.Members[i]
		if m.Parent == 0 {
			continue
		}
		if shown == shownCopies && !v.all {
			v.print("\n  … and %s; --all shows them\n", number(total-shown, "more copy", "more copies"))
			break
		}
		if shown++; shown == 1 {
			v.print("\n%s\n", v.paint(bold, "Copies"))
		} else {
			v.print("\n")
		}
		edits, err := editsOf(ctx, v.index, m)
		if err != nil {
			return err
		}
		v.showCopy(m, edits)
	}
	return nil
}

func (v *storyView) showCopy(m *store.Member, edits []stories.Edit) {
	added, cut := 0, 0
	for _, e := range edits {
		added, cut = added+e.Added, cut+e.Cut
	}
	v.print("  %s, %s\n", v.paint(bold, paperOf(m)), minute(m))
	v.print("  %s; %s added, %s cut\n", v.paint("", v.role(m)), number(added, "word", "words"), number(cut, "word", "words"))
	if m.URL != "" {
		v.print("  %s\n", v.paint(dim, m.URL))
	}
	if of := v.member(m.Parent); of != nil && of.Title != m.Title {
		v.print("    headline: %s → %s\n", v.paint(red, orNoTitle(of.Title)), v.paint(green, orNoTitle(m.Title)))
	}
	v.diff(edits)
}

// diff prints the paragraphs that were changed.
func (v *storyView) diff(edits []stories.Edit) {
	kept, shown := 0, 0
	unchanged := func() {
		if kept > 0 {
			v.print("      %s\n", v.paint(dim, "("+number(kept, "paragraph", "paragraphs")+" unchanged)"))
		}
		kept = 0
	}
	changes := slices.DeleteFunc(slices.Clone(edits), func(e stories.Edit) bool { return !isChange(e) })
	for _, e := range edits {
		if !isChange(e) {
			kept++
			continue
		}
		unchanged()
		if shown == shownEdits && !v.all {
			v.print("    … and %s; --all shows them\n", number(len(changes)-shown, "more change", "more changes"))
			return
		}
		shown++
		v.edit(e)
	}
	unchanged()
}

func isChange(e stories.Edit) bool { return e.Op != stories.Keep || e.Moved }

// edit prints a paragraph.
func (v *storyView) edit(e stories.Edit) {
	sign := map[stories.Op]string{stories.Add: "+", stories.Cut: "-", stories.Change: "~"}[e.Op]
	if e.Moved {
		sign = ">"
	}
	switch e.Op {
	case stories.Keep:
		v.print("    %s %s\n", sign, v.paint(dim, shortened(e.After, 100)))
	case stories.Add:
		v.print("    %s %s\n", sign, v.paint(green, v.paragraph(e.After)))
	case stories.Cut:
		v.print("    %s %s\n", sign, v.paint(red, v.paragraph(e.Before)))
	case stories.Change:
		var parts []string
		for i, w := range e.Words {
			parts = append(parts, v.words(w, i > 0, i+1 < len(e.Words)))
		}
		space := "" // between words, where the language has any
		if strings.Contains(e.Before+e.After, " ") {
			space = " "
		}
		v.print("    %s %s\n", v.paint(yellow, sign), strings.Join(parts, space))
	}
}

// words returns a run of words of a paragraph. Of a long one that was kept, only eight words on
// each side that is beside a change are shown.
func (v *storyView) words(w stories.WordEdit, before, after bool) string {
	switch w.Op {
	case stories.Cut:
		return v.paint(red, "[-"+strings.TrimSpace(w.Text)+"-]")
	case stories.Add:
		return v.paint(green, "{+"+strings.TrimSpace(w.Text)+"+}")
	}
	words := strings.Fields(w.Text)
	head, tail := 0, 0
	if before {
		head = 8
	}
	if after {
		tail = 8
	}
	if len(words) > head+tail+2 {
		words = slices.Concat(words[:head], []string{"…"}, words[len(words)-tail:])
	}
	return v.paint("", strings.Join(words, " "))
}

// paragraph returns a paragraph, shortened without --all.
func (v *storyView) paragraph(text string) string {
	if v.all {
		return text
	}
	return shortened(text, shownRunes)
}

// shortened returns the first characters of a text.
func shortened(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most])) + " …"
}

// baseLanguages returns the languages of a story without regions: pl for pl-PL.
func baseLanguages(s *store.Story) (list []string) {
	for _, tag := range s.Languages {
		base, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if !slices.Contains(list, base) {
			list = append(list, base)
		}
	}
	return list
}

func orNoTitle(title string) string {
	if strings.TrimSpace(title) == "" {
		return "(no headline)"
	}
	return title
}

// paperOf returns the name of the paper of an article.
func paperOf(m *store.Member) string { return cmp.Or(m.Site, hostOf(m.URL), m.ID, "(unknown)") }

const noDate = "(no date)"

// minute returns the time of an article.
func minute(m *store.Member) string {
	switch {
	case m.Published.IsZero() && m.FirstSeen.IsZero():
		return noDate
	case m.Published.IsZero():
		return "seen " + m.FirstSeen.UTC().Format(time.DateOnly)
	case isDay(m.Published):
		return m.Published.UTC().Format(time.DateOnly)
	}
	return m.Published.UTC().Format("2006-01-02 15:04")
}

// span returns the time from the first to the last article.
func span(start, end time.Time) string {
	a, b := start.UTC().Format(time.DateOnly), end.UTC().Format(time.DateOnly)
	switch {
	case end.IsZero():
		return noDate
	case a == b:
		return a
	}
	return a + " to " + b
}

// percent returns a part of one in percent. Only the whole has 100 %.
func percent(part float64) string {
	p := int(100*part + 0.5)
	if p == 100 && part < 1 {
		p = 99
	}
	return fmt.Sprintf("%d %%", p)
}
