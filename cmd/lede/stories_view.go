package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

// Bounds of what is shown without --all.
const (
	shownCopies   = 10
	shownEdits    = 20
	shownArticles = 50 // of the time line
	shownPapers   = 20
	shownRunes    = 300 // of a paragraph that was added or cut
)

// storyView shows a story.
type storyView struct {
	w     io.Writer
	index *store.Store
	story *store.Story
	all   bool
}

func (v *storyView) print(format string, args ...any) {
	fmt.Fprintf(v.w, format, args...) // a bufio.Writer keeps the error
}

func (v *storyView) show(ctx context.Context) error {
	s := v.story
	about := []string{"story " + s.ID, number(s.Articles, "article", "articles") + " of " + number(len(s.Papers), "paper", "papers")}
	if list := baseLanguages(s); len(list) > 0 {
		about = append(about, strings.Join(list, ", "))
	}
	v.print("%s\n%s\n", title(s.Headline), strings.Join(append(about, span(s.Start, s.End)), " · "))
	if len(s.Terms) > 0 {
		v.print("terms:  %s\n", strings.Join(s.Terms, ", "))
	}
	if n := len(s.Papers); n > 0 {
		v.print("papers: %s", strings.Join(s.Papers[:min(n, shownPapers)], ", "))
		if n > shownPapers {
			v.print(", and %d more", n-shownPapers)
		}
		v.print("\n")
	}
	v.print("first:  %s, %s\n", paperOf(&s.First), minute(&s.First))
	if s.First.URL != "" {
		v.print("        %s\n", s.First.URL)
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
		width = max(width, len([]rune(paperOf(&list[i]))))
	}
	v.print("\nTime line\n")
	for i := range list {
		m := &list[i]
		v.print("  %-16s  %-*s  %s\n  %16s  %s\n", minute(m), min(width, 30), paperOf(m), title(m.Title), "", v.role(m))
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
	reason := m.Reason
	for i := range v.story.Members { // the paper says more than the id of an article
		other := &v.story.Members[i]
		if before, ok := strings.CutSuffix(reason, " with "+other.ID); ok {
			reason = before + " with " + paperOf(other)
			break
		}
	}
	return fmt.Sprintf("in other words: %.2f, %s", m.Score, reason)
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
	shown, heading := 0, "\nCopies"
	for i := range v.story.Members {
		m := &v.story.Members[i]
		if m.Parent == 0 {
			continue
		}
		if shown++; shown > shownCopies && !v.all {
			v.print("\n  … and %s; --all shows them\n", number(copiesIn(v.story)-shownCopies, "more copy", "more copies"))
			break
		}
		v.print("%s\n", heading)
		heading = ""
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
	v.print("  %s, %s\n", paperOf(m), minute(m))
	v.print("  %s; %s added, %s cut\n", v.role(m), number(added, "word", "words"), number(cut, "word", "words"))
	if m.URL != "" {
		v.print("  %s\n", m.URL)
	}
	if of := v.member(m.Parent); of != nil && of.Title != m.Title {
		v.print("    headline: %s → %s\n", title(of.Title), title(m.Title))
	}
	v.diff(edits)
}

// diff prints the paragraphs that were changed.
func (v *storyView) diff(edits []stories.Edit) {
	kept, shown := 0, 0
	unchanged := func() {
		if kept > 0 {
			v.print("      (%s unchanged)\n", number(kept, "paragraph", "paragraphs"))
		}
		kept = 0
	}
	for _, e := range edits {
		if !isChange(e) {
			kept++
			continue
		}
		unchanged()
		if shown++; shown > shownEdits && !v.all {
			v.print("    … and more changes; --all shows them\n")
			return
		}
		text := e.String()
		if e.Op != stories.Change && !v.all {
			text = lines.Shorten(text, shownRunes)
		}
		v.print("    %s\n", oneLine(text))
	}
	unchanged()
}

func isChange(e stories.Edit) bool { return e.Op != stories.Keep }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// title returns a headline as it is shown.
func title(text string) string { return cmp.Or(oneLine(text), "(no headline)") }

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

// paperOf returns the name of the paper of an article.
func paperOf(m *store.Member) string {
	return oneLine(cmp.Or(m.Site, hostOf(m.URL), m.ID, "(unknown)"))
}

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
