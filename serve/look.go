package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/version"
)

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
	q, free, err := s.readPage(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer free()
	var out bytes.Buffer
	if err := s.work(r, func() error {
		text, name, err := charset.Decode(q.Content, q.hints())
		if err != nil {
			return err
		}
		return json.NewEncoder(&out).Encode(shownPage{URL: q.URL, HTML: string(text), Charset: name, Partial: q.Partial != ""})
	}); err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	send(w, &out)
}

// hints returns what the request says about the charset of the page.
func (q *pageRequest) hints() charset.Hints {
	if q.HTML != nil {
		return charset.Hints{Charset: "utf-8"}
	}
	return charset.Hints{Charset: q.Charset, Header: q.HeaderCharset}
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
	if err := s.work(r, func() (err error) {
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
func (s *server) markedCopy(ctx context.Context, q *pageRequest) ([]byte, error) {
	if s.pages.Sites != nil && q.Memory != "off" {
		q.Memory = "use" // the page was learned from when it was extracted
	}
	opts := frame.Options{URL: q.URL}
	x, err := s.pages.Explain(ctx, &q.Page)
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
	s.writeApp(w, r, &sentPage{HTML: *q.HTML, URL: q.URL})
}

// webAddress returns an address if it is one of the web, or "".
func webAddress(s string) string {
	if u, err := url.Parse(strings.TrimSpace(s)); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return u.String()
	}
	return ""
}

// readForm reads a request that is a form, urlencoded or in parts: its options, and
// the page in the field html, which is Unicode. Call free when it is no longer needed.
func (s *server) readForm(w http.ResponseWriter, r *http.Request) (q *pageRequest, free func(), err error) {
	if s.gate.full() {
		return nil, nil, errBusy
	}
	body, free, err := s.readBody(w, r)
	if err != nil {
		return nil, nil, err
	}
	if q, err = formRequest(r.Header.Get("Content-Type"), body); err == nil {
		err = s.check(q)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return q, free, nil
}

// formOptions are the options of forms.
var formOptions = []string{"method", "set", "favor", "with", "only_articles", "pictures", "site", "memory", "link_text"}

func formRequest(contentType string, body []byte) (*pageRequest, error) {
	var form url.Values
	var err error
	switch kind, params, _ := mime.ParseMediaType(contentType); kind {
	case "application/x-www-form-urlencoded":
		form, err = url.ParseQuery(string(body))
	case "multipart/form-data":
		form, err = readParts(body, params["boundary"])
	default:
		err = errors.New("the request is no form")
	}
	if err == nil && (len(form["html"]) != 1 || form.Get("html") == "") {
		err = errors.New("the form has no page in its field html, or several")
	}
	if err != nil {
		return nil, newProblem("option", "%s; use the page of lede at /, or its bookmarklet", err)
	}
	html, address := form.Get("html"), webAddress(form.Get("url"))
	for _, name := range []string{"token", "html", "url"} {
		delete(form, name)
	}
	q, err := newRequest(form, formOptions)
	if err != nil {
		return nil, err
	}
	q.setText(&html)
	q.URL = address
	return q, nil
}

// maxFields is the number of fields of a form in parts.
const maxFields = 100

// readParts reads a form in parts. Nothing is written to files.
func readParts(body []byte, boundary string) (url.Values, error) {
	form := make(url.Values)
	fields := 0
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return nil, err
		}
		if fields++; fields > maxFields {
			return nil, errors.New("the form has too many fields")
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		form.Add(part.FormName(), string(value))
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(v)
}

// writePage writes a page without effects, which may be shown in a frame of the page
// at /.
func writePage(w http.ResponseWriter, status int, page []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
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
	p := s.report(w, r, err)
	if p == nil {
		return
	}
	var out bytes.Buffer
	if err := errorTemplate.Execute(&out, struct{ Title, Detail string }{p.title, p.detail}); err != nil {
		http.Error(w, p.title, p.status)
		return
	}
	writePage(w, p.status, out.Bytes())
	s.drain(w, r)
}
