package main

import (
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
	shownRun      = 3   // paragraphs that were added or cut together
	shownRunes    = 300 // of a paragraph
)

// rawOutput returns the writer behind a console. What is written to it must be
// printable.
func rawOutput(w io.Writer) io.Writer {
	if c, ok := w.(*cli.Console); ok {
		return c.Raw
	}
	return w
}

// storyView shows a story.
type storyView struct {
	w      io.Writer
	index  *store.Store
	story  *store.Story
	all    bool
	colour bool
	err    error
}

// The colours of a terminal.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

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
	if _, err := fmt.Fprintf(v.w, format, args...); v.err == nil {
		v.err = err
	}
}

func (v *storyView) show(ctx context.Context) error {
	s := v.story
	v.print("%s\n", v.paint(bold, orNoTitle(s.Headline)))
	about := []string{"story " + s.ID, number(s.Articles, "article", "articles") + " of " + number(len(s.Papers), "paper", "papers")}
	if list := baseLanguages(s); len(list) > 0 {
		about = append(about, strings.Join(list, ", "))
	}
	about = append(about, span(s.Start, s.End))
	v.print("%s\n", v.paint(dim, strings.Join(about, " · ")))
	if len(s.Terms) > 0 {
		v.print("terms:  %s\n", v.paint("", strings.Join(s.Terms, ", ")))
	}
	if len(s.Papers) > 0 {
		v.print("papers: %s\n", v.paint("", bounded(s.Papers, shownPapers)))
	}
	v.print("first:  %s, %s\n", v.paint(bold, paperOf(&s.First)), minute(&s.First))
	if s.First.URL != "" {
		v.print("        %s\n", v.paint("", s.First.URL))
	}
	v.timeLine()
	if err := v.copies(ctx); err != nil {
		return err
	}
	return v.err
}

// timeLine prints all articles in order of time.
func (v *storyView) timeLine() {
	list := v.story.Members
	rest := v.story.Articles - len(list)
	if !v.all && len(list) > shownArticles {
		rest += len(list) - shownArticles
		list = list[:shownArticles]
	}
	width := 0
	for i := range list {
		width = max(width, utf8.RuneCountInString(paperOf(&list[i])))
	}
	width = min(width, 30)
	v.print("\n%s\n", v.paint(bold, "Time line"))
	for i := range list {
		m := &list[i]
		v.print("  %-16s  %s  %s\n", minute(m), padded(v.paint("", paperOf(m)), width), v.paint("", orNoTitle(m.Title)))
		v.print("  %16s  %s\n", "", v.paint(dim, v.role(m)))
	}
	if rest > 0 {
		v.print("  … and %s\n", number(rest, "more article", "more articles"))
	}
}

// role says what an article is to the story.
func (v *storyView) role(m *store.Member) string {
	switch {
	case m.Parent != 0:
		of, from := v.member(m.Parent), m.CopyOf
		if of != nil {
			from = paperOf(of)
		}
		what := "copy of " + from
		if of != nil && of.ID == m.ID {
			what = "later version"
		}
		return fmt.Sprintf("%s: has %s of it, which is %s of this text", what, percent(m.Overlap.InB), percent(m.Overlap.InA))
	case m.Number == v.story.First.Number:
		return "had it first"
	case m.First:
		return "opened the story"
	case m.Reason != "":
		return fmt.Sprintf("in other words: %.2f, %s", m.Score, v.reason(m))
	}
	return fmt.Sprintf("in other words: %.2f", m.Score)
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
	for i := range v.story.Members {
		if v.story.Members[i].Number == number {
			return &v.story.Members[i]
		}
	}
	return nil
}

// copies prints for each copy what was changed.
func (v *storyView) copies(ctx context.Context) error {
	var list []*store.Member
	for i := range v.story.Members {
		if v.story.Members[i].Parent != 0 {
			list = append(list, &v.story.Members[i])
		}
	}
	if len(list) == 0 {
		return nil
	}
	v.print("\n%s\n", v.paint(bold, "Copies"))
	for i, m := range list {
		if i == shownCopies && !v.all {
			v.print("\n  … and %s; --all shows them\n", number(len(list)-i, "more copy", "more copies"))
			break
		}
		if i > 0 {
			v.print("\n")
		}
		if err := v.showCopy(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (v *storyView) showCopy(ctx context.Context, m *store.Member) error {
	edits, err := editsOf(ctx, v.index, m)
	if err != nil {
		return err
	}
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
	return nil
}

// diff prints the paragraphs that were changed.
func (v *storyView) diff(edits []stories.Edit) {
	kept, shown, run := 0, 0, 0
	for i, e := range edits {
		if !isChange(e) {
			kept++
			continue
		}
		v.count(&kept, "unchanged")
		if shown == shownEdits && !v.all {
			v.print("    … and %s; --all shows them\n", number(changes(edits[i:]), "more change", "more changes"))
			return
		}
		// Of several paragraphs that were added or cut together, the first are shown.
		if run++; i == 0 || edits[i-1].Op != e.Op || e.Op == stories.Change {
			run = 1
		}
		last := i+1 == len(edits) || edits[i+1].Op != e.Op
		switch {
		case v.all || run <= shownRun || run == shownRun+1 && last:
			shown++
			v.edit(e)
		case last:
			v.print("    %s %s\n", signs[e.Op], v.paint(dim, "("+number(run-shownRun, "more paragraph", "more paragraphs")+")"))
		}
	}
	v.count(&kept, "unchanged")
}

// count prints a number of paragraphs, and sets it to 0.
func (v *storyView) count(n *int, what string) {
	if *n > 0 {
		v.print("      %s\n", v.paint(dim, "("+number(*n, "paragraph", "paragraphs")+" "+what+")"))
	}
	*n = 0
}

// signs are those of edits in a diff.
var signs = [...]string{stories.Keep: " ", stories.Add: "+", stories.Cut: "-", stories.Change: "~"}

// changes counts the edits that change something.
func changes(edits []stories.Edit) (n int) {
	for _, e := range edits {
		if isChange(e) {
			n++
		}
	}
	return n
}

func isChange(e stories.Edit) bool { return e.Op != stories.Keep || e.Moved }

// edit prints a paragraph.
func (v *storyView) edit(e stories.Edit) {
	sign := signs[e.Op]
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

// words returns a run of words of a paragraph. Of a long one that was kept, only the
// ends that are beside a change are shown.
func (v *storyView) words(w stories.WordEdit, before, after bool) string {
	switch w.Op {
	case stories.Cut:
		return v.paint(red, "[-"+strings.TrimSpace(w.Text)+"-]")
	case stories.Add:
		return v.paint(green, "{+"+strings.TrimSpace(w.Text)+"+}")
	}
	return v.paint("", context8(w.Text, before, after))
}

// context8 shortens words that were kept to eight on each side that is beside a change.
func context8(text string, before, after bool) string {
	const n = 8
	words := strings.Fields(text)
	head, tail := 0, 0
	if before {
		head = n
	}
	if after {
		tail = n
	}
	if len(words) <= head+tail+2 {
		return strings.Join(words, " ")
	}
	return strings.Join(slices.Concat(words[:head], []string{"…"}, words[len(words)-tail:]), " ")
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
func paperOf(m *store.Member) string {
	for _, name := range []string{m.Site, hostOf(m.URL), m.ID} {
		if name != "" {
			return name
		}
	}
	return "(unknown)"
}

// minute returns the time of an article.
func minute(m *store.Member) string {
	switch {
	case m.Published.IsZero() && m.FirstSeen.IsZero():
		return "(no date)"
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
	if a == b {
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

// bounded lists the first items.
func bounded(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s, and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// padded adds spaces to a text up to a width.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}
