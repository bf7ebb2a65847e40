package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/stories"
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
	ID         string         `json:"id"`
	URL        string         `json:"url"`
	Site       string         `json:"site"`
	Title      string         `json:"title"`
	Lang       string         `json:"lang"`
	Date       string         `json:"date"`
	FirstSeen  string         `json:"first_seen,omitempty"`
	Score      float64        `json:"score"`
	Reason     string         `json:"reason,omitempty"`
	CopyOf     string         `json:"copy_of,omitempty"`
	CopiedFrom string         `json:"copied_from,omitempty"`
	Shared     *float64       `json:"shared,omitempty"`
	Added      *float64       `json:"added,omitempty"`
	Cut        *float64       `json:"cut,omitempty"`
	Edits      []stories.Edit `json:"edits,omitempty"`
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

// copiesIn returns the number of listed articles that are copies.
func copiesIn(s *store.Story) (n int) {
	for i := range s.Members {
		if s.Members[i].CopyOf != "" {
			n++
		}
	}
	return n
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

// linesFormat returns how lines are compressed by the ending of a name: "", ".gz" or
// ".zst".
func linesFormat(path string) (compression string, err error) {
	name := strings.ToLower(filepath.Base(path))
	if ext := filepath.Ext(name); ext == ".gz" || ext == ".zst" {
		compression, name = ext, strings.TrimSuffix(name, ext)
	}
	if ext := filepath.Ext(name); ext != ".jsonl" && ext != ".ndjson" {
		return "", fmt.Errorf("%s: the ending of the name must say the format: .jsonl or .ndjson, also with .gz or .zst after it, or .db for an index", path)
	}
	return compression, nil
}

// linesFile writes JSON lines to a file, which may be compressed, or to standard output.
type linesFile struct {
	*cli.OutFile
	w     io.Writer
	close func() error
	enc   *json.Encoder
}

func openLines(path string, stdout io.Writer) (*linesFile, error) {
	compression := ""
	if path == "" {
		path = "-"
	}
	if path != "-" {
		var err error
		if compression, err = linesFormat(path); err != nil {
			return nil, err
		}
	}
	out, err := cli.OpenOut(path, stdout)
	if err != nil {
		return nil, err
	}
	f := &linesFile{OutFile: out, w: out, close: func() error { return nil }}
	switch compression {
	case ".gz":
		z := gzip.NewWriter(out)
		f.w, f.close = z, z.Close
	case ".zst":
		z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, out.Finish(err)
		}
		f.w, f.close = z, z.Close
	}
	w := bufio.NewWriterSize(f.w, 1<<16)
	flush := f.close
	f.close = func() error { return errors.Join(w.Flush(), flush()) }
	f.enc = json.NewEncoder(w)
	f.enc.SetEscapeHTML(false)
	return f, nil
}

func (f *linesFile) encode(v any) error { return f.enc.Encode(v) }

// finish completes the file, or removes it if there was an error.
func (f *linesFile) finish(err error) error {
	return f.OutFile.Finish(errors.Join(err, f.close()))
}
