package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/lede-news/lede/stories"
)

// Why a record has no story.
const (
	noStoryFailed = "failed"
	noStoryText   = "without text"
	noStoryType   = "of another type than article"
	noStoryID     = "without id and url"
	noStoryLine   = "unreadable"
)

// storyArticle returns the article of a record, or nil and the reason why it has no
// story. A record of lede follow, which says when it was first seen, is that of a story
// whatever it looks like.
func storyArticle(r *sink.Record) (a *stories.Article, why string) {
	if r.Error == "" && r.Type != "" && r.Type != string(article.TypeArticle) && r.FirstSeen == "" {
		return nil, noStoryType
	}
	return textArticle(r)
}

// textArticle is storyArticle for pages of any type.
func textArticle(r *sink.Record) (a *stories.Article, why string) {
	id := cmp.Or(string(r.ID), r.URL)
	switch {
	case r.Error != "":
		return nil, noStoryFailed
	case strings.TrimSpace(r.Text) == "":
		return nil, noStoryText
	case id == "":
		return nil, noStoryID
	}
	return &stories.Article{
		ID: id, URL: r.URL, Site: cmp.Or(r.Site, hostOf(r.URL)), Title: r.Title, Text: r.Text, Lang: r.Lang,
		Published: published(r.Date), FirstSeen: recordTime(r.FirstSeen).UTC(),
	}, ""
}

// lineArticle is storyArticle for a line of a batch.
func lineArticle(l *batch.Line) (a *stories.Article, why string) {
	return storyArticle(&sink.Record{
		ID: sink.Text(l.ID), URL: l.URL, Site: l.Site, Title: l.Title, Text: l.Text, Lang: l.Lang,
		Date: sink.Text(l.Date), FirstSeen: sink.Text(l.FirstSeen), Type: string(l.Type), Error: l.Error,
	})
}

// hostOf returns the host of an address without "www.", or "".
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// dayEnd is what is added to midnight if only the day of an article is known. It must
// not be taken for the first of those that say the time.
const dayEnd = 24*time.Hour - time.Second

// published returns the time of publication of a record, or zero. Midnight stands for
// the day, as most sites mean it.
func published(s sink.Text) time.Time {
	t := recordTime(s)
	if h, m, sec := t.Clock(); !t.IsZero() && h == 0 && m == 0 && sec == 0 {
		t = t.Add(dayEnd)
	}
	return t.UTC()
}

// isDay reports whether a time stands for a day.
func isDay(t time.Time) bool { return t.Equal(t.Truncate(24 * time.Hour).Add(dayEnd)) }

// recordTime returns a time of a record, or zero.
func recordTime(s sink.Text) time.Time {
	var d article.Date
	if d.UnmarshalText([]byte(s)) == nil && d.Time.Year() >= 1700 && d.Time.Year() <= 2200 { // others are mistakes
		return d.Time
	}
	t, _ := metadata.ParseTime(string(s))
	return t
}

// storyInput reads articles.
type storyInput struct {
	paths []string
	stdin io.Reader
	// leftOut counts the records that were left out, by the reason.
	leftOut map[string]int
	// bad is the first record that could not be read.
	bad error
}

// check returns an error for inputs that cannot be read, before any is.
func (in *storyInput) check() error {
	for i, path := range in.paths {
		if path == "-" {
			if i > 0 {
				return errors.New("- for standard input must be the first argument")
			}
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return cli.Fail(err)
		}
		if err := sink.Readable(path); err != nil {
			return err
		}
	}
	return nil
}

// each calls do with every record that convert turns into an article.
func (in *storyInput) each(ctx context.Context, convert func(*sink.Record) (*stories.Article, string), do func(*stories.Article) error) error {
	in.leftOut = map[string]int{}
	for _, path := range in.paths {
		for r, err := range sink.Read(ctx, path, in.stdin) {
			if bad := new(sink.LineError); errors.As(err, &bad) {
				in.leftOut[noStoryLine]++
				if in.bad == nil {
					in.bad = err
				}
				continue
			}
			if err != nil {
				return err
			}
			a, why := convert(r)
			if a == nil {
				in.leftOut[why]++
				continue
			}
			if err := do(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// report says what was left out. With quiet, only lines that could not be read are reported.
func (in *storyInput) report(w io.Writer, quiet bool) {
	if len(in.leftOut) > 0 && !quiet {
		fmt.Fprintf(w, "lede: left out: %s\n", largest(in.leftOut, len(in.leftOut)))
	}
	if in.bad != nil {
		fmt.Fprintf(w, "lede: %s\n", cli.OneLine(in.bad))
	}
}
