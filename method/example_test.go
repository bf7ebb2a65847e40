package method_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// longParagraphs is a method that selects the paragraphs of at least Words
// words, unless most of the text is in links.
type longParagraphs struct{ Words int }

func (m longParagraphs) Name() string { return "long-paragraphs" }

func (m longParagraphs) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	d := p.Doc
	s := &method.Selection{Title: d.First(dom.H1)} // dom.None if there is no <h1>
	for n := range d.All(d.Root(), dom.P) {
		words, links := d.Words(n), d.LinkDensity(n)
		kept := words >= m.Words && links < 0.5
		if kept {
			s.Keep = append(s.Keep, n)
		}
		if !p.NoReasons {
			why := fmt.Sprintf("%d words, link density %.2f", words, links)
			s.Reasons = append(s.Reasons, method.Reason{Node: n, Kept: kept, Score: float64(words), Why: why})
		}
	}
	if len(s.Keep) == 0 {
		return nil, method.ErrNoContent
	}
	return s, nil
}

// A method of your own is a type with two methods.
func Example() {
	const page = `<html><head><title>Ferry returns | The Quay Courier</title></head><body>
<p><a href="/">Home</a> <a href="/news">News from the harbour</a> <a href="/sport">Sport and leisure</a></p>
<h1>Ferry returns</h1>
<p>The ferry to Saltmarsh End is back in service after a winter in the dock.</p>
<p>Advertisement</p>
<p>It will cross the bay six times a day, and twice on Sundays until May.</p>
</body></html>`

	a, err := lede.Extract(context.Background(), strings.NewReader(page), lede.WithCustomMethod(longParagraphs{Words: 8}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Title)
	fmt.Println(a.Text())
	// Output:
	// Ferry returns
	// The ferry to Saltmarsh End is back in service after a winter in the dock.
	// It will cross the bay six times a day, and twice on Sundays until May.
}

// Selections can be tested without extracting an article.
func ExampleSelection_Text() {
	d, err := dom.Parse(context.Background(), []byte("<p>Too short.</p><p>The ferry is back in service.</p>"), dom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := longParagraphs{Words: 3}.Select(context.Background(), &method.Page{Doc: d})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range s.Reasons {
		fmt.Println(r.Kept, r.Why)
	}
	fmt.Println(s.Text(d))
	// Output:
	// false 2 words, link density 0.00
	// true 6 words, link density 0.00
	// The ferry is back in service.
}
