package batch

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
)

// titled returns an article whose title is the link text of the page.
func titled(_ context.Context, in Input, _ io.Reader) (*article.Article, error) {
	return &article.Article{Title: in.LinkText}, nil
}

const linked = `{"id":"own","url":"https://quay.example/1","html":"<p>a","link_text":"Own text"}
{"id":"found","url":"https://quay.example/2","html":"<p>a"}
{"id":"none","url":"https://quay.example/3","html":"<p>a"}
{"id":"nowhere","html":"<p>a"}
{"id":"failed","url":"https://quay.example/2","link_text":7}
`

// linkText is an Options.LinkText.
func linkText(url string) string {
	return map[string]string{"https://quay.example/1": "Another text", "https://quay.example/2": "Found text", "": "Wrong text"}[url]
}

func TestLinkTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	write(t, path, linked)
	var got []string
	stats, err := Run(t.Context(), source(path).Inputs(), titled, func(r *Result) error {
		got = append(got, r.Line.ID+": "+r.Line.Title)
		return nil
	}, Options{LinkText: linkText})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"own: Own text", "found: Found text", "none: ", "nowhere: ", "pages.jsonl:5: "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if stats.LinkTexts != 2 || stats.Failed != 1 {
		t.Errorf("got %+v", stats)
	}
}

// TestLinkTextsResumed checks that a run that crashes after every page gives the same
// texts and counts.
func TestLinkTextsResumed(t *testing.T) {
	dir := t.TempDir()
	path, journal := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "out.journal")
	write(t, path, linked)
	sink, mode := &memorySink{}, Begin
	var probed []string
	for crashes := 0; ; crashes++ {
		j := openRun(t, journal, source(path), mode)
		mode = Resume
		sink = sink.reopen(j.State())
		most := len(sink.lines) + 1
		stats, err := j.Run(t.Context(), titled, sink, Options{
			Workers: 1, LinkText: linkText, CheckpointPages: 1,
			Progress: func(s Stats) { sink.full = s.Done >= most },
			Probe: func(_ context.Context, in Input) error {
				probed = append(probed, in.ID+": "+in.LinkText)
				return nil
			},
		})
		if err != nil {
			j.inFlight.set(0, int64(len(sink.safe)))
			crash(j)
			continue
		}
		if stats.LinkTexts != 2 || stats.Done != 5 || crashes < 4 {
			t.Errorf("after %d crashes: %+v", crashes, stats)
		}
		if all := strings.Join(sink.lines, ""); !strings.Contains(all, `"title":"Own text"`) || !strings.Contains(all, `"title":"Found text"`) {
			t.Errorf("got %s", all)
		}
		if want := []string{"found: Found text", "none: ", "nowhere: "}; !slices.Equal(probed, want) {
			t.Errorf("probed %q, want %q", probed, want)
		}
		if err := j.Remove(); err != nil {
			t.Error(err)
		}
		return
	}
}
