package dom

import (
	"strings"
	"testing"
)

// story is long enough to count as the prose of a page.
const story = "The old bridge over the river was opened again on Monday after two years of work, said the mayor of the town. " +
	"It had been closed since the flood, and the people of the other side had to take the ferry. " +
	"The work was paid for by the state and by many small gifts from all over the country."

func TestHidden(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"hidden", "<p hidden>no</p>yes", "yes"},
		{"hidden with a value", `<p hidden="false">no</p>yes`, "yes"},
		{"hidden until found", "<p hidden=until-found>yes", "yes"},
		{"hidden Until-Found", "<p hidden=Until-Found>yes", "yes"},
		{"popover", "<div popover>no</div>yes", "yes"},
		{"aria-hidden", "<p aria-hidden=true>no</p>yes", "yes"},
		{"aria-hidden TRUE", `<p aria-hidden=" TRUE ">no</p>yes`, "yes"},
		{"aria-hidden false", "<p aria-hidden=false>yes", "yes"},
		{"display none", `<p style="display:none">no</p>yes`, "yes"},
		{"display none with odd case and spaces", `<p style="color:red; DISPLAY : None !IMPORTANT ;">no</p>yes`, "yes"},
		{"display none in a comment", `<p style="/*display:none*/">yes`, "yes"},
		{"comment inside", `<p style="display:/**/none">no</p>yes`, "yes"},
		{"last display wins", `<p style="display:none;display:block">yes`, "yes"},
		{"important display wins", `<p style="display:none !important;display:block">no</p>yes`, "yes"},
		{"other values and properties", `<p style="display:hidden;x-display:none;display">yes`, "yes"},
		{"display block", `<p style="display:block">yes`, "yes"},
		{"data in a style", `<p style="background:url(data:image/png;base64,AA==);">yes`, "yes"},
		{"visibility", `<p style="visibility: hidden">no</p>yes`, "yes"},
		{"closed dialog", "<dialog>no</dialog>yes", "yes"},
		{"open dialog", "<dialog open>yes</dialog>", "yes"},
		{"dialog by its role", "<div role=alertdialog>no</div><div role=dialog><p>no</div>yes", "yes"},
		{"story in a dialog", "<div role=dialog><p>" + story + "</div>yes", story + "\nyes"},
		{"template", "<template><p>no</p></template>yes", "yes"},
		{"shadow root", "<x-card><template shadowrootmode=open><p>yes</p></template></x-card>", "yes"},
		{"old shadow root", "<x-card><template shadowroot=open><p>yes</p></template></x-card>", "yes"},
		{"hidden shadow root", "<x-card hidden><template shadowrootmode=open><p>no</p></template></x-card>yes", "yes"},
		{"streamed by React", `<div hidden id="S:0">yes</div>`, "yes"},
		{"noscript", "<noscript><p>no</p></noscript>yes", "yes"},
		{"hidden body", "<html hidden><body style='visibility:hidden'>yes", "yes"},
		{"object fallback", "<object><p>no</p></object>yes", "yes"},
		{"video fallback", "<video>no <a href=x>no</a></video>yes", "yes"},
		{"canvas, meter, datalist", "<canvas>no</canvas><meter>no</meter><datalist><option>no</datalist>yes", "yes"},
		{"details", "<details><summary>yes</summary>too</details>", "yes\ntoo"},
		{"hidden inside hidden", "<div hidden><p hidden>no</p>no</div>yes", "yes"},
		{"shown after hidden", "<p>yes<p hidden>no<p>too", "yes\ntoo"},
		{"story behind a dialog", "<dialog open>Cookies?</dialog><main aria-hidden=true><p>" + story + "</main>", "Cookies?\n" + story},
		{"story in hidden inside hidden", "<div hidden>x<p style=display:none>" + story + "</p></div>y", "x\n" + story + "\ny"},
		{"hidden labels", "<ul hidden>" + strings.Repeat("<li>Town and country\n"+strings.Repeat(" ", 40), 50) + "</ul>yes", "yes"},
		{"hidden text beside a story", "<div hidden><p>" + story + "</div><p>" + story + "</p>", story},
		{"noscript only", "<noscript><h1>The bridge</h1><p>" + story + story + "</noscript>", "The bridge\n" + story + story},
		{"noscript beside a story", "<p>" + story + "</p><noscript><p>" + story + story + "</noscript>", story},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if got := d.Text(0); got != c.want {
				t.Errorf("%q\n got %q\nwant %q", c.page, got, c.want)
			}
			if err := checkTree(d); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestImageURL(t *testing.T) {
	blank := "data:image/gif;base64,R0lGODlhAQABAAAAACw="
	for _, c := range []struct{ name, page, want string }{
		{"plain", "<img src=a.jpg>", "a.jpg"},
		{"none", "<img alt=x>", ""},
		{"spaces", `<img src=" a.jpg ">`, "a.jpg"},
		{"widest", `<img src=a.jpg srcset="s.jpg 320w, l.jpg 1200w,m.jpg 800w">`, "l.jpg"},
		{"width and height", `<img srcset="l.jpg 1200w 800h, s.jpg 320w 200h">`, "l.jpg"},
		{"density", `<img srcset="a.jpg, b.jpg 2x, c.jpg 1.5x">`, "b.jpg"},
		{"commas in URLs", `<img srcset="/w_100,h_50/a.jpg 100w, /w_900,h_450/a.jpg 900w">`, "/w_900,h_450/a.jpg"},
		{"URL alone", `<img srcset="/w_100,h_50/a.jpg">`, "/w_100,h_50/a.jpg"},
		{"data-src", `<img src="` + blank + `" data-src=a.jpg>`, "a.jpg"},
		{"data-srcset", `<img src=blank.gif data-srcset="a.jpg 1x, b.jpg 2x">`, "b.jpg"},
		{"placeholder alone", `<img src="/i/placeholder.png?x=1">`, ""},
		{"tiny data", `<img src="` + blank + `">`, ""},
		{"template URL", `<img src="{{image}}" data-original=a.jpg>`, "a.jpg"},
		{"placeholder in srcset", `<img srcset="` + blank + ` 1w" data-src=a.jpg>`, "a.jpg"},
		{"picture", `<picture><source srcset="a.webp 600w, b.webp 1200w"><source srcset="c.webp 300w"><img src=d.jpg></picture>`, "b.webp"},
		{"picture without sources", `<picture><img src=d.jpg></picture>`, "d.jpg"},
		{"lazy picture", `<picture><source data-srcset="a.webp"><img src=blank.gif></picture>`, "a.webp"},
		{"noscript after", `<p><img src=blank.gif class=lazy><noscript><img src=a.jpg></noscript></p>`, "a.jpg"},
		{"noscript before", `<p><noscript><img src=a.jpg></noscript><img src="` + blank + `"></p>`, "a.jpg"},
		{"noscript after picture", `<p><picture><img src=blank.gif></picture><noscript><img src=a.jpg></noscript></p>`, "a.jpg"},
		{"noscript in picture", `<picture><noscript><img srcset="s.jpg 100w, a.jpg 900w"></noscript><img></picture>`, "a.jpg"},
		{"any srcset", `<img src=blank.gif data-carousel-lazyload-srcset="a.jpg 1x, b.jpg 2x">`, "b.jpg"},
		{"any lazy source", `<img src=blank.gif data-carousel-lazyload="/a.jpg">`, "/a.jpg"},
		{"transparent placeholder", `<img src="/img/index-transparent_h-3_w-4_a1b2.gif">`, ""},
		{"transparent, but a photograph", `<img src="/img/transparent-roof.jpg">`, "/img/transparent-roof.jpg"},
		{"placeholder by name", `<img src="/i/grey-placeholder.png">`, ""},
		{"script URL", `<img src="javascript:void(0)" data-lazy-src="a.jpg">`, "a.jpg"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if got := d.ImageURL(d.First(Img)); got != c.want {
				t.Errorf("img: got %q, want %q", got, c.want)
			}
			if p := d.First(Picture); p != None && d.ImageURL(p) != c.want {
				t.Errorf("picture: got %q, want %q", d.ImageURL(p), c.want)
			}
		})
	}
	for _, page := range []string{`<amp-img src=a.jpg></amp-img>`, `<div data-src=a.jpg></div>`, `<noscript><p><img src=a.jpg></noscript>`} {
		d := mustParse(t, "<body>"+page+"<p>x</p>")
		if got := d.ImageURL(d.FirstChild(d.First(Body))); got != "a.jpg" {
			t.Errorf("%s: %q", page, got)
		}
	}
	d := mustParse(t, `<img srcset="a.jpg 400w, b.jpg 900w">`)
	if u, w := d.ImageSource(d.First(Img)); u != "b.jpg" || w != 900 {
		t.Errorf("source: %q, %d", u, w)
	}
}
