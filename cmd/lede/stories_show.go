package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

func newStoriesShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show STORIES.db STORY…",
		Short: "Show a story: who had it first, who copied, what was changed",
		Long: `Show a story: its headline, who had it first, a time line, and for each copy from whom
it is, how much is shared, and what was added and cut.

STORY is the id of a story, the id of an article, or its URL as it is in the index.

In a diff, paragraphs with + were added, those with - were cut, and those with ~ were
changed: [-words-] were cut and {+words+} were added. A paragraph that stands elsewhere
was cut and added. What is unchanged is only counted.`,
		Example: `  lede stories show stories.db k3x9c7mq2d
  lede stories show stories.db https://paper.example/story.html`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("no story: name an index that lede stories --out FILE.db has written, and then a story, as lede stories list lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			index, err := openForReading(args[0])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cli.NewConsole(cmd.OutOrStdout()))
			err = showStories(cmd.Context(), w, index, args[0], args[1:])
			return cli.Fail(errors.Join(err, w.Flush(), index.Close()))
		},
	}
}

// openForReading opens an index that exists.
func openForReading(path string) (*store.Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, cli.Fail(fmt.Errorf("no index at %s; create one with lede stories ARTICLES --out %s", path, path))
	}
	index, err := store.Open(path, store.Options{ReadOnly: true})
	return index, cli.Fail(err)
}

func showStories(ctx context.Context, w io.Writer, index *store.Store, path string, names []string) error {
	for i, name := range names {
		s, err := index.Find(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("%s has no story with the id %[2]s, and no article with the id or URL %[2]s; lede stories list %[1]s lists the stories",
				path, name)
		}
		if err == nil {
			if i > 0 {
				fmt.Fprintln(w)
			}
			err = (&storyView{w, index, s}).show(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// storyView shows a story.
type storyView struct {
	w     io.Writer
	index *store.Store
	story *store.Story
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
	if len(s.Papers) > 0 {
		v.print("papers: %s\n", strings.Join(s.Papers, ", "))
	}
	v.print("first:  %s, %s\n", paperOf(&s.First), minute(&s.First))
	if s.First.URL != "" {
		v.print("        %s\n", s.First.URL)
	}
	v.timeLine()
	heading := "\nCopies"
	for i := range s.Members {
		if m := &s.Members[i]; m.Parent != 0 {
			v.print("%s\n", heading)
			heading = ""
			if err := v.showCopy(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// timeLine prints the articles in order of time.
func (v *storyView) timeLine() {
	list := v.story.Members
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

// showCopy prints what was changed in a copy.
func (v *storyView) showCopy(ctx context.Context, m *store.Member) error {
	before, err := v.index.Text(ctx, m.Parent)
	if err != nil {
		return err
	}
	after, err := v.index.Text(ctx, m.Number)
	if err != nil {
		return err
	}
	edits := stories.Diff(before, after)
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
	return nil
}

// diff prints the paragraphs that were changed.
func (v *storyView) diff(edits []stories.Edit) {
	for i, kept := 0, 0; i <= len(edits); i++ {
		if i < len(edits) && edits[i].Op == stories.Keep {
			kept++
			continue
		}
		if kept > 0 {
			v.print("      (%s unchanged)\n", number(kept, "paragraph", "paragraphs"))
		}
		kept = 0
		if i < len(edits) {
			v.print("    %s\n", oneLine(edits[i].String()))
		}
	}
}

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
