package metadata

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func TestPlaces(t *testing.T) {
	const body = `<p>The ferry to Saltmarsh End is back in service after a winter in the dock, and nobody was happier than its crew.</p>`
	day := article.Date{Time: time.Date(2024, 5, 3, 0, 0, 0, 0, time.UTC), DayOnly: true}
	ann := []article.Author{{Name: "Ann Quay"}}
	for _, c := range []struct {
		name, page string
		shown      Shown
		want       map[string]string
	}{
		{"nothing", `<h1>Ferry</h1>` + body, Shown{}, map[string]string{"title": "Ferry"}},
		{"not shown", `<h1>Ferry</h1>` + body, Shown{Authors: ann, Published: day, Standfirst: "It came back on a Friday."}, map[string]string{"title": "Ferry"}},
		{"parts of a line", `<h1>Ferry</h1><p>Ann Quay, 3 May 2024</p>` + body, Shown{Authors: ann, Published: day},
			map[string]string{"title": "Ferry", "authors": "Ann Quay, 3 May 2024", "published": "Ann Quay, 3 May 2024"}},
		{"elements of a line", `<h1>Ferry</h1><p><b>Ann Quay</b> | <i>3 May 2024</i></p>` + body, Shown{Authors: ann, Published: day},
			map[string]string{"title": "Ferry", "authors": "Ann Quay", "published": "3 May 2024"}},
		{"month first", `<h1>Ferry</h1><p>5/3/2024</p>` + body, Shown{Published: day}, map[string]string{"title": "Ferry", "published": "5/3/2024"}},
		{"relative time", `<h1>Ferry</h1><p>Posted <time datetime="2024-05-03">two hours ago</time></p>` + body, Shown{Published: day},
			map[string]string{"title": "Ferry", "published": "two hours ago"}},
		{"date in parts", `<h1>Ferry</h1><p><i>3</i> <i>May</i> <i>2024</i></p>` + body, Shown{Published: day}, map[string]string{"title": "Ferry", "published": "3 May 2024"}},
		{"teaser of the same day", strings.Repeat(body, 20) + `<h1>Ferry</h1>` + strings.Repeat(body, 20) + `<p><a href=/>3 May 2024: Otter seen</a></p>`, Shown{Published: day}, map[string]string{"title": "Ferry"}},
		{"imprint", strings.Repeat(body, 20) + `<h1>Ferry</h1>` + strings.Repeat(body, 20) + `<p>Published on 3 May 2024</p>`, Shown{Published: day},
			map[string]string{"title": "Ferry", "published": "Published on 3 May 2024"}},
		{"other calendar", `<h1>Ferry</h1><p>3 พฤษภาคม 2567</p>` + body, Shown{Published: day, Lang: "th"}, map[string]string{"title": "Ferry", "published": "3 พฤษภาคม 2567"}},
		{"other day", `<h1>Ferry</h1><p>1 April 2024</p>` + body, Shown{Published: day}, map[string]string{"title": "Ferry"}},
		{"word with the name", `<h1>Ferry</h1><p>Joann Quay</p><p>Ann Quayle</p>` + body, Shown{Authors: ann}, map[string]string{"title": "Ferry"}},
		{"nearest to the headline", `<p>Ann Quay</p><h1>Ferry</h1><p>by Ann Quay</p>` + body, Shown{Authors: ann}, map[string]string{"title": "Ferry", "authors": "by Ann Quay"}},
		{"site", `<p>The Quay</p>` + strings.Repeat(body, 8) + `<h1>Ferry</h1>` + strings.Repeat(body, 20) + `<p>The Quay</p>`, Shown{Authors: []article.Author{{Name: "The Quay"}}, Site: "The quay"},
			map[string]string{"title": "Ferry"}},
		{"standfirst", `<h1>Ferry</h1><h2>It came back on “Friday”.</h2>` + body, Shown{Standfirst: `It came back on "Friday"`},
			map[string]string{"title": "Ferry", "standfirst": "It came back on “Friday”."}},
		{"description of the body", `<h1>Ferry</h1>` + body, Shown{Standfirst: "The ferry to Saltmarsh End is back in service"}, map[string]string{"title": "Ferry"}},
		{"Chinese", `<h1>渡轮恢复服务</h1><p>记者王小明 2024年5月3日</p>` + body, Shown{Authors: []article.Author{{Name: "王小明"}}, Published: day},
			map[string]string{"title": "渡轮恢复服务", "authors": "记者王小明 2024年5月3日", "published": "记者王小明 2024年5月3日"}},
	} {
		d, err := dom.Parse(t.Context(), []byte(c.page), dom.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.shown.Headline, c.shown.Body, c.shown.End = d.First(dom.H1), dom.None, dom.None
		got := map[string]string{}
		for what, n := range Places(d, c.shown) {
			got[what] = d.Text(n)
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: places %q, want %q", c.name, got, c.want)
		}
	}
}
