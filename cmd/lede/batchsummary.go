package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/batch"
)

// summary is a run in one line.
func summary(s batch.Stats) string {
	seconds := max(s.Elapsed.Seconds(), 0.001)
	text := fmt.Sprintf("%d pages in %v, %.0f pages/s, %.1f MB/s", s.Done, s.Elapsed.Round(10*time.Millisecond),
		float64(s.Done)/seconds, float64(s.Bytes)/1e6/seconds)
	if s.Failed > 0 {
		text += fmt.Sprintf("; %d failed, see the lines with \"error\"", s.Failed)
	}
	return text
}

// details is what the pages were, in a few lines.
func details(w io.Writer, s batch.Stats) {
	const few = 8
	say := func(what, text string) {
		if text != "" {
			fmt.Fprintf(w, "lede:   %-12s %s\n", what, text)
		}
	}
	say("errors", most(s.Errors, few))
	say("types", most(s.Types, few))
	say("languages", most(s.Langs, few))
	var confidence []string
	for _, from := range slices.Sorted(maps.Keys(s.Confidence)) {
		confidence = append(confidence, fmt.Sprintf("%d from %s", s.Confidence[from], from))
	}
	say("confidence", strings.Join(confidence, ", "))
	say(fmt.Sprintf("%d sites", len(s.Sites)), most(s.Sites, few))
	count := func(n int, text string) {
		if n > 0 {
			say("", fmt.Sprintf(text, n))
		}
	}
	count(int(s.Lost), "%d bytes of archives are broken and were passed over; lines of the kind \"source\" say where")
	count(s.Partial, "%d pages were cut off by a limit; their lines say \"partial\"")
	count(s.Repeated, "about %d ids came more than once; each page has its own line")
	count(s.Quarantined, "%d pages crashed lede or hang, and are in quarantine; please report them")
}
