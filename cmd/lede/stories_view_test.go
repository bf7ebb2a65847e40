package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/stories"
)

func viewDiff(before, after string, all bool) string {
	var b bytes.Buffer
	v := &storyView{w: &b, all: all}
	v.diff(stories.Diff(before, after))
	return b.String()
}

func TestDiffIsReadable(t *testing.T) {
	const old = "The ferry left Corran Island with forty passengers on Monday.\nNobody was hurt.\nThe captain was heard by a judge in Marston."
	got := viewDiff(old, "Rain fell all day in the harbour of Pellmouth.\nThe ferry left Corran Island with fifty passengers on Monday.\nNobody was hurt.", true)
	want := `    + Rain fell all day in the harbour of Pellmouth.
    ~ The ferry left Corran Island with [-forty-] {+fifty+} passengers on Monday.
      (1 paragraph unchanged)
    - The captain was heard by a judge in Marston.
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := viewDiff("渡船在星期一晚上搁浅了没有人受伤", "渡船在星期二晚上搁浅了没有人受伤", true); strings.Contains(strings.TrimSpace(got)[2:], " ") || !strings.Contains(got, "{+") {
		t.Errorf("spaces in Chinese: %s", got)
	}
}

// A diff is bounded unless all of it is asked for.
func TestDiffIsBounded(t *testing.T) {
	var before, after []string
	for i := range 100 {
		kept := fmt.Sprintf("Paragraph %d says the same in both of the texts as it did in the year %d.", i, 1900+i)
		before = append(before, kept, fmt.Sprintf("Cut%d gone%d away%d %s", i, i, i, strings.Repeat(fmt.Sprintf("long%d ", i), 100)))
		after = append(after, kept)
	}
	all := viewDiff(strings.Join(before, "\n"), strings.Join(after, "\n"), true)
	some := viewDiff(strings.Join(before, "\n"), strings.Join(after, "\n"), false)
	if n := strings.Count(all, "\n    - "); n < 99 {
		t.Errorf("%d of 100 cuts", n)
	}
	if !strings.HasSuffix(some, "    … and more changes; --all shows them\n") || len(some) > 20*shownRunes*shownEdits/10 {
		t.Errorf("%d bytes:\n%s", len(some), some)
	}
}
