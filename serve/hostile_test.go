package serve

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// lab shows hostile pages in Chromium and records what they do.
type lab struct {
	t       *testing.T
	tab     *testkit.Tab
	service http.Handler
	addr    string // of the service and of the pages of the lab
	canary  string // the address that pages make requests to
	vectors []vector
	pages   []hostilePage

	connections atomic.Int64 // to the canary

	mu   sync.Mutex
	done map[int]string // by vector: what it did
}

func newLab(t *testing.T, opts Options) *lab {
	t.Helper()
	opts.Queue = 1000
	l := &lab{t: t, service: newService(t, opts), done: make(map[int]string)}
	l.tab = testkit.NewTab(t, 1000, 800)
	canary := httptest.NewUnstartedServer(http.HandlerFunc(l.serveCanary))
	canary.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			l.connections.Add(1) // also those without a request
		}
	}
	canary.Start()
	t.Cleanup(canary.Close)
	l.canary = canary.URL
	l.vectors = readVectors(t, l.canary)
	mux := http.NewServeMux()
	mux.Handle("/", l.service)
	mux.HandleFunc("GET /lab/", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(labPage)) })
	mux.HandleFunc("GET /lab/page/{n}", func(w http.ResponseWriter, r *http.Request) { _ = json.NewEncoder(w).Encode(l.page(r)) })
	mux.HandleFunc("GET /lab/naked/{n}", l.serveNaked)
	mux.HandleFunc("GET /lab/policy/{n}", l.servePolicy)
	mux.HandleFunc("GET /lab/copy/{n}", l.serveCopy)
	mux.HandleFunc("GET /lab/output/{format}/{n}", l.serveOutput)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	l.addr = srv.URL
	l.listen()
	return l
}

// listen records calls of fire in all frames.
func (l *lab) listen() {
	l.t.Helper()
	ctx := l.tab.Context
	go func() {
		for ev, err := range chromedp.Events(ctx, runtime.BindingCalled) {
			if n, bad := strconv.Atoi(ev.Payload); err == nil && bad == nil {
				l.note(n, "ran")
			}
		}
	}()
	if _, err := chromedp.Call(ctx, runtime.AddBinding, runtime.AddBindingParams{Name: "tellLab"}); err != nil {
		l.t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `Object.defineProperty(window, "fire", {value: (n) => tellLab(String(n))})`,
	}); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) note(n int, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[n] = what
}

// serveCanary records a request of a page, and answers with something that acts.
func (l *lab) serveCanary(w http.ResponseWriter, r *http.Request) {
	number, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	n, _ := strconv.Atoi(number)
	kind := r.Header.Get("Sec-Fetch-Dest")
	l.note(n, "requested "+kind+" "+r.URL.Path)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	switch {
	case kind == "script":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, "fire(%d)", n)
	case kind == "style":
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprintf(w, "p{background:url(/%d/again.png)}", n)
	case path.Ext(r.URL.Path) == ".svg":
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" onload="fire(%d)"/>`, n)
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<script>fire(%d)</script>", n)
	}
}

func (l *lab) page(r *http.Request) hostilePage {
	n, _ := strconv.Atoi(r.PathValue("n"))
	return l.pages[n]
}

// serveNaked serves a vector without any protection.
func (l *lab) serveNaked(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.PathValue("n"))
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte(nakedPage(l.vectors[n])))
}

// servePolicy serves a page as it is, with the policy of the frame only.
func (l *lab) servePolicy(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", frame.Policy)
	_, _ = w.Write([]byte(l.page(r).HTML))
}

// serveCopy serves the copy of a page, without a policy.
func (l *lab) serveCopy(w http.ResponseWriter, r *http.Request) {
	p := l.page(r)
	d, err := dom.Parse(r.Context(), []byte(p.HTML), dom.Options{Charset: "utf-8"})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	b, err := frame.Page(d, frame.Options{})
	if err != nil {
		l.t.Error(err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b)
}

// serveOutput serves the article of a page in a format, without a policy, as if it
// had been saved.
func (l *lab) serveOutput(w http.ResponseWriter, r *http.Request) {
	answer := l.extract(l.page(r), r.PathValue("format"))
	w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
	_, _ = w.Write(answer.Body.Bytes())
}

func (l *lab) extract(p hostilePage, format string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/v1/extract?format="+format+"&with=captions,comments,tables&url="+url.QueryEscape(p.URL), strings.NewReader(p.HTML))
	r.Header.Set("Content-Type", "text/html; charset=utf-8")
	w := httptest.NewRecorder()
	l.service.ServeHTTP(w, r)
	return w
}

// check fails the test for everything that a page did. Pictures may be requested if
// they are part of the output.
func (l *lab) check(pictures bool) {
	l.t.Helper()
	l.tab.IgnoreBlocked, l.tab.IgnoreMessages = true, true
	// The canary tells better what it was asked for: Chromium records some requests that
	// are blocked later.
	allowed := []string{l.addr + "/", l.canary + "/", "data:", "about:", "blob:"}
	if pictures {
		allowed = append(allowed, "https://paper.example/", "http://paper.example/", "https://javascript:", strings.Replace(l.canary, "http:", "https:", 1))
	}
	l.tab.CheckRecord(allowed...)
	targets, err := chromedp.Targets(l.tab.Context)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, of := range targets {
		if strings.HasPrefix(of.URL, l.canary) {
			l.t.Errorf("a new window: %s", of.URL)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.vectors {
		if what := l.done[v.n]; what != "" && !(pictures && strings.HasPrefix(what, "requested image ")) {
			l.t.Errorf("%s %s: %s", v.name, what, v.text)
		}
	}
	if what := l.done[0]; what != "" {
		l.t.Error("something", what)
	}
}

// all calls a function of the page of the lab for the numbers from 0 to n, and
// returns how many results are true.
func (l *lab) all(function string, n, atOnce int) (count int) {
	l.t.Helper()
	for from := 0; from < n; from += atOnce {
		got, err := chromedp.Run(l.tab.Context, chromedp.Evaluate[int](fmt.Sprintf(`all(%s, %d, %d)`, function, from, min(from+atOnce, n)), chromedp.EvalAwaitPromise))
		if err != nil {
			l.t.Fatalf("%s from %d: %v", function, from, err)
		}
		count += got
	}
	return count
}

// labPage shows pages in frames, and does to them what users could do.
const labPage = `<!doctype html><title>lab</title><body><script>
const events = ["click", "dblclick", "mouseover", "mouseenter", "pointerdown", "keydown", "input", "change", "focus", "focusin", "blur", "submit", "toggle", "load", "error", "animationstart", "scroll"];
function visit(frame, click) {
  const doc = frame.contentDocument;
  if (!doc) return;
  const get = (e) => [...Object.getOwnPropertyDescriptor(Element.prototype, "attributes").get.call(e)].map((a) => a.name);
  const send = (e, type) => { try { EventTarget.prototype.dispatchEvent.call(e, new (type === "click" ? MouseEvent : Event)(type, {bubbles: true, cancelable: true})); } catch {} };
  const all = [...Document.prototype.querySelectorAll.call(doc, "*")];
  for (const e of all) {
    for (const name of get(e)) if (name.startsWith("on")) send(e, name.slice(2));
    if (click && all.length < 3000) for (const type of events) if (type !== "click" || !e.closest("a, area, button, input, label, summary")) send(e, type);
  }
  if (!click) return;
  const leaves = (e) => click === "stay" && /^(https?|mailto):/.test(e.href);
  for (const e of all) if (e.matches("a, area, button, input, summary, label") && !leaves(e)) try { HTMLElement.prototype.click.call(e); } catch { send(e, "click"); }
}
// open shows an address in a frame and resolves when it is loaded and visited.
function open(attributes, click, start) {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  frame.width = 300; frame.height = 200;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      requestIdleCallback(() => { try { visit(frame, click); } catch {} requestIdleCallback(() => resolve(frame), {timeout: 500}); }, {timeout: 500});
    };
    const timer = attributes.sandbox?.includes("scripts") ? setTimeout(end, 2000) : 0; // it may never end to load
    frame.addEventListener("load", () => { if (frame.contentDocument?.URL !== "about:blank") end(); }, {once: !start});
    document.body.append(frame);
    start?.();
  });
}
const url = (path) => new URL(path, location.href).href;
const naked = (n) => open({src: url("naked/" + n), sandbox: "allow-scripts allow-same-origin allow-forms"}, true);
const policy = (n) => open({src: url("policy/" + n)}, false);
const copy = async (n) => (await open({src: url("copy/" + n)}, true)).contentDocument?.querySelector("[data-n]");
const output = (format) => async (n) => (await open({src: url("output/" + format + "/" + n)}, "stay")).contentDocument;
function form(fields, target, action) {
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action, target, enctype: "multipart/form-data", acceptCharset: "utf-8", hidden: true});
  for (const [name, value] of Object.entries(fields)) { const field = document.createElement("textarea"); field.name = name; field.value = value; form.append(field); }
  document.body.append(form);
  form.submit();
  form.remove();
}
// framed shows the copy of a page as the application does.
async function framed(n) {
  const page = await (await fetch(url("page/" + n))).json();
  const frame = await open({name: "f" + n, sandbox: "allow-same-origin"}, true, () => form({token: "the-token", ...page}, "f" + n, "/ui/frame"));
  return frame.contentDocument.querySelector("[data-n]");
}
async function send(n) { form({token: "the-token", ...await (await fetch(url("page/" + n))).json()}, "_self", "/ui/send"); }
async function all(show, from, to) {
  const shown = await Promise.all(Array.from({length: to - from}, (_, i) => show(from + i)));
  for (const frame of document.querySelectorAll("iframe")) frame.remove();
  return shown.filter(Boolean).length;
}
</script>`

// size is the number of vectors in a page: many, or one in long tests.
func size() int {
	if os.Getenv("LEDE_LONG") != "" {
		return 1
	}
	return 40
}

// slowSize is the number of vectors in a page for what is too slow for one each, in
// short tests n.
func slowSize(n int) int {
	if size() == 1 {
		return 8
	}
	return n
}

// TestHostile shows pages with all vectors in every way that the service shows pages.
// Nothing may run, and nothing may be requested.
func TestHostile(t *testing.T) {
	t.Run("control", testControl)
	t.Run("frame", func(t *testing.T) { testLayer(t, "framed", 6, false) })
	t.Run("copy without a policy", func(t *testing.T) { testLayer(t, "copy", 8, false) })
	t.Run("policy without a copy", func(t *testing.T) { testLayer(t, "policy", 8, false) })
	for _, format := range []string{"html", render.Styled, render.Cleaned} {
		t.Run(format+" without a policy", func(t *testing.T) { testLayer(t, `output("`+format+`")`, 8, true) })
	}
	t.Run("application", func(t *testing.T) { testApp(t, false) })
	if size() == 1 {
		t.Run("application with pictures", func(t *testing.T) { testApp(t, true) })
	}
}

// testControl checks that the lab sees what vectors do where nothing prevents it.
func testControl(t *testing.T) {
	l := newLab(t, Options{})
	l.tab.Navigate(l.addr + "/lab/")
	if os.Getenv("LEDE_LONG") == "" {
		l.vectors = slices.DeleteFunc(l.vectors, func(v vector) bool { return v.n%10 != 0 })
	}
	l.all("naked", len(l.vectors), 20)
	l.mu.Lock()
	defer l.mu.Unlock()
	var idle []string
	ran, requested := 0, 0
	for _, v := range l.vectors {
		switch what := l.done[v.n]; {
		case what == "":
			idle = append(idle, v.name)
		case what == "ran":
			ran++
		default:
			requested++
		}
	}
	t.Logf("of %d vectors %d ran, %d made requests only, and these did nothing: %s", len(l.vectors), ran, requested, strings.Join(idle, "; "))
	if ran < len(l.vectors)*35/100 || ran+requested < len(l.vectors)/2 {
		t.Error("too few vectors are effective")
	}
}

// testLayer shows pages by a function of the page of the lab: in short tests all pages
// with many vectors, and every so many of the others.
func testLayer(t *testing.T, function string, every int, pictures bool) {
	l := newLab(t, Options{})
	l.setPages(every, 1, size())
	l.tab.Navigate(l.addr + "/lab/")
	if got := l.all(function, len(l.pages), 10); got < len(l.pages)*95/100 {
		t.Errorf("%d of %d pages were shown", got, len(l.pages))
	}
	l.check(pictures)
	if function != "policy" { // which does not forbid to connect
		l.checkConnections(pictures)
	}
}

// checkConnections fails the test for connections without requests, too.
func (l *lab) checkConnections(pictures bool) {
	l.t.Helper()
	if n := l.connections.Load(); n > 0 && !pictures {
		l.t.Errorf("%d connections to the canary", n)
	}
}

// setPages makes the pages of the lab, with so many vectors in each that has many, and
// every so many of those with one vector, and of those with one in each value.
func (l *lab) setPages(every, values, together int) {
	for i, p := range hostilePages(l.vectors, together) {
		step := 1
		switch n := strings.Count(p.Names, "; "); {
		case n == 0:
			step = every
		case n < 20:
			step = values
		}
		if size() == 1 || i%step == 0 {
			l.pages = append(l.pages, p)
		}
	}
}

// testApp sends pages as the bookmarklet does, and shows them in all tabs of the
// application.
func testApp(t *testing.T, pictures bool) {
	l := newLab(t, Options{Pictures: pictures})
	l.setPages(40, 3, slowSize(200))
	for i, p := range l.pages {
		l.tab.Navigate(l.addr + "/lab/")
		testkit.Evaluate[bool](l.tab, fmt.Sprintf("send(%d), true", i))
		l.tab.WaitFor(`document.querySelector("#result") && !document.querySelector("#result").hidden`, "the page that was sent")
		for _, name := range []string{"article", "page", "methods", "facts", "export"} {
			l.tab.Click("#tab-" + name)
			panel := `document.querySelector("#panel-` + name + `")`
			l.tab.WaitFor(panel+`.dataset.drawn === "yes" || `+panel+`.querySelector("[role=alert]")`, "the tab "+name)
			if name == "page" && strings.Contains(p.Names, "; ") && !testkit.Evaluate[bool](l.tab, panel+`.querySelector("iframe").contentDocument.querySelector("[data-r]") !== null`) {
				t.Errorf("%s: no marks on the page", p.Names)
			}
			// No link of an article leads to a script, and no attribute is one.
			found := testkit.Evaluate[[]string](l.tab, `[...`+panel+`.querySelectorAll("*")].filter((e) =>
				e.getAttributeNames().some((name) => name.startsWith("on") || name === "srcdoc") || e.href && !/^(https?|mailto|blob):/.test(e.href) || e.localName === "script").map((e) => e.outerHTML)`)
			for _, element := range found {
				t.Errorf("%s: %s has %s", p.Names, name, element)
			}
		}
	}
	l.check(pictures)
	l.checkConnections(pictures)
}
