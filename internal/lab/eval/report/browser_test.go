package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestInBrowser opens a report in Chromium and uses all views.
func TestInBrowser(t *testing.T) {
	tab := openReport(t, 1200, 900)

	tab.WaitFor(`document.querySelectorAll(".bars .row").length === 2`, "the ranking")
	if got := tab.Texts(`.bars .name`); !slices.Equal(got, []string{"fast", "slow"}) {
		t.Errorf("ranking %q", got)
	}
	tab.Click(`.figures thead th:first-child button`)
	tab.WaitFor(`document.querySelector(".figures th[aria-sort]").textContent === "System"`, "the sorted table")

	tab.Click(`#views a:nth-child(2)`)
	tab.WaitFor(`document.querySelectorAll(".groups tbody tr").length === 3`, "the sites")
	tab.Click(`#views a:nth-child(3)`)
	tab.WaitFor(`document.querySelectorAll("circle.page").length === 12 && document.querySelectorAll("circle.dot").length === 2`, "the scatter")

	// Worst first, until a header is clicked.
	tab.Click(`#views a:nth-child(4)`)
	tab.WaitFor(`document.querySelectorAll(".pages tbody tr").length === 12`, "the pages")
	worst := tab.Texts(`.pages tbody th`)
	tab.Click(`.pages thead th:first-child button`)
	tab.WaitFor(`document.querySelector(".pages th[aria-sort=ascending] button").textContent === "Page"`, "the order by page")
	byID := tab.Texts(`.pages tbody th`)
	if slices.Equal(worst, byID) || !slices.IsSorted(byID) || len(byID) != 12 {
		t.Errorf("worst first %q, by page %q", worst, byID)
	}

	// On the first page, fast misses a paragraph and adds the promotion.
	tab.Click(`.pages tbody tr:first-child a`)
	tab.WaitFor(`document.querySelector(".diff")`, "the difference")
	if got := strings.Join(tab.Texts(`.diff del.missing`), "|"); !strings.Contains(got, "Fishermen had waited eleven weeks for calm water") {
		t.Errorf("missing %q", got)
	}
	if got := strings.Join(tab.Texts(`.diff ins.extra`), "|"); !strings.Contains(got, "Subscribe today for cheap herring") {
		t.Errorf("extra %q", got)
	}
	if got := strings.Join(tab.Texts(`.outline .item.missing`), "|"); !strings.Contains(got, "Fishermen") {
		t.Errorf("missing in the outline: %q", got)
	}
	tab.WaitFor(`document.querySelector(".outline .item.extra code").textContent.includes("div.promo")`, "the outline")
	tab.WaitFor(`document.querySelectorAll(".outline details").length === 1 && document.querySelector(".outline details").childElementCount === 1`, "folded blocks")
	tab.Click(`.outline summary`)
	tab.WaitFor(`document.querySelector(".outline details").textContent.includes("Weather")`, "unfolded blocks")

	// Keys, and a reload.
	tab.Keys("j")
	tab.WaitFor(`location.hash.includes("tide-01") && document.querySelector("h2").textContent.includes("wall 1 ")`, "the next page")
	tab.Keys("k")
	tab.WaitFor(`document.querySelector("h2").textContent.includes("wall 0 ")`, "the previous page")
	tab.Keys("2")
	tab.WaitFor(`document.querySelector(".tabs [aria-current]").textContent.startsWith("slow")`, "the second system")
	tab.Do(chromedp.Reload())
	tab.WaitFor(`document.querySelector(".tabs [aria-current]")?.textContent.startsWith("slow") && document.querySelector("h2").textContent.includes("wall 0 ")`, "the same page after a reload")
	if got := strings.Join(tab.Texts(`.diff del.missing`), "|"); !strings.Contains(got, "The council paid half") {
		t.Errorf("slow misses %q", got)
	}

	// An error, a page with hostile text, and a page that does not exist.
	tab.navigate("view=page&page=harbour/tide-11&system=slow")
	tab.WaitFor(`document.querySelector(".error-text")?.textContent.includes("timeout")`, "the error")
	tab.navigate("view=page&page=harbour/tide-10")
	tab.WaitFor(`document.querySelector("h2").textContent.includes("</script><script>alert(1)")`, "the hostile page")
	tab.WaitFor(`document.querySelector(".diff").textContent.includes("<img src=x") && !document.querySelector("img, a[href^=javascript]")`, "hostile text, escaped")
	tab.navigate("view=page&page=harbour/gone")
	tab.WaitFor(`document.querySelector("[role=alert]")?.textContent.includes("has no page")`, "the message about a missing page")
	tab.navigate("view=page&page=harbour/tide-00")
	tab.WaitFor(`document.querySelector(".diff")`, "the difference")
	tab.Keys("\x1b")
	tab.WaitFor(`document.querySelector(".pages")`, "the table again")

	tab.CheckRecord(tab.url)
}

// TestPhone checks that no view is wider than a phone.
func TestPhone(t *testing.T) {
	tab := openReport(t, 360, 740)
	for view, css := range map[string]string{
		"ranking": ".bars", "groups": ".groups", "scatter": "circle.page", "pages": ".pages", "page&page=harbour/tide-00": ".diff",
	} {
		tab.navigate("view=" + view)
		tab.WaitFor(`document.querySelector("`+css+`")`, view)
		if w := testkit.Evaluate[float64](tab.Tab, `document.documentElement.scrollWidth`); w > 360 {
			t.Errorf("%s is %v wide", view, w)
		}
	}
	tab.CheckRecord(tab.url)
}

func TestMain(m *testing.M) { testkit.Main(m) }

// reportTab is a tab that shows a report.
type reportTab struct {
	*testkit.Tab
	url string
}

// openReport writes a report of 12 pages and opens it from its file.
func openReport(t *testing.T, width, height int64) *reportTab {
	t.Helper()
	out, _ := file(t, 12, "A trial")
	tab := testkit.NewTab(t, width, height)
	return &reportTab{tab, tab.NavigateFile(out)}
}

// navigate changes the fragment of the URL, which holds the state of the report.
func (r *reportTab) navigate(fragment string) { r.Navigate(r.url + "#" + fragment) }
