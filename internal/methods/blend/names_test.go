package blend

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/method"
)

// randomNames are what programs give elements for names. Each returns a new name.
var randomNames = map[string]func(r *rand.Rand) string{
	"UUID": func(r *rand.Rand) string {
		h := randomHex(r, 16)
		return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
	},
	"hash":       func(r *rand.Rand) string { return randomHex(r, 6) },
	"named hash": func(r *rand.Rand) string { return "p-" + randomHex(r, 6) },
	"number":     func(r *rand.Rand) string { return fmt.Sprintf("c%d", r.IntN(1e6)) },
	"CSS in JS":  func(r *rand.Rand) string { return "css-" + randomLetters(r, "abcdefghijklmnopqrstuvwxyz0123456789", 6) },
	"two components": func(r *rand.Rand) string {
		return "sc-" + randomLetters(r, letters, 6) + " " + randomLetters(r, letters, 6)
	},
	"CSS module": func(r *rand.Rand) string { return "x_y__" + randomLetters(r, letters+"0123456789", 5) },
	"base64": func(r *rand.Rand) string {
		b := make([]byte, 12)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return base64.RawURLEncoding.EncodeToString(b)
	},
}

// mayHaveWords has the kinds of names that have a word of two letters now and
// then, such as "wl6390". Two paragraphs may be lost by such an accident.
var mayHaveWords = map[string]bool{"CSS in JS": true, "two components": true, "CSS module": true, "base64": true}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func randomHex(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return hex.EncodeToString(b)
}

func randomLetters(r *rand.Rand, from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[r.IntN(len(from))]
	}
	return string(b)
}

// namelessPage is a page whose elements tell the story, with a random name for
// each of them.
func namelessPage(name func() string) string {
	attrs := func() string { return fmt.Sprintf(" class=%q id=%q", name(), name()) }
	var b strings.Builder
	fmt.Fprintf(&b, "<html%s><title>The ferry is back | The Coast</title><body%s><nav%s>", attrs(), attrs(), attrs())
	for _, s := range []string{"Home", "News", "Sport", "Weather"} {
		fmt.Fprintf(&b, "<a href=/%s%s>%s</a> ", s, attrs(), s)
	}
	fmt.Fprintf(&b, "</nav><main%s><article%s><h1%s>The ferry is back</h1>", attrs(), attrs(), attrs())
	for i := range paragraphs {
		fmt.Fprintf(&b, "<p%s>%s</p>", attrs(), fmt.Sprintf(sentences[i%len(sentences)], i+1, attrs()))
	}
	fmt.Fprintf(&b, "</article></main><footer%s><p%s>© The Coast</p></footer>", attrs(), attrs())
	return b.String()
}

const paragraphs = 20

var sentences = []string{
	"On day %d the ferry left the <span%s>old pier</span> with a hundred passengers, who had waited for two hours in the rain, the harbour master said.",
	"“It took %d weeks to repair the hull, and nobody had <span%s>believed</span> in it,” said the harbour master, who has worked there since 1998. “Now it floats again.”",
	"The harbour master counted %d boats in the <span%s>bay</span>. Most of them came from the islands, where the school had closed for the day.",
	"Tickets cost %d crowns. Children travel for nothing, and so do dogs, the harbour master added, as long as they <span%s>behave</span> on deck.",
	"The next ferry leaves at %d minutes past six. It will be the last before <span%s>winter</span>, when ice closes the bay and the harbour master goes home.",
}

// TestRandomNames checks that names that mean nothing change nothing: no
// paragraph is lost, and all pages have the same text.
func TestRandomNames(t *testing.T) {
	m := New(Config{})
	text := func(page string) string {
		d := methodtest.Parse(t, page)
		s, err := m.Select(context.Background(), &method.Page{Doc: d, NoReasons: true})
		if err != nil {
			t.Fatal(err)
		}
		return s.Text(d)
	}
	want := text(namelessPage(func() string { return "" }))
	if n := strings.Count(want, "harbour master"); n != paragraphs {
		t.Fatalf("%d paragraphs without names, want %d", n, paragraphs)
	}
	for kind, name := range randomNames {
		for seed := range 50 {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			got := text(namelessPage(func() string { return name(r) }))
			lost := paragraphs - strings.Count(got, "harbour master")
			if mayHaveWords[kind] && lost <= 2 {
				continue
			}
			if got != want {
				t.Errorf("names of kind %s, seed %d: %d of %d paragraphs lost", kind, seed, lost, paragraphs)
				break
			}
		}
	}
}
