package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestWebKeyboard uses every tab with keys only.
func TestWebKeyboard(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.headline(ferry)
	tab.eval(`document.activeElement.blur()`)

	// Tabs by number, by arrows, and in the address.
	for i, name := range []string{"article", "page", "methods", "facts", "export"} {
		tab.Keys(fmt.Sprint(i + 1))
		tab.drawn(name)
		tab.WaitFor(`document.activeElement.id === "tab-`+name+`" && location.hash === "#`+name+`"`, "the focus on "+name)
	}
	tab.Keys(kb.ArrowRight)
	tab.drawn("article")
	tab.Keys(kb.ArrowLeft)
	tab.drawn("export")
	tab.Keys(kb.Home)
	tab.WaitFor(`[...document.querySelectorAll("[role=tab]")].map((e) => e.tabIndex).join() === "0,-1,-1,-1,-1" && document.activeElement.getAttribute("aria-selected") === "true"`, "one tab in the order of focus")

	// Text size, with an announcement.
	before := testkit.Evaluate[float64](tab.Tab, `parseFloat(getComputedStyle(document.querySelector(".story p")).fontSize)`)
	tab.Keys("++")
	tab.WaitFor(fmt.Sprintf(`parseFloat(getComputedStyle(document.querySelector(".story p")).fontSize) > %f && document.querySelector("#message").textContent.startsWith("Text size")`, before*1.2), "larger text")
	tab.Keys("0-")
	tab.WaitFor(fmt.Sprintf(`parseFloat(getComputedStyle(document.querySelector(".story p")).fontSize) < %f`, before), "smaller text")
	tab.Keys("0")

	// Blocks of the page.
	tab.Keys("2" + "jj")
	tab.WaitFor(`!document.querySelector(".sheet").hidden && document.querySelector("iframe").contentDocument.querySelectorAll(".selected").length > 0`, "the explanation of a block")
	first := testkit.Evaluate[string](tab.Tab, `document.querySelector(".sheet .words").textContent`)
	tab.Keys("j")
	tab.WaitFor(`document.querySelector(".sheet .words").textContent !== `+quote(first), "the next block")
	tab.Keys("k")
	tab.WaitFor(`document.querySelector(".sheet .words").textContent === `+quote(first)+` && document.querySelector("#message").textContent.includes("%")`, "the block before, announced")
	tab.Keys(kb.Escape)
	tab.WaitFor(`document.querySelector(".sheet").hidden && !document.querySelector("iframe").contentDocument.querySelector(".selected")`, "no explanation")
	tab.eval(`(() => { const list = document.querySelector("#block-filter"); list.value = "kept"; list.dispatchEvent(new Event("change")); document.activeElement.blur(); })()`)
	tab.Keys("j")
	tab.WaitFor(`/^(The headline|Kept)$/.test(document.querySelector(".sheet h2").textContent)`, "a block that was kept")

	// Differences of the methods.
	tab.Keys("3" + "j")
	tab.WaitFor(`document.activeElement.matches("tr.differs")`, "the focus on a difference")
	tab.Keys("jk")
	tab.WaitFor(`document.activeElement === document.querySelector("tr.differs")`, "the first difference")

	// Help, theme, another page.
	tab.Keys("?")
	tab.WaitFor(`document.querySelector("#help").open && document.querySelectorAll("#keys tr").length > 10`, "the help")
	tab.Keys(kb.Escape)
	tab.WaitFor(`!document.querySelector("#help").open`, "no help")
	tab.Keys("d")
	tab.WaitFor(`document.documentElement.dataset.theme === "dark" && localStorage.getItem("lede.theme") === "dark"`, "dark colours")
	tab.Keys("d")
	tab.WaitFor(`!document.documentElement.dataset.theme && !localStorage.getItem("lede.theme")`, "the colours of the system")
	tab.Keys("o")
	tab.WaitFor(`document.activeElement.id === "file-open"`, "the focus on the input")

	// Keys can be switched off.
	tab.eval(`document.querySelector("#keys-on").click()`)
	tab.Keys("1")
	tab.WaitFor(`document.activeElement.id === "file-open" && document.querySelector("#tab-methods").ariaSelected === "true" && localStorage.getItem("lede.keys") === "off"`, "no keys")
	tab.eval(`document.querySelector("#keys-on").click()`)

	// The tab is remembered, also without the hash.
	tab.Navigate(tab.root + "/")
	tab.WaitFor(`document.querySelector("#tab-methods").getAttribute("aria-selected") === "true"`, "the tab of the last visit")
	tab.checkRecord()
}

// TestWebArticle shows all kinds of blocks.
func TestWebArticle(t *testing.T) {
	tab := openApp(t, Options{}, 1000, 800)
	tab.openHTML(sourceOf(t, "nested-lists-and-table"))
	tab.WaitFor(`document.querySelector(".story li li") && document.querySelector(".story table th[scope]") && document.querySelector(".story [role=region][tabindex='0'] table")`, "nested lists and a table")
	tab.openHTML(sourceOf(t, "code-blog"))
	tab.WaitFor(`document.querySelector(".story pre code")?.textContent.includes("\n")`, "code in lines")
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.headline(ferry)
	tab.WaitFor(`document.querySelector(".story strong").textContent === "all ninety seats taken"`, "strong words")
	tab.WaitFor(`[...document.querySelectorAll(".story a")].every((a) => a.target === "_blank" && a.rel === "noopener noreferrer")`, "links in new tabs")
	tab.WaitFor(`document.querySelector(".story time").dateTime === "2024-05-14T06:30:00+01:00" && document.querySelector(".story time").textContent.includes("2024")`, "the date")
	tab.WaitFor(`!document.querySelector(".story img") && document.querySelector(".story .placeholder").ariaLabel === "A small ferry leaves a wooden pier" && document.querySelector(".story figcaption").textContent.includes("Noel Quarrie")`, "a placeholder for the picture")
	tab.WaitFor(`(() => { const l = [...document.querySelectorAll("h1, .story :is(h2,h3,h4,h5,h6)")].map((e) => +e.tagName[1]); return l.every((n, i) => i === 0 || n <= l[i - 1] + 1); })()`, "headings without gaps")
	measure := testkit.Evaluate[float64](tab.Tab, `(() => {
		const p = [...document.querySelectorAll(".story > p")].find((e) => e.textContent.length > 140), range = document.createRange();
		range.selectNodeContents(p);
		return p.textContent.length / new Set([...range.getClientRects()].map((r) => Math.round(r.bottom / 10))).size;
	})()`)
	if measure < 40 || measure > 85 {
		t.Errorf("%.0f characters in a line", measure)
	}

	// What a reader should know comes first.
	tab.openHTML(strings.Replace(sourceOf(t, "modern-semantic"), `"@type":"NewsArticle"`, `"@type":"NewsArticle","isAccessibleForFree":false`, 1))
	tab.WaitFor(`document.querySelector("#panel-article .notice.warn")?.textContent.startsWith("Behind a paywall.")`, "a notice")
	tab.checkRecord()
}

// TestWebLinks checks that no link leads to the service itself.
func TestWebLinks(t *testing.T) {
	tab := openApp(t, Options{}, 1000, 800)
	tab.openHTML(`<article><h1>Relative</h1><p>` + strings.Repeat("Words of a story, with commas and a few more of them. ", 10) + `<a href="/v1/extract">inside</a> <a href="https://paper.example/x">outside</a></p></article>`)
	tab.headline("Relative")
	tab.WaitFor(`[...document.querySelectorAll(".story a")].map((a) => a.href).join() === "https://paper.example/x"`, "only the link that leads outside")
}

// TestWebLanguages sets text from right to left and in square letters.
func TestWebLanguages(t *testing.T) {
	tab := openApp(t, Options{}, 1000, 800)
	for name, c := range map[string]struct{ lang, dir, style string }{
		"arabic-rtl":      {"ar", "rtl", `style.direction === "rtl" && style.textAlign === "start"`},
		"japanese":        {"ja", "ltr", `style.lineBreak === "strict" && style.textAlign === "justify" && parseFloat(style.lineHeight) / parseFloat(style.fontSize) > 1.7`},
		"chinese-gb18030": {"zh", "ltr", `style.lineBreak === "strict" && style.fontFamily.includes("CJK")`},
		"modern-semantic": {"en-GB", "ltr", `style.hyphens === "auto" && style.lineBreak === "auto"`},
	} {
		tab.openFile("../testdata/pages/" + name + "/source.html")
		tab.WaitFor(fmt.Sprintf(`(() => {
			const story = document.querySelector(".story"), style = getComputedStyle(story.querySelector(":scope > p"));
			return story.lang.startsWith(%q) && story.dir === %q && (%s);
		})()`, c.lang, c.dir, c.style), "an article in "+c.lang)
	}
	tab.checkRecord()
}

// TestWebPrint prints only the article, on white.
func TestWebPrint(t *testing.T) {
	tab := openApp(t, Options{}, 1000, 800)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.headline(ferry)
	tab.choose("facts")
	tab.Keys("d")
	tab.EmulateMedia("print", nil)
	tab.WaitFor(`(() => {
		const shown = [...document.body.querySelectorAll("*")].filter((e) => e.getClientRects().length && e.closest("body > *"));
		const outside = shown.filter((e) => !e.closest(".story") && !e.querySelector(".story") && e.textContent.trim() && !e.closest(".unseen"));
		return document.querySelector(".story h2").getClientRects().length && outside.length === 0;
	})()`, "nothing but the article")
	tab.WaitFor(`getComputedStyle(document.documentElement).backgroundColor === "rgb(255, 255, 255)" && getComputedStyle(document.querySelector(".story > p")).color === "rgb(0, 0, 0)"`, "black on white")
}

// TestWebPage chooses blocks with the pointer and in the list.
func TestWebPage(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.choose("page")
	tab.WaitFor(`document.querySelector("iframe").sandbox.value === "allow-same-origin"`, "a sandbox")
	tab.WaitFor(`/kept \d+.*dropped \d+.*headline 1/.test(document.querySelector(".marks").textContent)`, "the legend")
	tab.clickBlock("about time too")
	tab.WaitFor(`document.querySelector(".sheet h2").textContent === "Dropped" && /readers' comments/.test(document.querySelector(".reasons").textContent) && /%/.test(document.querySelector(".likelihood").textContent)`, "why a comment was dropped")
	tab.clickBlock("boats will leave")
	tab.WaitFor(`document.querySelector(".sheet h2").textContent === "Kept" && document.querySelector(".sheet .words").textContent.startsWith("Boats will leave") && document.querySelector("iframe").contentDocument.querySelector(".selected").textContent.startsWith("Boats")`, "why a paragraph was kept")
	tab.clickBlock("ferry returns")
	tab.WaitFor(`document.querySelector(".sheet h2").textContent === "The headline"`, "the headline")

	// The wheel scrolls the frame under the overlay.
	tab.Resize(1200, 420)
	tab.eval(`(() => { const f = document.querySelector("iframe").contentWindow; f.scrollTo(0, 0); document.querySelector(".overlay").dispatchEvent(new WheelEvent("wheel", { deltaY: 60, bubbles: true, cancelable: true })); })()`)
	tab.WaitFor(`document.querySelector("iframe").contentWindow.scrollY === 60`, "the frame scrolled")

	// The list.
	tab.Click(".block-list summary")
	tab.WaitFor(`document.querySelectorAll(".blocks li").length > 15`, "the list")
	tab.eval(`[...document.querySelectorAll(".blocks button")].find((b) => b.textContent.includes("Tides by mail")).click()`)
	tab.WaitFor(`document.querySelector(".sheet h2").textContent === "Dropped" && document.querySelector(".blocks [aria-current=true]").textContent.includes("Tides by mail")`, "a block of the list")

	tab.checkRecord()

	// A page without an article is shown, without marks.
	tab.openHTML(`<title>Nothing</title><img alt="No"><script>1</script>`)
	tab.choose("page")
	tab.WaitFor(`document.querySelector("#panel-page [role=alert]") && document.querySelector("iframe").contentDocument.querySelector("img").alt === "No"`, "the page and the problem")
}

// clickBlock clicks the first text of the frame that begins with the words.
func (tab *appTab) clickBlock(words string) {
	tab.t.Helper()
	at := testkit.Evaluate[[]float64](tab.Tab, fmt.Sprintf(`(() => {
		const frame = document.querySelector("iframe"), f = frame.getBoundingClientRect();
		const span = [...frame.contentDocument.querySelectorAll("[data-b]")].find((e) => e.textContent.trim().toLowerCase().startsWith(%s));
		span.scrollIntoView({ block: "center", behavior: "instant" });
		const r = span.getClientRects()[0], g = frame.getBoundingClientRect();
		return [g.left + r.left + 8, g.top + r.top + r.height / 2];
	})()`, quote(words)))
	tab.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// TestWebMethods compares methods.
func TestWebMethods(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.choose("methods")
	tab.WaitFor(`[...document.querySelectorAll(".matrix thead th")].map((e) => e.textContent).join() === "Block,blend,nce,coreex,twcem,stadynot,wrapper"`, "the methods")
	tab.WaitFor(`document.querySelectorAll(".strip path").length === 6 && document.querySelectorAll(".agreement tbody tr").length === 6`, "strips and agreement")
	tab.WaitFor(`(() => { const n = (i, j) => document.querySelectorAll(".agreement tbody tr")[i].children[j + 1].textContent; return /^\d+ %$/.test(n(0, 2)) && n(0, 2) === n(2, 0); })()`, "the same figure on both sides")
	all := testkit.Evaluate[int](tab.Tab, `(() => { const list = document.querySelector("#row-filter"); list.value = "all"; list.dispatchEvent(new Event("change")); return document.querySelectorAll(".matrix tbody tr").length; })()`)
	differ := testkit.Evaluate[int](tab.Tab, `(() => { const list = document.querySelector("#row-filter"); list.value = "differ"; list.dispatchEvent(new Event("change")); return document.querySelectorAll(".matrix tbody tr").length; })()`)
	if differ == 0 || differ >= all {
		t.Errorf("%d of %d rows differ", differ, all)
	}
	tab.Click(".cards button.link")
	tab.WaitFor(`/^(only|without) \d$/.test(document.querySelector("#row-filter").value) && document.querySelectorAll(".matrix tbody tr").length > 0 && document.activeElement.id === "row-filter"`, "what one method did alone")
	tab.checkRecord()
}

// TestWebFacts shows where facts came from.
func TestWebFacts(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.choose("facts")
	for fact, want := range map[string]string{"Published": "JSON-LD", "Site": "JSON-LD|OpenGraph", "Authors": "JSON-LD", "Language": "."} {
		tab.WaitFor(fmt.Sprintf(`(() => { const row = [...document.querySelectorAll(".facts tbody tr")].find((r) => r.cells[0].textContent === %q); return row && row.cells[1].textContent && /%s/.test(row.cells[2].textContent); })()`, fact, want), fact+" and its source")
	}
	tab.eval(`[...document.querySelectorAll(".facts button")].find((b) => b.textContent.includes("Authors")).click()`)
	tab.WaitFor(`document.querySelector("#tab-page").ariaSelected === "true" && document.querySelector(".sheet .words")?.textContent.includes("Imogen Tarrant")`, "the byline on the page")
	tab.checkRecord()
}

// TestWebPhone checks that nothing is wider than a phone.
func TestWebPhone(t *testing.T) {
	tab := openApp(t, Options{}, 360, 720)
	narrow := func(what string) {
		t.Helper()
		tab.WaitFor(`document.documentElement.scrollWidth <= 360`, what+" within 360 pixels")
	}
	narrow("the start")
	tab.Click("#options-open")
	tab.Click("#paste-open")
	narrow("the options")
	tab.Click("#options-open")
	tab.openHTML(sourceOf(t, "nested-lists-and-table"))
	for _, name := range []string{"article", "page", "methods", "facts", "export"} {
		tab.choose(name)
		narrow(name)
	}
	tab.choose("page")
	tab.eval(`document.querySelector(".legend button:last-child").click()`)
	tab.WaitFor(`(() => { const r = document.querySelector(".sheet").getBoundingClientRect(); return r.width === 360 && Math.abs(r.bottom - innerHeight) < 1 && r.height < innerHeight * 0.6; })()`, "a sheet at the bottom")
	tab.WaitFor(`(() => {
		const f = document.querySelector("iframe"), s = f.contentDocument.querySelector(".selected").getBoundingClientRect(), top = f.getBoundingClientRect().top + s.top;
		return top > 0 && top < document.querySelector(".sheet").getBoundingClientRect().top;
	})()`, "the block above the sheet")
	narrow("the sheet")

	// A finger scrolls the frame.
	tab.eval(`(() => { document.querySelector(".closer").click(); document.querySelector("iframe").contentWindow.scrollTo(0, 0); })()`)
	if _, err := chromedp.Call(tab.Context, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	at := testkit.Evaluate[[]float64](tab.Tab, `(() => { const r = document.querySelector(".stage").getBoundingClientRect(); return [r.left + 100, r.top + 200]; })()`)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		if _, err := chromedp.Call(tab.Context, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)}); err != nil {
			t.Fatal(err)
		}
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: at[0], Y: at[1]})
	for dy := 20.0; dy <= 120; dy += 20 {
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: at[0], Y: at[1] - dy})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	tab.WaitFor(`document.querySelector("iframe").contentWindow.scrollY > 50`, "the frame scrolled by a finger")
	tab.eval(`document.querySelector("#bookmarklet-open").click()`)
	narrow("the bookmarklet")
	tab.checkRecord()
}

// TestWebPictures shows pictures of articles where that is allowed.
func TestWebPictures(t *testing.T) {
	tab := openApp(t, Options{Pictures: true}, 1000, 800)
	tab.openHTML(strings.ReplaceAll(sourceOf(t, "modern-semantic"), "https://quay-courier.example/img/ferry-1200.jpg", tab.root+"/web/none.png"))
	tab.headline(ferry)
	tab.WaitFor(`document.querySelector(".story .placeholder")`, "a placeholder for a picture that does not load")
}
