// Package hostile makes pages that are meant to be expensive, for tests, and searches
// for more expensive ones.
//
// A page is described by a [Recipe], a list of pieces and of how much of the page each
// of them fills, so that it can be made in any size, changed by a search, and read by
// people.
package hostile

import (
	_ "embed"
	"fmt"
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
		b = p.appendTo(b, max(0, size-once)*p.Share/max(1, shares))
	}
	return b
}

func (p Part) appendTo(b []byte, size int) []byte {
	if p.Piece == "" {
		return b
	}
	start, n, numbered := len(b), 0, strings.Contains(p.Piece, "{i}")
	for n == 0 || len(b)-start+n*len(p.Close) < size {
		piece := p.Piece
		if numbered {
			piece = strings.ReplaceAll(piece, "{i}", strconv.Itoa(n))
		}
		b = append(b, piece...)
		n++
	}
	return append(b, strings.Repeat(p.Close, n)...)
}

// String describes the recipe in one line.
func (r Recipe) String() string { return fmt.Sprintf("%s: %.300q", r.Name, fmt.Sprint(r.Parts)) }

// story is a short article, so that a page has one to extract.
var story = `<h1>The council builds a bridge</h1>` +
	strings.Repeat("<p>The council of Marston met on Monday and decided, after a long debate, to build the bridge over the river.</p>\n", 12)

// kindsFile has a kind in each line: its name and its parts, separated by tabs. A part
// is once, fill or nest with a quoted piece, and close with what ends a nested piece.
// {story} is the article, {long} a long word.
//
//go:embed kinds.txt
var kindsFile string

// Kinds returns kinds of hostile pages. Each has a short article, before or after what is
// hostile about it.
func Kinds() (list []Recipe) {
	for line := range strings.Lines(kindsFile) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		r := Recipe{Name: fields[0]}
		for _, field := range fields[1:] {
			word, quoted, _ := strings.Cut(field, " ")
			piece, err := strconv.Unquote(quoted)
			if err != nil {
				panic("kinds.txt: " + fields[0] + ": " + err.Error())
			}
			piece = strings.NewReplacer("{story}", story, "{long}", strings.Repeat("x", 4000)).Replace(piece)
			switch word {
			case "close":
				r.Parts[len(r.Parts)-1].Close = piece
			case "once":
				r.Parts = append(r.Parts, Part{Piece: piece})
			default:
				r.Parts = append(r.Parts, Part{Piece: piece, Share: 1})
			}
		}
		list = append(list, r)
	}
	return list
}
