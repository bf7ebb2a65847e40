package serve

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestUncover checks that a layer over the page is hidden, unless it has the article.
func TestUncover(t *testing.T) {
	const layer = `position:fixed;inset:0;background:#fff;overflow:auto`
	tab := openApp(t, Options{}, 1200, 900)
	for _, c := range []struct {
		name, page, at string
	}{
		{"consent dialog", strings.Replace(lookPage, "<body>", `<body><div id=consent style="`+layer+`"><p>We value your privacy.</p><button>Agree</button></div>`, 1), "main, article, body"},
		{"application", strings.NewReplacer("<main>", `<div id=app style="`+layer+`"><main>`, "</main>", "</main></div>").Replace(lookPage), "#app, #app *"},
	} {
		tab.openHTML(c.page)
		tab.choose("page")
		if !testkit.Evaluate[bool](tab.Tab, `(() => {
			const page = document.querySelector("#panel-page iframe").contentDocument;
			return page.elementFromPoint(page.defaultView.innerWidth / 2, page.defaultView.innerHeight / 2).closest(`+quote(c.at)+`) !== null && page.querySelector("[data-r=kept]").getClientRects().length > 0
				&& !page.querySelector("#consent")?.getClientRects().length;
		})()`) {
			t.Errorf("%s: the article is not visible", c.name)
		}
	}
	tab.checkRecord()
}
