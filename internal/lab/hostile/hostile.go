// Package hostile makes pages that are meant to be expensive, for tests, and searches
// for more expensive ones.
//
// A page is described by a [Recipe], a list of pieces and of how much of the page each
// of them fills, so that it can be made in any size, changed by a search, and read by
// people.
package hostile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Part repeats a piece of markup until it fills its share of a page. In a piece, {i} is
// the number of the repetition.
type Part struct {
	Piece string
	Close string // written as often as Piece, after all of them
	Share int    // of the page, relative to the other parts; 0: once
}

// A Recipe describes a page of any size.
type Recipe struct {
	Name  string // of the kind that it comes from
	Parts []Part
}

// Page returns a page of about the given size. It is smaller if no part has a share.
func (r Recipe) Page(size int) []byte {
	shares, once := 0, 0
	for _, p := range r.Parts {
		shares += p.Share
		if p.Share == 0 {
			once += len(p.Piece) + len(p.Close)
		}
	}
	b := make([]byte, 0, size+size/8)
	for _, p := range r.Parts {
		part := 0
		if shares > 0 {
			part = max(0, size-once) * p.Share / shares
		}
		b = p.appendTo(b, part)
	}
	return b
}

func (p Part) appendTo(b []byte, size int) []byte {
	if p.Piece == "" {
		return b
	}
	start, n := len(b), 0
	for n == 0 || len(b)-start+n*len(p.Close) < size {
		b = appendNumbered(b, p.Piece, n)
		n++
	}
	for range n {
		b = append(b, p.Close...)
	}
	return b
}

// appendNumbered appends a piece with its number.
func appendNumbered(b []byte, piece string, i int) []byte {
	for {
		before, after, ok := strings.Cut(piece, "{i}")
		b = append(b, before...)
		if !ok {
			return b
		}
		b = strconv.AppendInt(b, int64(i), 10)
		piece = after
	}
}

// String describes the recipe in one line.
func (r Recipe) String() string {
	var b strings.Builder
	b.WriteString(r.Name + ":")
	for _, p := range r.Parts {
		fmt.Fprintf(&b, " %d×%s", p.Share, shorten(p.Piece))
		if p.Close != "" {
			b.WriteString(" …" + shorten(p.Close))
		}
	}
	return b.String()
}

// shorten quotes a piece and leaves out the middle of a long one.
func shorten(s string) string {
	const most = 120
	if len(s) > most {
		return fmt.Sprintf("%q…%q (%d bytes)", s[:most/2], s[len(s)-most/2:], len(s))
	}
	return strconv.Quote(s)
}

// clone returns a copy that can be changed.
func (r Recipe) clone() Recipe { return Recipe{r.Name, slices.Clone(r.Parts)} }
