package compose

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
)

// TestNodes lists the nodes of a body from which headline and byline were dropped.
func TestNodes(t *testing.T) {
	d := parse(t, `<h1>A <b>wall</b></h1><p>By Ann Ferry</p><div><p>The wall holds.<button>Share</button></p>
<figure><img src="a.jpg" width=400><figcaption>The <i>wall</i></figcaption></figure><hr><pre>a
 b</pre><p>By Ann Ferry</p></div>`)
	body := Blocks(d, all(d), Options{URL: pageURL, Pictures: true})
	body = dropByline(DropHeadline(body, "A wall"), []article.Author{{Name: "Ann Ferry"}})
	var got []string
	for _, n := range body.Nodes() {
		if d.IsText(n) {
			got = append(got, strings.ReplaceAll(d.Text(n), "\n", " "))
		} else {
			got = append(got, "<"+d.Name(n)+">")
		}
	}
	if s := strings.Join(got, "|"); s != "The wall holds.|<img>|<figcaption>|The|wall|<hr>|a  b|By Ann Ferry" {
		t.Error(s)
	}
}
