package main

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/internal/placing"
)

func newStepTexts() *cobra.Command {
	var workers int
	var text, unreadable bool
	cmd := &cobra.Command{
		Use:   "texts",
		Short: "Prepare articles for the steps that find copies and stories",
		Long: `Prepare articles for the steps that find copies and stories.

Input: lines as lede batch writes them. The fields id, url, site, title, text, lang, date,
first_seen, type and error are used. row, if there is one, may be anything.

Output: a line for each article that has a story. Pages that failed, pages without text,
and pages whose type is index or other have none.
  row        as in the input
  id, url, site, title, lang
  published  time of publication in ms since 1970; null if unknown or not believed
  seen       when it was first seen in ms; null if unknown
  time       the time that counts in ms; null if unknown: then it is that of the latest
             article of all, or 0 if none has a time
  order      the order of articles: compare it byte by byte
  hash       of the text; articles with the same hash have the same text
  size       of the text in bytes
  shingles   how many runs of four words the text has
  keys       numbers by which copies are found; the first is that of the whole text
  shared     false if the text is too short for copies
  text       with --text
With --unreadable, a line that cannot be read has a line with error.

Of articles with the same id and hash, all but the first in the order are left out. Number
the others in the order. The number of a text, its node, is that of its first article.`,
		Example: `  lede step texts < articles.jsonl > texts.jsonl`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := newLineWriter(cmd.OutOrStdout())
			s := step[textsIn, []byte]{cmd: cmd, workers: workers, take: out.writeBytes}
			s.prepare = func(_ context.Context, in *textsIn) ([]byte, error) {
				line := stepText(in)
				if line == nil {
					return nil, nil
				}
				if text {
					line.Text = in.Text
				}
				return jsonLine(line)
			}
			if unreadable {
				s.unreadable = func(err error) ([]byte, error) { return jsonLine(map[string]string{"error": err.Error()}) }
			}
			return out.finish(s.run())
		},
	}
	stepWorkers(cmd, &workers)
	cmd.Flags().BoolVar(&text, "text", false, "write the text as well")
	cmd.Flags().BoolVar(&unreadable, "unreadable", false, "write a line with error for a line that cannot be read, and go on")
	return cmd
}

// textsIn is a line of the input of lede step texts.
type textsIn struct {
	sink.Record
	Row json.RawMessage `json:"row"`
}

// articleLine is what the lines of several steps have of an article. Times are in ms.
type articleLine struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Site      string `json:"site"`
	Title     string `json:"title"`
	Lang      string `json:"lang"`
	Published *int64 `json:"published"`
	Seen      *int64 `json:"seen"`
	Time      *int64 `json:"time"`
}

// textsOut is a line of its output.
type textsOut struct {
	Row json.RawMessage `json:"row,omitempty"`
	articleLine
	Order    string   `json:"order"`
	Hash     string   `json:"hash"`
	Size     int64    `json:"size"`
	Shingles int      `json:"shingles"`
	Keys     []uint64 `json:"keys"`
	Shared   bool     `json:"shared"`
	Text     string   `json:"text,omitempty"`
}

// stepText returns what the steps need of an article, or nil if it has no story.
func stepText(in *textsIn) *textsOut {
	a, _ := storyArticle(&in.Record)
	if a == nil {
		return nil
	}
	rank, text := placing.NewRank(a), placing.NewText(a)
	out := &textsOut{
		Row: in.Row,
		articleLine: articleLine{
			ID: a.ID, URL: a.URL, Site: a.Site, Title: a.Title, Lang: a.Lang,
			Published: knownTime(rank.Published), Seen: knownTime(rank.Seen), Time: knownTime(rank.Time()),
		},
		Order: placing.OrderText(a, &rank, text.Hash), Hash: hex.EncodeToString(text.Hash[:]),
		Size: rank.Size, Shingles: text.Shingles.Len(), Keys: text.Keys, Shared: text.Shared,
	}
	if out.Time != nil {
		*out.Time = placing.Clamp(*out.Time)
	}
	return out
}

// knownTime returns a time for JSON.
func knownTime(ms int64) *int64 {
	if ms == placing.Unknown {
		return nil
	}
	return &ms
}

// timeOrUnknown is the reverse of knownTime.
func timeOrUnknown(ms *int64) int64 {
	if ms == nil {
		return placing.Unknown
	}
	return *ms
}
