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

// A trap is a host that is hard on crawlers. It has a home page, no feed and no sitemap
// unless page serves them.
type trap struct {
	what    string
	robots  http.HandlerFunc // nil: allows all
	page    http.HandlerFunc // serves everything else
	forbids bool             // robots.txt forbids everything
}

// traps has the traps by the name of their host.
var traps = map[string]trap{
	"trap-calendar":    {what: "an endless calendar", page: endlessCalendar},
	"trap-session":     {what: "session ids: no URL is given twice", page: sessionMaze},
	"trap-redirects":   {what: "redirects that never end", page: redirectLoop},
	"trap-soft404":     {what: "status 200 for URLs that do not exist, and new ones on every page", page: softNotFound},
	"trap-gzip":        {what: "pages of 10 GB of zeros, compressed", page: gzipBomb},
	"trap-bigmap":      {what: "a sitemap of 5 GB", robots: robotsText("Sitemap: http://%s/sitemap.xml"), page: hugeSitemap},
	"trap-mapcircle":   {what: "sitemaps that name each other", robots: robotsText("Sitemap: http://%s/sitemap-a.xml"), page: sitemapCircle},
	"trap-charset":     {what: "feeds in wrong charsets", page: wrongCharset},
	"trap-bigrobots":   {what: "a robots.txt of 10 MB", robots: hugeRobots, page: emptyHome},
	"trap-hangs":       {what: "a host that accepts requests and never answers", robots: hang, page: hang},
	"trap-drips":       {what: "pages that come a byte at a time and never end", page: drip},
	"trap-scripts":     {what: "a wall of scripts without text or links", page: scriptWall},
	"trap-403":         {what: "403 for every page", page: refuse(http.StatusForbidden)},
	"trap-429":         {what: "429 with Retry-After for every page", page: refuse(http.StatusTooManyRequests)},
	"trap-forbids":     {what: "a robots.txt that forbids everything", robots: robotsText("Disallow: /"), page: emptyHome, forbids: true},
	"trap-robots500":   {what: "a robots.txt with status 500", robots: refuse(http.StatusInternalServerError), page: emptyHome, forbids: true},
	"trap-empty":       {what: "a home page without stories", page: emptyHome},
	"trap-redirectout": {what: "pages that redirect to loopback", page: redirectToLoopback},
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

// sendHome serves a home page, and 404 for all other paths.
func sendHome(w http.ResponseWriter, r *http.Request, title string, body ...string) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	sendPage(w, title, body...)
}

// storyLink returns a heading that links to a story.
func storyLink(path, title string) string {
	return `<h3><a href="` + path + `">` + title + `</a></h3>`
}

func emptyHome(w http.ResponseWriter, r *http.Request) {
	sendHome(w, r, "The Empty Page", `<p>This paper has not printed anything yet.</p><p><a href="/about/">About us</a> <a href="/contact/">Contact</a></p>`)
}

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
	if !ok {
		sendHome(w, r, "The Session Times", links...)
		return
	}
	text := "<p>This is the old story number " + n + ", which is told again and again to everybody who asks for it, with the same words every time.</p>"
	sendPage(w, "The same old story number "+n+" is told again today", append(links, strings.Repeat(text, 6))...)
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
	z := gzip.NewWriter(w)
	io.WriteString(z, "<html><body><p>")
	z.Close()
	for range 10 << 10 {
		if _, err := w.Write(zeros()); err != nil {
			return
		}
	}
}

// hugeSitemap streams a sitemap of 5 GB.
func hugeSitemap(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/sitemap.xml" {
		emptyHome(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n")
	var out bytes.Buffer
	for n, total := 0, 0; total < 5<<30; total += out.Len() {
		out.Reset()
		for range 1000 {
			n++
			fmt.Fprintf(&out, "<url><loc>http://%s/tag/number-%d/</loc></url>\n", r.Host, n)
		}
		if _, err := w.Write(out.Bytes()); err != nil {
			return
		}
	}
	io.WriteString(w, "</urlset>\n")
}

// sitemapCircle serves sitemaps that name each other, themselves and new ones.
func sitemapCircle(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, "/sitemap-")
	if !ok {
		emptyHome(w, r)
		return
	}
	name = strings.TrimSuffix(name, ".xml")
	var l listing
	for _, other := range []string{"a", "b", name, name + "x"} {
		l.Items = append(l.Items, listed{URL: "http://" + r.Host + "/sitemap-" + other + ".xml"})
	}
	send(w, "application/xml; charset=utf-8", execute("sitemapindex", l))
}

// wrongCharset serves feeds whose charset is not what they say.
func wrongCharset(w http.ResponseWriter, r *http.Request) {
	latin, text := "Caf\xe9 de la Gare \xe0 \xc9vian ferm\xe9 apr\xe8s la f\xeate", "Café de la Gare à Évian fermé après la fête"
	feed := func(mediaType, charset, title string) {
		send(w, mediaType, fmt.Appendf(nil, `<?xml version="1.0" encoding="%s"?><rss version="2.0"><channel><title>Le Mauvais Codage</title>`+
			`<link>http://%s/</link><item><title>%s</title><link>http://%[2]s/news/cafe-%[4]d.html</link></item></channel></rss>`, charset, r.Host, title, len(title)))
	}
	switch r.URL.Path {
	case "/":
		link := `<link rel="alternate" type="application/rss+xml" href="/%s.xml">`
		sendPage(w, "Le Mauvais Codage", fmt.Sprintf(link+link+link+link, "a", "b", "c", "d"))
	case "/a.xml": // Latin-1 that says UTF-8
		feed("application/rss+xml; charset=utf-8", "UTF-8", latin)
	case "/b.xml": // UTF-8 that says Latin-1
		feed("application/rss+xml; charset=iso-8859-1", "ISO-8859-1", text)
	case "/c.xml": // no such charset
		feed("application/rss+xml", "x-user-defined-9", text)
	case "/d.xml": // control characters, a bare ampersand, an open element
		feed("text/html", "UTF-8", text+" \x01\x02 & Cie <b>")
	default:
		if !strings.HasPrefix(r.URL.Path, "/news/") {
			http.NotFound(w, r)
			return
		}
		sendPage(w, text, strings.Repeat("<p>Le café de la gare, où l’on servait le meilleur chocolat de la région, reste fermé après la fête du village.</p>", 6))
	}
}

// hugeRobots serves 10 MB of rules.
func hugeRobots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, "User-agent: *\nDisallow: /private/\n")
	line := "Disallow: /" + strings.Repeat("a", 1000) + "\n"
	for range 10 << 10 {
		if _, err := io.WriteString(w, line); err != nil {
			return
		}
	}
}

// hang answers nothing until the client gives up.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// drip writes a byte a second until the client gives up.
func drip(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", htmlType)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(w, " "); err != nil {
			return
		}
		http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// scriptWall serves a page that only scripts can fill.
func scriptWall(w http.ResponseWriter, r *http.Request) {
	data := strings.Repeat(`{"id":"5f3a","kind":"teaser","props":{"w":320,"h":180}},`, 2000)
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	send(w, htmlType, []byte(`<!DOCTYPE html><html><head><title>The Script</title><script src="/static/js/runtime.4f2a.js"></script></head>`+
		`<body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>`+
		`<script>window.__STATE__=[`+data+`];</script><script src="/static/js/main.91bc.js"></script></body></html>`))
}
