package serve

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/api/request"
	shared "github.com/lede-news/lede/internal/api/web"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/version"
)

//go:embed web
var web embed.FS

// appPolicy is the content security policy of the page at /.
const appPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; img-src data:"

var appTemplate = template.Must(template.ParseFS(web, "web/index.html"))

// sentPage is a page that the bookmarklet has sent, for the page at /.
type sentPage struct {
	HTML string `json:"html"`
	URL  string `json:"url"`
}

// index serves the page at /.
func (s *server) index(w http.ResponseWriter, r *http.Request) { s.writeApp(w, r, nil) }

// writeApp writes the page at /, also as the answer of another path. It opens the
// page that was sent, unless that is nil.
func (s *server) writeApp(w http.ResponseWriter, r *http.Request, sent *sentPage) {
	// The path may be below a prefix that was stripped, so links are relative.
	root := strings.Repeat("../", strings.Count(r.URL.Path, "/")-1)
	var data template.JS
	if sent != nil {
		encoded, err := json.Marshal(sent) // escapes <, > and &
		if err != nil {
			s.fail(w, r, fmt.Errorf("the page that was sent: %w", err))
			return
		}
		data = template.JS(encoded)
	}
	h := w.Header()
	h.Set("Content-Type", htmlType)
	h.Set("Content-Security-Policy", s.policy())
	h.Set("Cache-Control", "no-store")
	_ = appTemplate.Execute(w, map[string]any{"Root": root, "Sent": data})
}

// file serves a file of the page.
func (s *server) file(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy())
	h.Set("Cache-Control", "no-cache")
	name := r.PathValue("name")
	if name == "index.html" { // a template
		http.NotFound(w, r)
		return
	}
	shared.ServeFile(w, r, web, name)
}

// policy returns the content security policy of the page at /.
func (s *server) policy() string {
	if s.opts.Pictures {
		return appPolicy + " http: https:"
	}
	return appPolicy
}

// config answers with what the page at / must know about the service.
func (s *server) config(w http.ResponseWriter, r *http.Request) {
	var methods []string
	for _, m := range lede.Methods() {
		methods = append(methods, m.Name)
	}
	writeJSON(w, struct {
		Version  string   `json:"version"`
		Fetch    bool     `json:"fetch"`
		Keys     bool     `json:"keys"`
		Token    string   `json:"token"`
		Methods  []string `json:"methods"`
		Formats  []string `json:"formats"`
		MaxBytes int      `json:"max_bytes"`
		Pictures bool     `json:"pictures"`
	}{version.Get(), s.opts.Fetch != nil, s.opts.Keys != nil, s.token(r.Context()), methods, render.Formats(), s.opts.MaxBytes, s.opts.Pictures})
}

// shownPage is a page as Unicode text, so that it is fetched and decoded once, and
// then sent with each request about it.
type shownPage struct {
	URL     string `json:"url"`
	HTML    string `json:"html"`
	Charset string `json:"charset"`
	Partial bool   `json:"partial"`
}

// page answers with a page that was sent or fetched, as text.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	s.process(w, r, request.ExtractOptions, func(_ context.Context, out *bytes.Buffer, q *request.Page) (media string, err error) {
		hints := charset.Hints{Charset: q.Charset, Header: q.HeaderCharset}
		if q.Unicode {
			hints.Charset = "utf-8"
		}
		text, name, err := charset.Decode(q.Content, hints)
		if err != nil {
			return "", err
		}
		return jsonType, render.Lines(out, shownPage{URL: q.URL, HTML: string(text), Charset: name, Partial: q.Partial != ""})
	})
}

// frame answers a form of the page at /, whose target is a frame, with a safe copy of
// a page in which the decisions of an explanation are marked.
func (s *server) frame(w http.ResponseWriter, r *http.Request) {
	q, free, err := s.readForm(w, r)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	defer free()
	var copied []byte
	if err := s.gate.do(r.Context(), func() (err error) {
		copied, err = s.markedCopy(r.Context(), q)
		return err
	}); err != nil {
		s.failPage(w, r, err)
		return
	}
	writePage(w, http.StatusOK, copied)
}

// markedCopy returns the copy of a page for a frame. It has no marks if there is no
// article.
func (s *server) markedCopy(ctx context.Context, q *request.Page) ([]byte, error) {
	if s.pages.Sites != nil && q.Memory != "off" {
		q.Memory = "use" // the page was learned from when it was extracted
	}
	var opts frame.Options
	q.Explain = true // for the places of facts
	x, err := s.pages.Explain(ctx, q)
	switch {
	case err == nil:
		opts.Marks, opts.Places, opts.Pictures = marks(x)
		return frame.Page(x.Document(), opts)
	case !errors.Is(err, lede.ErrNoContent) && !errors.Is(err, lede.ErrNotArticle):
		return nil, err
	}
	d, err := dom.Parse(ctx, q.Content, dom.Options{Charset: "utf-8"})
	if err != nil {
		return nil, err
	}
	return frame.Page(d, opts)
}

// marks returns what to mark on the page of an explanation.
func marks(x *lede.Explanation) (list []frame.Mark, places map[dom.Node]string, pictures []dom.Node) {
	for i, v := range x.Decisions() {
		list = append(list, frame.Mark{First: v.First, Last: v.Last, Role: v.Role, Index: i})
	}
	places = make(map[dom.Node]string)
	shown := x.Places()
	for _, p := range []struct{ fact, role string }{
		{"standfirst", frame.Standfirst}, {"authors", frame.Byline}, {"published", frame.Date}, {"title", frame.Title},
	} {
		if n, ok := shown[p.fact]; ok {
			places[n] = p.role
		}
	}
	d := x.Document()
	for _, n := range x.Nodes() {
		switch d.Tag(n) {
		case dom.Img, dom.Video, dom.Audio, dom.Iframe, dom.Embed, dom.Object, dom.Unknown: // <amp-img>
			pictures = append(pictures, n)
		}
	}
	return list, places, pictures
}

// send answers the form of the bookmarklet with the page at /, which then shows the
// page that was sent.
func (s *server) send(w http.ResponseWriter, r *http.Request) {
	q, free, err := s.readForm(w, r)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	defer free()
	s.writeApp(w, r, &sentPage{HTML: string(q.Content), URL: q.URL})
}

// formOptions are the options of forms.
var formOptions = []string{"method", "set", "favor", "with", "only_articles", "pictures", "site", "memory", "link_text"}

// readForm reads a form in parts: its token, which is the first field, so that nothing is
// read for those who have none; its options; and the page in the field html, which is
// Unicode. Call free when the page is no longer needed.
func (s *server) readForm(w http.ResponseWriter, r *http.Request) (q *request.Page, free func(), err error) {
	parts, _ := r.MultipartReader() // nil for other requests
	if err := s.admitToken(w, r, readToken(parts)); err != nil {
		return nil, nil, err
	}
	size, limit := int(r.ContentLength), 2*s.opts.MaxBytes+bodyStep
	switch {
	case size < 0:
		return nil, nil, request.Errorf("body", "the form has no Content-Length")
	case size > limit:
		return nil, nil, tooLarge(int64(limit))
	case s.gate.full() || !s.bodies.take(size):
		return nil, nil, errBusy
	}
	free = func() { s.bodies.give(size) }
	if q, err = parseForm(parts, int64(size)); err == nil {
		err = s.pages.Check(q)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	clearDeadline(w)
	visitOf(r.Context()).received = size
	return q, free, nil
}

// readToken returns the token of a form.
func readToken(parts *multipart.Reader) string {
	if parts == nil {
		return ""
	}
	part, err := parts.NextRawPart()
	if err != nil || part.FormName() != "token" {
		return ""
	}
	token, _ := io.ReadAll(io.LimitReader(part, 1<<10))
	return string(token)
}

// parseForm returns the request of a form of the given size, after its token.
func parseForm(parts *multipart.Reader, size int64) (*request.Page, error) {
	form, err := parts.ReadForm(size) // all in memory
	if err != nil {
		return nil, bodyError(err, size)
	}
	values := url.Values(form.Value)
	html, address := values.Get("html"), values.Get("url")
	if html == "" {
		return nil, request.Errorf("option", "the form has no page in its field html; use the page of lede at /, or its bookmarklet")
	}
	values.Del("html")
	values.Del("url")
	q, err := request.New(values, formOptions)
	if err != nil {
		return nil, err
	}
	q.SetText(html)
	if u, err := url.Parse(strings.TrimSpace(address)); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		q.URL = u.String()
	}
	return q, nil
}

// writePage writes a page without effects, which may be shown in a frame of the page
// at /.
func writePage(w http.ResponseWriter, status int, page []byte) {
	h := w.Header()
	h.Set("Content-Type", htmlType)
	h.Set("Content-Security-Policy", frame.Policy)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

var errorTemplate = template.Must(template.New("error").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>{{.Title}}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
<h1>{{.Title}}</h1>
<p>{{.Detail}}</p>
`))

// failPage writes an error as a page, for those that are shown to people.
func (s *server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := s.report(w, r, err)
	if !ok {
		return
	}
	var out bytes.Buffer
	_ = errorTemplate.Execute(&out, p) // it has both fields
	writePage(w, p.Status, out.Bytes())
}
