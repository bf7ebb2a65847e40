package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// vector is a piece of hostile markup of testdata/vectors.txt.
type vector struct {
	n          int    // number of its line, which is in all that it does
	slot, name string // where it goes, and what it is called
	text       string
}

var character = regexp.MustCompile(`\{U\+([0-9A-F]{4,6})\}`)

// readVectors reads all vectors. Their requests go to the canary.
func readVectors(t testing.TB, canary string) (list []vector) {
	t.Helper()
	file, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(file)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		slot, rest, _ := strings.Cut(line, "\t")
		name, text, ok := strings.Cut(rest, "\t")
		if !ok {
			t.Fatalf("line %d of the vectors has too few fields", i+1)
		}
		n := strconv.Itoa(i + 1)
		text = character.ReplaceAllStringFunc(text, func(s string) string {
			code, _ := strconv.ParseInt(s[3:len(s)-1], 16, 32)
			return string(rune(code))
		})
		text = strings.NewReplacer(
			"FIRE", "fire("+n+")", "NAME", n, "CANARY", canary+"/"+n, "HOST", strings.TrimPrefix(canary, "http://")+"/"+n,
			"DEEP", strings.Repeat("<div>", 600), "MANY", strings.Repeat("a b=c ", 3000),
		).Replace(text)
		if !strings.Contains(text, n) {
			t.Errorf("line %s does nothing: %s", n, text)
		}
		list = append(list, vector{i + 1, slot, name, text})
	}
	if len(list) < 500 {
		t.Errorf("only %d vectors", len(list))
	}
	return list
}

// hostilePage is a page with vectors.
type hostilePage struct {
	Names string `json:"-"` // of its vectors
	HTML  string `json:"html"`
	URL   string `json:"url"`
}

// hostilePages returns pages with all vectors. Those that go well with others are in
// one page with up to size-1 others.
func hostilePages(list []vector, size int) (pages []hostilePage) {
	var together []vector
	values := map[string][]vector{} // by slot
	for _, v := range list {
		switch v.slot {
		case "alone", "page", "ld":
			pages = append(pages, newHostilePage(v))
		case "body", "head":
			if together = append(together, v); len(together) == size {
				pages, together = append(pages, newHostilePage(together...)), nil
			}
		default:
			if size == 1 {
				pages = append(pages, newHostilePage(v))
			} else {
				values[v.slot] = append(values[v.slot], v)
			}
		}
	}
	if len(together) > 0 {
		pages = append(pages, newHostilePage(together...))
	}
	for i := 0; ; i++ {
		var one []vector
		for _, of := range values {
			if i < len(of) {
				one = append(one, of[i])
			}
		}
		if len(one) == 0 {
			return pages
		}
		pages = append(pages, newHostilePage(one...))
	}
}

// newHostilePage returns an article with vectors.
func newHostilePage(list ...vector) hostilePage {
	var names, head, body []string
	values := map[string]string{
		"title": "Harbour wall will be rebuilt by next year", "author": "Jane Roe", "date": "2026-03-02T10:00:00Z", "caption": "The wall on Tuesday", "alt": "A wall",
		"section": "Coast", "image": "https://paper.example/wall.jpg", "link": "https://paper.example/more", "canonical": "https://paper.example/wall", "address": "https://paper.example/wall",
	}
	for _, v := range list {
		names = append(names, v.name)
		switch v.slot {
		case "page":
			return hostilePage{v.name, v.text, values["address"]}
		case "head":
			head = append(head, v.text)
		case "body", "alone":
			body = append(body, v.text)
		default:
			values[v.slot] = v.text
		}
	}
	encoded, _ := json.Marshal(map[string]any{
		"@type": "NewsArticle", "headline": values["title"], "author": map[string]string{"@type": "Person", "name": values["author"]}, "datePublished": values["date"],
		"image": values["image"], "articleSection": values["section"], "url": values["canonical"],
	})
	e := func(slot string) string { return html.EscapeString(values[slot]) }
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title><meta property="og:title" content="%[1]s"><meta name="author" content="%s"><meta property="article:section" content="%s">`+
		`<meta property="og:image" content="%s"><link rel="canonical" href="%s"><script type="application/ld+json">%s</script>`, e("title"), e("author"), e("section"), e("image"), e("canonical"), encoded)
	if values["ld"] != "" {
		fmt.Fprintf(&b, `<script type="application/ld+json">%s</script>`, values["ld"])
	}
	fmt.Fprintf(&b, "%s</head><body><main><article><h1>%s</h1><p class=byline>By <a rel=author href=/jane>%s</a></p><time datetime=\"%s\">%[4]s</time>"+
		`<figure><img src="%s" alt="%s" width=600 height=300><figcaption>%s</figcaption></figure>`, strings.Join(head, "\n"), e("title"), e("author"), e("date"), e("image"), e("alt"), e("caption"))
	const words = "The wall of the old harbour, which broke in two places during the storm of last winter, will be rebuilt by the end of next year, the council said on Monday evening. "
	fmt.Fprintf(&b, "<p>%s%s</p><p>%s<a href=\"%s\">Half of the money</a> comes from the county.</p>\n", words, e("text"), words, e("link"))
	for _, text := range body {
		fmt.Fprintf(&b, "<p>%s</p>\n%s\n", words, text)
	}
	fmt.Fprintf(&b, "<p>%s</p><p>%[1]s</p></article></main><footer>The Paper</footer></body></html>", words)
	return hostilePage{strings.Join(names, "; "), b.String(), values["address"]}
}

// nakedPage returns a page with one vector, and values as a careless view would show
// them.
func nakedPage(v vector) string {
	switch v.slot {
	case "page":
		return v.text
	case "head":
		return "<!doctype html><head>" + v.text + "</head><body><p>Words."
	case "body", "alone":
		return "<!doctype html><body><p>Words.</p>" + v.text
	case "image", "link", "address", "canonical":
		return `<!doctype html><body><a href="` + v.text + `">words</a><img src="` + v.text + `">`
	case "ld":
		return `<!doctype html><script type="application/ld+json">` + v.text + `</script><p>Words.`
	}
	return "<!doctype html><body><p>" + v.text + `</p><input value="` + v.text + `">`
}
