package hostile

import (
	_ "embed"
	"strconv"
	"strings"
)

// story is a short article, so that a page has one to extract.
var story = `<h1>The council builds a bridge</h1>` +
	strings.Repeat("<p>The council of Marston met on Monday and decided, after a long debate, to build the bridge over the river.</p>\n", 12)

// kindsFile has a kind in each line: its name and its parts, separated by tabs. A part
// is once, fill or nest with a quoted piece, and close with what ends a nested piece.
// {story} is the article.
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
			piece = strings.ReplaceAll(piece, "{story}", story)
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
