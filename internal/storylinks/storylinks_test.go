package storylinks

import (
	"context"
	"testing"

	"github.com/lede-news/lede/dom"
)

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const home = `<nav><a href="/politics">Politics</a> <a href="/sport/">Sport</a> <a href="/login">Log in</a></nav>
<h2><a href="/2024/05/17/cranes-return-to-the-harbour-after-ten-years/">Cranes return to the harbour after ten years</a></h2>
<a href="/2024/05/17/ferry-runs-aground-off-the-northern-pier/">Ferry runs aground off the northern pier</a>
<a href="/2024/05/17/ferry-runs-aground-off-the-northern-pier/#comments">12 comments</a>
<a href="#top">To the top</a> <a href="mailto:desk@quay.example">Write to us</a>
<footer><a href="/privacy-policy">Privacy Policy</a> <a href="https://www.facebook.com/quay">Facebook</a></footer>`

func TestJudge(t *testing.T) {
	want := map[string]bool{
		"https://quay.example/2024/05/17/cranes-return-to-the-harbour-after-ten-years/": true,
		"https://quay.example/2024/05/17/ferry-runs-aground-off-the-northern-pier/":     true,
	}
	sections := map[string]bool{"https://quay.example/politics": true, "https://quay.example/sport/": true}
	got := Judge(parse(t, home), "https://quay.example/")
	if len(got) != 7 {
		t.Errorf("%d links", len(got))
	}
	for _, v := range got {
		if v.Story != want[v.URL] || v.Section != sections[v.URL] || v.Why == "" || v.Node == dom.None {
			t.Errorf("%+v", v)
		}
	}
}
