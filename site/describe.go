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
	byUse := slices.SortedFunc(slices.Values(p.templates), func(a, b *template) int { return cmp.Compare(b.pages, a.pages) })
	for i, t := range byUse {
		if len(byUse) > 1 {
			fmt.Fprintf(&b, "\nTemplate %d: %s", i+1, count(t.pages, "page"))
			if ago := p.pages - t.used; ago > 0 {
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
	for r, v := range t.habits {
		if len(v) > 0 && v[0].count >= minWeight {
			name := strings.ToUpper(roleNames[r][:1]) + roleNames[r][1:]
			fmt.Fprintf(b, "  %-9s %s, on %s\n", name, v[0].name, percent(v[0].count, t.stories))
		}
	}
	if len(t.suffixes) > 0 && t.suffixes[0].count >= minWeight && t.suffixes[0].count >= t.stories/2 {
		fmt.Fprintf(b, "  %-9s end in %q, on %s\n", "Titles", t.suffixes[0].name, percent(t.suffixes[0].count, t.stories))
	}
	outside := 0
	for _, e := range t.dropped {
		if t.isOutside(e.key) {
			outside++
		}
	}
	if outside > 0 {
		fmt.Fprintf(b, "  %-9s %s of the page never part of a story\n", "Tail", count(outside, "place"))
	}
	fmt.Fprintf(b, "  %-9s %s the same on all pages", "Static", count(len(t.staticRows()), "row"))
	texts := slices.Sorted(maps.Values(t.words))
	if len(texts) == 0 {
		b.WriteString("\n")
		return
	}
	b.WriteString(", such as\n")
	for _, s := range texts[:min(len(texts), maxShown)] {
		fmt.Fprintf(b, "              %s\n", strings.Join(strings.Fields(s), " "))
	}
}

const maxShown = 12 // static rows of a template

func percent(part, all float32) string {
	return fmt.Sprintf("%.0f %% of the stories", min(100, 100*part/max(all, 0.01)))
}
