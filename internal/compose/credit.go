package compose

import (
	_ "embed" // the words that credits begin with
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

//go:embed credits.txt
var creditList string

// creditWords are the words of credits.txt. Read only.
var creditWords = strings.Fields(creditList)

// isCredit reports whether an element is named for who took the picture.
func isCredit(d *dom.Document, n dom.Node) bool {
	for _, word := range [...]string{"credit", "copyright", "photographer", "attribution"} {
		if hasWord(d, n, word) {
			return true
		}
	}
	return false
}

// cutCredit finds the credit at the end of a caption that does not mark it:
// "The harbour. Photo: Ann Lee", "The harbour (© Ann Lee)".
func cutCredit(caption string) (text, credit string) {
	const long = 80 // bytes: more is another sentence of the caption
	for from := len(caption); from > 0; {
		from = strings.LastIndexAny(caption[:from], ".([|/—–!?\n ") // where a credit may begin
		if from < 0 || len(caption)-from > long {
			break
		}
		_, size := utf8.DecodeRuneInString(caption[from:])
		if rest := caption[from+size:]; beginsCredit(rest) {
			text = strings.TrimRight(caption[:from+size], "([|/—– ")
			return text, strings.Trim(rest, " )]")
		}
	}
	if beginsCredit(caption) && len(caption) <= long {
		return "", caption
	}
	return caption, ""
}

func beginsCredit(s string) bool {
	if strings.HasPrefix(s, "©") {
		return true
	}
	const long = 30 // bytes of the longest word
	end := strings.IndexAny(s, ":：")
	return end >= 0 && end <= long && slices.Contains(creditWords, strings.ToLower(strings.TrimSpace(s[:end])))
}
