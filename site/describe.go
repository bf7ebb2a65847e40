package site

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Describe writes what is known about the site in words.
func (p *Profile) Describe(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s read", p.name, count(p.pages, "page"))
	if n := len(p.templates); n > 1 {
		fmt.Fprintf(&b, ", made in %d ways", n)
	}
	b.WriteString("\n")
	byUse := slices.SortedFunc(slices.Values(p.templates), func(a, b *template) int { return cmp.Compare(b.Pages, a.Pages) })
	for i, t := range byUse {
		if len(byUse) > 1 {
			fmt.Fprintf(&b, "\nTemplate %d: %s", i+1, count(t.Pages, "page"))
			if ago := p.pages - t.Used; ago > 0 {
				fmt.Fprintf(&b, ", the last of them %s ago", count(ago, "page"))
			}
			b.WriteString("\n")
		}
		t.describe(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (t *template) describe(b *strings.Builder) {
	if !t.isKnown() {
		b.WriteString("  Too few pages to tell what is the same on all of them; three are needed.\n")
		return
	}
	t.Headlines.describe(b, "Headline", t.Stories)
	t.Bodies.describe(b, "Body", t.Stories)
	if len(t.Suffixes) > 0 && t.Suffixes[0].Count >= minWeight && t.Suffixes[0].Count >= t.Stories/2 {
		fmt.Fprintf(b, "  %-9s end in %q, on %s\n", "Titles", t.Suffixes[0].Name, percent(t.Suffixes[0].Count, t.Stories))
	}
	static, outside := 0, 0
	for _, e := range t.Rows {
		if t.isStatic(e.key) {
			static++
		}
	}
	for _, e := range t.Dropped {
		if t.isOutside(e.key) {
			outside++
		}
	}
	if outside > 0 {
		fmt.Fprintf(b, "  %-9s %s of the page never part of a story\n", "Tail", count(outside, "place"))
	}
	fmt.Fprintf(b, "  %-9s %s the same on all pages", "Static", count(static, "row"))
	texts := slices.Sorted(maps.Values(t.Words))
	if len(texts) == 0 {
		b.WriteString("\n")
		return
	}
	b.WriteString(", such as\n")
	for _, s := range texts[:min(len(texts), maxShown)] {
		fmt.Fprintf(b, "              %s\n", strings.Join(strings.Fields(s), " "))
	}
}

func (v votes) describe(b *strings.Builder, what string, stories float32) {
	if len(v) > 0 && v[0].Count >= minWeight {
		fmt.Fprintf(b, "  %-9s %s, on %s\n", what, v[0].Name, percent(v[0].Count, stories))
	}
}

const maxShown = 12 // static rows of a template

func percent(part, all float32) string {
	return fmt.Sprintf("%.0f %% of the stories", min(100, 100*part/max(all, 0.01)))
}
