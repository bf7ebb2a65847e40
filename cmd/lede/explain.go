package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede"
)

// explain writes what became of every block of text on the page.
func explain(w io.Writer, name string, x *lede.Explanation) error {
	a := x.Article
	var b strings.Builder
	if name == "-" {
		name = "standard input"
	}
	fmt.Fprintf(&b, "%s\n", name)
	fmt.Fprintf(&b, "method      %s\n", a.Method)
	fmt.Fprintf(&b, "type        %s, confidence %.2f%s\n", a.Type, a.Confidence, flags(a))
	fmt.Fprintf(&b, "title       %s%s\n", a.Title, from(x.Sources["title"]))
	fmt.Fprintf(&b, "authors     %s%s\n", a.Byline(), from(x.Sources["authors"]))
	fmt.Fprintf(&b, "published   %s%s\n", a.Published, from(x.Sources["published"]))
	var kept, dropped, hidden int
	decisions := x.Decisions()
	for _, v := range decisions {
		n := utf8.RuneCountInString(v.Text)
		switch v.Role {
		case "kept":
			kept += n
		case "hidden":
			hidden += n
		default:
			dropped += n
		}
	}
	fmt.Fprintf(&b, "characters  %d kept, %d dropped, %d hidden from readers\n\n", kept, dropped, hidden)
	for _, v := range decisions {
		fmt.Fprintf(&b, "%-7s %7.1f  %s\n", v.Role, v.Score, shorten(v.Text, 90))
		fmt.Fprintf(&b, "                 %s — %s\n", shortPath(v.Path), why(v))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// flags says what is unusual about a story.
func flags(a *lede.Article) string {
	var s string
	if a.Form != "" {
		s += ", " + string(a.Form)
	}
	if a.Paywalled {
		s += ", paywalled"
	}
	return s
}

func why(v lede.Decision) string {
	switch {
	case v.Role == "hidden":
		return "not shown to readers"
	case v.Role == "title":
		return "chosen as the headline"
	case v.Why == "":
		return "no reason given"
	}
	return v.Why
}

func from(source string) string {
	if source == "" {
		return ""
	}
	return "  (from " + source + ")"
}

// shortPath keeps the end of a path: the beginning is the same everywhere.
func shortPath(p string) string {
	const most = 5
	parts := strings.Split(p, ">")
	if len(parts) > most {
		parts = append([]string{"…"}, parts[len(parts)-most:]...)
	}
	return strings.Join(parts, ">")
}

func shorten(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
