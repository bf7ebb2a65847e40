package markup_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// vocabulary has the names of random pages: all that have rules, and some more.
func vocabulary(t *testing.T) []string {
	words := strings.Fields("x-card custom checked onclick foreignObject mi mo annotation-xml mglyph malignmark clipPath " +
		"desc font font table table tr td tbody a a b p p div span svg math select option template template caption col colgroup frameset")
	for _, row := range rows(t, "elements.txt") {
		words = append(words, row[0])
	}
	return words
}

var randomTexts = []string{
	"word", " ", "\n", "\n\nx", "\r\n", "\r", "\x00", "a\x00b", "&amp;", "&ampx", "&notit;", "&#128;", "&#13;", "&#0;", "&", "<", "a < b", "</", "é",
	"<!-- c -->", "<!-->", "<!--x--!>", "<!DOCTYPE html>", "<![CDATA[x]]>", "<![CDATA[]]>", "</>", "<?x>", "<!x>", "--></script>", "<!--<script>",
}

var randomAttributes = []string{
	"", "", "", "", " id=x", " class='a b'", ` type="hidden"`, " type=text", " color=red", " encoding=text/html", " viewbox=1", " xlink:href=y",
	" definitionurl=1", " a=1 A=2", " b a", " /", " a=/", " x=&lt;", ` y="&lt=&ltx&lt;"`, " =x", " q\x00=\x00",
}

// randomPage strings tags and text together.
func randomPage(rng *rand.Rand, words []string) string {
	var b strings.Builder
	if rng.IntN(3) == 0 {
		b.WriteString("<!DOCTYPE html>")
	}
	// A page has few kinds of tags, so that they meet each other often.
	few := make([]string, 3+rng.IntN(9))
	for i := range few {
		few[i] = words[rng.IntN(len(words))]
	}
	for range 2 + rng.IntN(40) {
		name := few[rng.IntN(len(few))]
		switch rng.IntN(10) {
		case 0, 1, 2, 3, 4:
			b.WriteString("<" + name + randomAttributes[rng.IntN(len(randomAttributes))])
			if rng.IntN(12) == 0 {
				b.WriteString("/")
			}
			b.WriteString(">")
		case 5, 6, 7:
			b.WriteString("</" + name + ">")
		default:
			b.WriteString(randomTexts[rng.IntN(len(randomTexts))])
		}
	}
	return b.String()
}

// TestRandomPages compares pages that chance made.
func TestRandomPages(t *testing.T) {
	count, seed := runs(t, 50_000, 5_000)
	words := vocabulary(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	for bad := 0; count > 0 && bad < 3; count-- {
		if !checkBoth(t, randomPage(rng, words)) {
			bad++
		}
	}
}

// runs is how many pages a test makes up, and the seed for them. It makes up
// more, and others, when LEDE_RANDOM_PAGES says how many.
func runs(t *testing.T, usual, short int) (count int, seed uint64) {
	if s := os.Getenv("LEDE_RANDOM_PAGES"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("LEDE_RANDOM_PAGES is not a number: %v", err)
		}
		return n, uint64(n)
	}
	if testing.Short() {
		return short, 1
	}
	return usual, 1
}
