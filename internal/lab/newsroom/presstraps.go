package newsroom

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A trap is a host that is hard on crawlers.
type trap struct {
	page    http.HandlerFunc // serves everything but robots.txt
	robots  http.HandlerFunc // nil: allows all
	forbids bool             // robots.txt forbids everything
}

// traps has the traps by the name of their host.
var traps = map[string]trap{
	"trap-calendar":    {page: endlessCalendar},
	"trap-session":     {page: sessionMaze},
	"trap-redirects":   {page: redirectLoop},
	"trap-redirectout": {page: redirectToLoopback},
	"trap-soft404":     {page: softNotFound},
	"trap-gzip":        {page: gzipBomb},
	"trap-bigmap":      {page: hugeSitemap, robots: robotsText("Sitemap: http://%s/sitemap.xml")},
	"trap-mapcircle":   {page: sitemapCircle, robots: robotsText("Sitemap: http://%s/sitemap-a.xml")},
	"trap-scripts":     {page: scriptWall},
	"trap-403":         {page: refuse(http.StatusForbidden)},
	"trap-429":         {page: refuse(http.StatusTooManyRequests)},
	"trap-forbids":     {page: emptyHome, robots: robotsText("Disallow: /"), forbids: true},
	"trap-robots500":   {page: emptyHome, robots: refuse(http.StatusInternalServerError), forbids: true},
	"trap-empty":       {page: emptyHome},
}

func (t trap) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/robots.txt":
		t.page(w, r)
	case t.robots != nil:
		t.robots(w, r)
	default:
		robotsText("Disallow:")(w, r)
	}
}

// robotsText serves a robots.txt with a line, in which %s is the host.
func robotsText(line string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sendText(w, "User-agent: *\n"+strings.Replace(line, "%s", r.Host, 1)+"\n")
	}
}

func send(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Write(data)
}

func sendText(w http.ResponseWriter, text string) {
	send(w, "text/plain; charset=utf-8", []byte(text))
}

func sendPage(w http.ResponseWriter, title string, body ...string) {
	send(w, htmlType, fmt.Appendf(nil, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title></head><body><h1>%[1]s</h1>
%s
</body></html>
`, title, strings.Join(body, "\n")))
}

// storyLink returns a heading that links to a story.
func storyLink(path, title string) string {
	return `<h3><a href="` + path + `">` + title + `</a></h3>`
}

// emptyHome serves a home page without stories, and 404 for all other paths.
func emptyHome(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	sendPage(w, "The Empty Page", `<p>This paper has not printed anything yet.</p><p><a href="/about/">About us</a> <a href="/contact/">Contact</a></p>`)
}

// refuse serves an error for every page.
func refuse(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "3600")
		}
		http.Error(w, http.StatusText(status), status)
	}
}

// endlessCalendar links every day to the days around it, with titles that look
// like those of stories.
func endlessCalendar(w http.ResponseWriter, r *http.Request) {
	day, err := time.Parse("/2006/01/02/", r.URL.Path)
	if r.URL.Path == "/" {
		day, err = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC), nil
	}
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var list []string
	for n := -10; n <= 10; n++ {
		d := day.AddDate(0, 0, n)
		list = append(list, d.Format(`<li><a href="/2006/01/02/">What happens in town on Monday, 2 January 2006: all events of the day</a></li>`))
	}
	sendPage(w, "Events on "+day.Format("2 January 2006"), "<ul>"+strings.Join(list, "")+"</ul>")
}

// sessionMaze serves ten stories under addresses that are new in every link.
func sessionMaze(w http.ResponseWriter, r *http.Request) {
	var links []string
	for n := range 10 {
		links = append(links, storyLink(fmt.Sprintf("/s%016x/news/story-%d.html?PHPSESSID=%016x", rand.Uint64(), n, rand.Uint64()),
			fmt.Sprintf("The same old story number %d is told again today", n)))
	}
	_, n, ok := strings.Cut(strings.TrimSuffix(r.URL.Path, ".html"), "/news/story-")
	switch {
	case r.URL.Path == "/":
		sendPage(w, "The Session Times", links...)
	case ok:
		text := ""
		for day := range 6 {
			text += fmt.Sprintf("<p>On day %d this is the old story number %s, which is told again and again to everybody who asks for it.</p>", day+1, n)
		}
		sendPage(w, "The same old story number "+n+" is told again today", text, links[0], links[1], links[2])
	default:
		http.NotFound(w, r)
	}
}

// redirectLoop redirects in circles, and with ever new addresses.
func redirectLoop(w http.ResponseWriter, r *http.Request) {
	const circle, back, itself = "/news/round-and-round-it-goes-in-town-1.html", "/news/back.html", "/news/to-itself-and-back-again-3.html"
	switch r.URL.Path {
	case "/":
		sendPage(w, "The Circular", storyLink(circle, "Round and round it goes in the town of circles"),
			storyLink("/news/never-the-same-road-twice-2.html", "Never the same road twice, says the council"),
			storyLink(itself, "To itself and back again: a walk around the block"))
	case circle:
		http.Redirect(w, r, back, http.StatusFound)
	case back:
		http.Redirect(w, r, circle, http.StatusFound)
	case itself:
		http.Redirect(w, r, itself, http.StatusMovedPermanently)
	case "/sitemap.xml", "/feed":
		http.NotFound(w, r)
	default:
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		http.Redirect(w, r, "/news/road?n="+strconv.Itoa(n+1), http.StatusFound)
	}
}

// redirectToLoopback redirects to addresses that a crawler must not reach.
func redirectToLoopback(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		sendPage(w, "The Open Door", storyLink("/news/the-door-stands-open-1.html", "The door stands open, and nobody knows who left it"))
		return
	}
	http.Redirect(w, r, "http://127.0.0.1:9/secret", http.StatusFound)
}

// softNotFound answers every address with the same words and new links.
func softNotFound(w http.ResponseWriter, r *http.Request) {
	h := hash(r.URL.Path)
	body := []string{"<p>Sorry, the page that you asked for does not exist. You may be interested in:</p>"}
	for n := range 10 {
		body = append(body, storyLink(fmt.Sprintf("/news/%x/what-readers-of-this-page-also-read-%d.html", (h+uint64(n))*fnvPrime, n),
			fmt.Sprintf("What readers of this page also read, part %d of %d", n, h%1000)))
	}
	sendPage(w, "Page not found", body...)
}

// zip compresses data.
func zip(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(data)
	z.Close()
	return out.Bytes()
}

// zeros is a megabyte of zeros, compressed as one member of a gzip stream, so
// that a bomb costs its server nothing.
var zeros = sync.OnceValue(func() []byte { return zip(make([]byte, 1<<20)) })

// gzipBomb serves stories of 10 GB of zeros.
func gzipBomb(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		sendPage(w, "The Large Paper", `<link rel="alternate" type="application/rss+xml" href="/feed.xml">`,
			storyLink("/news/nothing-much-to-report-today-1.html", "Nothing much to report today, says everybody"),
			storyLink("/news/nothing-new-under-the-sun-2.html", "Nothing new under the sun, say the astronomers"))
		return
	}
	w.Header().Set("Content-Type", htmlType)
	w.Header().Set("Content-Encoding", "gzip")
	w.Write(zip([]byte("<html><body><p>")))
	for range 10 << 10 {
		if _, err := w.Write(zeros()); err != nil {
			return
		}
	}
}

// hugeSitemap streams a sitemap of more than 5 GB.
func hugeSitemap(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/sitemap.xml" {
		emptyHome(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n")
	for n := range 100_000_000 {
		if _, err := fmt.Fprintf(w, "<url><loc>http://%s/tag/number-%d/</loc></url>\n", r.Host, n); err != nil {
			return
		}
	}
}

// sitemapCircle serves sitemaps that name each other, themselves and new ones.
func sitemapCircle(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, ".xml"), "/sitemap-")
	if !ok {
		emptyHome(w, r)
		return
	}
	var l listing
	for _, other := range []string{"a", "b", name, name + "x"} {
		l.Items = append(l.Items, listed{URL: "http://" + r.Host + "/sitemap-" + other + ".xml"})
	}
	send(w, "application/xml; charset=utf-8", execute("sitemapindex", l))
}

// scriptWall serves a page that only scripts can fill.
func scriptWall(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	data := strings.Repeat(`{"id":"5f3a","kind":"teaser","props":{"w":320,"h":180}},`, 2000)
	send(w, htmlType, []byte(`<!DOCTYPE html><html><head><title>The Script</title><script src="/static/js/runtime.4f2a.js"></script></head>`+
		`<body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>`+
		`<script>window.__STATE__=[`+data+`];</script><script src="/static/js/main.91bc.js"></script></body></html>`))
}
