package markup_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/markup"
)

// check parses a page with x/net and with markup and returns the first difference
// that is not among the departures.
func check(page []byte, scripting bool) error {
	err := compare(page, scripting)
	if err != nil && departs(page) {
		return nil
	}
	return err
}

func compare(page []byte, scripting bool) error {
	want, wantErr := html.ParseWithOptions(bytes.NewReader(sameDoctype(page)), html.ParseOptionEnableScripting(scripting))
	got, err := markup.Parse(context.Background(), page, markup.Options{Scripting: scripting})
	if (err != nil) != (wantErr != nil) {
		return fmt.Errorf("error %v, want %v", err, wantErr)
	}
	if err != nil {
		return nil
	}
	return sameTree(got.HTML()[markup.Root], want)
}

// checkBoth calls check with scripting on and off.
func checkBoth(t testing.TB, page string) bool {
	t.Helper()
	for _, scripting := range []bool{true, false} {
		if err := check([]byte(page), scripting); err != nil {
			t.Errorf("scripting %v: %v\nin %q\ngot\n%s\nwant\n%s", scripting, err, page, dump(page, scripting, true), dump(page, scripting, false))
			return false
		}
	}
	return true
}

// sameTree compares two trees.
func sameTree(got, want *html.Node) error {
	for {
		if err := sameNode(got, want); err != nil {
			return err
		}
		if want.FirstChild != nil {
			got, want = got.FirstChild, want.FirstChild
			continue
		}
		for want.NextSibling == nil {
			if want = want.Parent; want == nil {
				return nil
			}
			got = got.Parent
		}
		got, want = got.NextSibling, want.NextSibling
	}
}

func sameNode(got, want *html.Node) error {
	switch {
	case got.Type == html.CommentNode && want.Type == html.CommentNode:
		if data := html.UnescapeString(got.Data); data != want.Data {
			return fmt.Errorf("comment %q, want %q", data, want.Data)
		}
	case got.Type != want.Type || got.DataAtom != want.DataAtom || got.Data != want.Data || got.Namespace != want.Namespace:
		return fmt.Errorf("%s %q, want %s %q", got.Type, got.Data, want.Type, want.Data)
	case !slices.Equal(got.Attr, want.Attr):
		return fmt.Errorf("%q has %q, want %q", got.Data, got.Attr, want.Attr)
	}
	for _, link := range []struct {
		name      string
		got, want *html.Node
	}{
		{"parent", got.Parent, want.Parent},
		{"first child", got.FirstChild, want.FirstChild},
		{"last child", got.LastChild, want.LastChild},
		{"previous sibling", got.PrevSibling, want.PrevSibling},
		{"next sibling", got.NextSibling, want.NextSibling},
	} {
		switch {
		case (link.got == nil) != (link.want == nil):
			return fmt.Errorf("%q: %s is %q, want %q", got.Data, link.name, name(link.got), name(link.want))
		case link.got != nil && (link.got.Type != link.want.Type || link.got.Data != link.want.Data && link.got.Type != html.CommentNode):
			return fmt.Errorf("%q: %s is %q, want %q", got.Data, link.name, link.got.Data, link.want.Data)
		}
	}
	return nil
}

func name(n *html.Node) string {
	if n == nil {
		return "nothing"
	}
	return n.Data
}

// dump formats the tree of a page, ours or that of x/net.
func dump(page string, scripting, ours bool) string {
	var root *html.Node
	var err error
	if ours {
		var tree *markup.Tree
		if tree, err = markup.Parse(context.Background(), []byte(page), markup.Options{Scripting: scripting}); err == nil {
			root = tree.HTML()[markup.Root]
		}
	} else {
		root, err = html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(scripting))
	}
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for n := range root.Descendants() {
		depth := 0
		for range n.Ancestors() {
			depth++
		}
		fmt.Fprintf(&b, "%s%s %s %q %v\n", strings.Repeat("  ", depth), n.Type, n.Namespace, n.Data, n.Attr)
	}
	return b.String()
}

// fragments reads testdata/fragments.txt, a made-up piece of a page a line.
func fragments(tb testing.TB) []string {
	tb.Helper()
	file, err := os.ReadFile("testdata/fragments.txt")
	if err != nil {
		tb.Fatal(err)
	}
	bytes := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\f`, "\f", `\0`, "\x00", `\ufffd`, "\ufffd")
	var all []string
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			all = append(all, bytes.Replace(line))
		}
	}
	return all
}

// TestFragments compares every fragment by itself, inside a page and truncated.
func TestFragments(t *testing.T) {
	all := fragments(t)
	if len(all) < 500 {
		t.Fatalf("only %d fragments", len(all))
	}
	for _, f := range all {
		checkBoth(t, f)
		checkBoth(t, "<!DOCTYPE html><body><div><p><b>"+f+"</b>end")
		checkBoth(t, "<table><tr><td>"+f+"</td>end</table>end")
		checkBoth(t, "<svg><desc>"+f+"</svg>end")
		for i := range len(f) {
			if err := check([]byte(f[:i]), true); err != nil {
				t.Errorf("%q: %v", f[:i], err)
			}
		}
	}
}

// TestPairs compares pairs of short fragments.
func TestPairs(t *testing.T) {
	var short []string
	for _, f := range fragments(t) {
		if len(f) < 24 {
			short = append(short, f)
		}
	}
	step := 7
	if testing.Short() {
		step = 101
	}
	for i := 0; i < len(short)*len(short); i += step {
		checkBoth(t, short[i/len(short)]+short[i%len(short)])
		if t.Failed() {
			return
		}
	}
}

// vocabulary returns tag names for random pages.
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
	"<!-- c -->", "<!-->", "<!--x--!>", "<!DOCTYPE html>", "<![CDATA[x]]>", "<![CDATA[]]>", "<?x>", "<!x>", "--></script>", "<!--<script>",
}

var randomAttributes = []string{
	"", "", "", "", " id=x", " class='a b'", ` type="hidden"`, " type=text", " color=red", " encoding=text/html", " viewbox=1", " xlink:href=y",
	" definitionurl=1", " a=1 A=2", " b a", " /", " a=/", " x=&lt;", ` y="&lt=&ltx&lt;"`, " =x", " q\x00=\x00",
}

// randomPage concatenates random tags and texts.
func randomPage(rng *rand.Rand, words []string) string {
	var b strings.Builder
	if rng.IntN(3) == 0 {
		b.WriteString("<!DOCTYPE html>")
	}
	// With few kinds of tags their rules interact often.
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

// TestRandomPages compares random pages.
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

// runs returns how many random pages a test makes, and the seed. The environment
// variable LEDE_RANDOM_PAGES overrides the number and changes the seed.
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

// TestCorpora compares pages of all corpora, in the long form every page.
func TestCorpora(t *testing.T) {
	for _, name := range testkit.Corpora(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareFiles(t, testkit.CorpusFiles(t, testkit.Step(10, 100), name))
		})
	}
}

func compareFiles(t *testing.T, files []string) {
	departed := 0
	for _, f := range files {
		raw := testkit.Gunzip(t, f)
		page, _, err := charset.Decode(raw, charset.Hints{})
		if err != nil {
			page = raw // x/net accepts any bytes
		}
		for _, scripting := range []bool{true, false} {
			err := compare(page, scripting)
			if err != nil && departs(page) {
				departed++
			} else if err != nil {
				t.Errorf("%s, scripting %v: %v", f, scripting, err)
			}
		}
	}
	t.Logf("%d pages compared, %d trees depart from those of x/net", len(files), departed)
}

// TestSplicedPages compares pages made of random pieces of real ones.
func TestSplicedPages(t *testing.T) {
	files := testkit.CorpusFiles(t, 1, "*")
	rng := rand.New(rand.NewPCG(7, 11))
	sources := make([][]byte, 40)
	for i := range sources {
		sources[i] = testkit.Gunzip(t, files[rng.IntN(len(files))])
	}
	count, _ := runs(t, 20_000, 1_000)
	for bad := 0; count > 0 && bad < 3; count-- {
		var page []byte
		for range 2 + rng.IntN(8) {
			s := sources[rng.IntN(len(sources))]
			from := rng.IntN(len(s) + 1)
			page = append(page, s[from:min(len(s), from+rng.IntN(600))]...)
		}
		if !checkBoth(t, string(page)) {
			bad++
		}
	}
}

// FuzzParse compares arbitrary bytes.
func FuzzParse(f *testing.F) {
	for _, s := range fragments(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		for _, scripting := range []bool{true, false} {
			if err := check(page, scripting); err != nil {
				t.Errorf("scripting %v: %v\nin %q", scripting, err, page)
			}
		}
	})
}
