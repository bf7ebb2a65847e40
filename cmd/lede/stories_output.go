package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/stories/store"
)

// storyLine is a story in JSON.
type storyLine struct {
	Story     string          `json:"story"`
	Headline  string          `json:"headline"`
	First     string          `json:"first"` // id of the article
	Papers    []string        `json:"papers"`
	Languages []string        `json:"languages"`
	Start     string          `json:"start"`
	End       string          `json:"end"`
	Terms     []string        `json:"terms"`
	Count     int             `json:"count"` // of articles; the list has at most store.MaxMembers
	Articles  []storyLineItem `json:"articles"`
}

// storyLineItem is an article of a story in JSON.
type storyLineItem struct {
	ID         string   `json:"id"`
	URL        string   `json:"url"`
	Site       string   `json:"site"`
	Title      string   `json:"title"`
	Lang       string   `json:"lang"`
	Date       string   `json:"date"`
	FirstSeen  string   `json:"first_seen,omitempty"`
	Score      float64  `json:"score"`
	Reason     string   `json:"reason,omitempty"`
	CopyOf     string   `json:"copy_of,omitempty"`
	CopiedFrom string   `json:"copied_from,omitempty"`
	Shared     *float64 `json:"shared,omitempty"`
	Added      *float64 `json:"added,omitempty"`
	Cut        *float64 `json:"cut,omitempty"`
}

func newStoryLine(s *store.Story) *storyLine {
	l := &storyLine{Story: s.ID, Headline: s.Headline, First: s.First.ID, Papers: notNil(s.Papers), Languages: notNil(s.Languages), Terms: notNil(s.Terms),
		Start: timeText(s.Start), End: timeText(s.End), Count: s.Articles, Articles: []storyLineItem{}}
	ids := map[int64]string{}
	for i := range s.Members {
		ids[s.Members[i].Number] = s.Members[i].ID
	}
	for i := range s.Members {
		m := &s.Members[i]
		item := storyLineItem{ID: m.ID, URL: m.URL, Site: m.Site, Title: m.Title, Lang: m.Lang, Date: timeText(m.Published), FirstSeen: timeText(m.FirstSeen),
			Score: rounded(m.Score), Reason: m.Reason, CopyOf: m.CopyOf}
		if m.Parent != 0 {
			o := m.Overlap
			shared, added, cut := rounded(o.Score()), rounded(1-o.InA), rounded(1-o.InB)
			item.CopiedFrom, item.Shared, item.Added, item.Cut = ids[m.Parent], &shared, &added, &cut
		}
		l.Articles = append(l.Articles, item)
	}
	return l
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// rounded returns a score with three decimals.
func rounded(x float64) float64 { return float64(int(x*1000+0.5)) / 1000 }

// timeText returns a time in RFC 3339, a day if it stands for one, or "" for zero.
func timeText(t time.Time) string {
	switch t = t.UTC(); {
	case t.IsZero():
		return ""
	case isDay(t):
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// writeJSON writes JSON lines to a file, which is compressed if its name ends in .gz, or to
// standard output for "-". There is no file after an error.
func writeJSON(path string, stdout io.Writer, write func(encode func(any) error) error) error {
	out, err := cli.OpenOut(path, stdout)
	if err != nil {
		return err
	}
	var w io.Writer = out
	end := func() error { return nil }
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		z := gzip.NewWriter(out)
		w, end = z, z.Close
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return out.Finish(errors.Join(write(enc.Encode), end()))
}

// readJSON calls do with every value of a file of JSON lines, which is standard input for "-".
func readJSON[T any](path string, stdin io.Reader, do func(*T) error) error {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		in = z
	}
	dec := json.NewDecoder(in)
	for n := 1; ; n++ {
		v := new(T)
		err := dec.Decode(v)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(v)
		}
		if err != nil {
			return fmt.Errorf("%s, record %d: %w", path, n, err)
		}
	}
}
