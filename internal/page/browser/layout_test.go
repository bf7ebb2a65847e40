package browser

import (
	"errors"
	"testing"
	"time"

	"github.com/lede-news/lede/method"
)

func TestLayout(t *testing.T) {
	b := openShared(t)
	p := layOut(t, b, `<!doctype html><title>x</title><style>body{margin:0} #a{margin:0;position:absolute;left:100px;top:50px;width:300px;height:40px;font:700 20px/30px serif;color:red}
	#w{display:contents} #w div{height:10px} #none{display:none}</style>
	<p id=a>Some words</p><div id=w><div id=i>x</div></div><p id=none>y</p><img id=pic width=320 height=200 src="http://pictures.example/a.jpg" alt="words">
	<svg id=s width=24 height=24><path d="M0 0"/></svg>
	<div style="width:160px"><img id=ratio width=320 height=200 style="width:100%;height:auto" src=x.jpg></div>
	<div style="height:50000px" id=tall></div>`)
	l, s := p.Layout, p.Styles
	for id, want := range map[string]method.Box{
		"a": {X: 100, Y: 50, W: 300, H: 40}, "w": {W: 1280, H: 10}, "i": {W: 1280, H: 10}, "none": {},
	} {
		if got := l.Box(find(t, p.Doc, id)); got != want {
			t.Errorf("#%s: box %v, want %v", id, got, want)
		}
	}
	for id, want := range map[string]method.Box{"pic": {W: 320, H: 200}, "s": {W: 24, H: 24}, "ratio": {W: 160, H: 100}} {
		if got := l.Box(find(t, p.Doc, id)); got.W != want.W || got.H != want.H {
			t.Errorf("#%s: box %v, want %v", id, got, want)
		}
	}
	a := find(t, p.Doc, "a")
	text := p.Doc.FirstChild(a)
	if got := l.Fonts[text]; got != (method.Font{Size: 20, Weight: 700}) {
		t.Errorf("font of the text: %v", got)
	}
	if got := s.Get(text, "color"); got != "rgb(255, 0, 0)" {
		t.Errorf("color of the text: %q", got)
	}
	if got := s.Get(a, "line-height"); got != "30px" {
		t.Errorf("line height %q", got)
	}
	if l.Height < 50000 || l.Box(find(t, p.Doc, "tall")).H != 50000 {
		t.Errorf("height of the page: %v", l.Height)
	}
	if !l.Measured || l.Screen != screen {
		t.Errorf("layout %v %v", l.Measured, l.Screen)
	}
}

// TestNavigation runs scripts that try to navigate.
func TestNavigation(t *testing.T) {
	t.Parallel()
	b := open(t, Options{})
	scripts := []string{
		`location.href = "http://elsewhere.example/"`, `location.replace("data:text/html,gone")`,
		`document.forms[0].submit()`, `open("http://elsewhere.example/", "_self")`, `location.reload()`,
	}
	if testing.Short() {
		scripts = scripts[:1]
	}
	for _, script := range scripts {
		p, err := layOutScripts(t, b, `<form action="http://elsewhere.example/"></form><p id=x>words<script>`+script+`</script>`, "http://gazette.example/")
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		if !p.Layout.Shown(find(t, p.Doc, "x")) {
			t.Errorf("%s: the page is not shown", script)
		}
	}
	if testing.Short() {
		return
	}
	if _, err := layOutScripts(t, b, `<p>words<script>history.back()</script>`, ""); !errors.Is(err, ErrLoad) {
		t.Errorf("history.back: %v", err)
	}
	hasty := open(t, Options{PageTime: time.Second})
	if _, err := layOutScripts(t, hasty, `<p>words<script>for (;;);</script>`, ""); !errors.Is(err, ErrTimeout) {
		t.Errorf("endless script: %v", err)
	}
}
