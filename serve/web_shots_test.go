package serve

import (
	flags "flag" // the package has a flag of its own
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/fetch"
)

var screenshots = flags.Bool("screenshots", false, "write docs/serve-*.png")

// shots are the pictures in docs: a tab each, in a window of a size and a colour.
var shots = []struct {
	name, tab     string
	width, height int64
	dark          bool
}{
	{"article", "article", 1000, 760, false},
	{"page", "page", 1100, 760, false},
	{"methods", "methods", 1000, 760, false},
	{"phone", "page", 360, 700, true},
}

// TestScreenshots writes the pictures in docs with -screenshots, and checks that they
// are there and small.
func TestScreenshots(t *testing.T) {
	const maxBytes = 150_000
	for _, s := range shots {
		file := filepath.Join("..", "docs", "serve-"+s.name+".png")
		if *screenshots {
			page, err := web.ReadFile("web/example.html")
			if err != nil {
				t.Fatal(err)
			}
			tab := openApp(t, Options{Fetch: fetch.New(fetch.Options{})}, s.width, s.height)
			if s.dark {
				tab.EmulateMedia(map[string]string{"prefers-color-scheme": "dark"})
			}
			tab.openHTML(string(page))
			tab.eval(`document.querySelector("#address").value = "https://quay-courier.example/news/lock-keeper"`)
			tab.choose(s.tab)
			if s.tab == "page" {
				tab.clickBlock("get the tide table")
				tab.WaitFor(`!document.querySelector(".sheet").hidden`, "an explanation")
				if s.width > 400 {
					tab.eval(`scrollTo(0, 0)`)
				}
			}
			picture, err := chromedp.Run(tab.Context, chromedp.CaptureScreenshot())
			if err == nil {
				err = os.WriteFile(file, picture, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Errorf("%v: write it with go test ./serve -run TestScreenshots -screenshots", err)
		} else if info.Size() > maxBytes {
			t.Errorf("%s has %d bytes, more than %d", file, info.Size(), maxBytes)
		}
	}
}
