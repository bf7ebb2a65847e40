package label

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	sharedweb "github.com/lede-news/lede/internal/api/web"
)

//go:embed web
var web embed.FS

// Page is a page to label. Its ID names it in the file of labels.
type Page struct {
	ID, URL string
	input   batch.Input
}

// Files returns the pages of files, folders and corpora, as found and named by
// package batch.
func Files(paths []string) ([]Page, error) {
	var pages []Page
	for p := range (&batch.Source{Paths: paths}).Inputs() {
		if errors.Is(p.Err, batch.ErrStatus) {
			continue // a redirect, not a page
		}
		if slices.ContainsFunc(pages, func(o Page) bool { return o.ID == p.ID }) {
			return nil, fmt.Errorf("two pages have the ID %s; label them separately", p.ID)
		}
		pages = append(pages, Page{ID: p.ID, URL: p.URL, input: p})
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("no pages in %s; want files that end in .html, .htm or .html.gz", strings.Join(paths, ", "))
	}
	return pages, nil
}

// Read returns the bytes of the page.
func (p Page) Read() ([]byte, error) {
	if p.input.Err != nil {
		return nil, p.input.Err
	}
	r, err := p.input.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, dom.DefaultBytes+1)) // one more, so that dom reports pages that are too large
}

// Server is the web application. It is an http.Handler.
type Server struct {
	pages []Page
	store *Store
	token string
	mux   *http.ServeMux
}

// New returns a Server.
func New(pages []Page, store *Store) *Server {
	s := &Server{pages: pages, store: store, token: rand.Text(), mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { sharedweb.ServeFile(w, r, web, "label.html") })
	s.mux.HandleFunc("GET /web/{name}", func(w http.ResponseWriter, r *http.Request) { sharedweb.ServeFile(w, r, web, r.PathValue("name")) })
	s.mux.HandleFunc("GET /frame", s.getFrame)
	s.mux.HandleFunc("GET /api/pages", s.getPages)
	s.mux.HandleFunc("GET /api/page", s.getPage)
	s.mux.HandleFunc("PUT /api/label", s.putLabel)
	return s
}

// Path returns the path of the application, which contains a secret token.
func (s *Server) Path() string { return "/" + s.token + "/" }

// toolPolicy is the content security policy of the application, which loads its
// own files only. Pages that are labelled have that of package frame.
const toolPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP accepts requests of the application and navigation to its URL. It rejects
// all others, such as those of other sites in the same browser and those for host
// names that resolve to this machine (DNS rebinding).
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sharedweb.Headers(w.Header())
	w.Header().Set("Content-Security-Policy", toolPolicy)
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case !sharedweb.KnownHost(r, nil):
		http.Error(w, "Unknown host name.", http.StatusForbidden)
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		http.Error(w, "Open the URL that lede-lab label printed. It contains a token that changes with every run.", http.StatusForbidden)
	case sharedweb.CrossSite(r) && !(rest == "" && sharedweb.IsNavigation(r)):
		http.Error(w, "Requests from other sites are not allowed.", http.StatusForbidden)
	default:
		http.StripPrefix("/"+s.token, s.mux).ServeHTTP(w, r)
	}
}

// state returns the state of a label for the application.
func (l Label) state() string {
	switch {
	case l.Skipped:
		return "skipped"
	case l.Done:
		return "labelled"
	case !l.empty():
		return "started"
	}
	return "open"
}

func (s *Server) getPages(w http.ResponseWriter, _ *http.Request) {
	type line struct {
		ID    string `json:"id"`
		State string `json:"state"`
	}
	var lines []line
	for _, p := range s.pages {
		lines = append(lines, line{p.ID, s.store.Get(p.ID).state()})
	}
	writeJSON(w, http.StatusOK, lines)
}

// open returns the requested page, or writes an error and returns nil. Only known IDs
// are valid, so that a request cannot name other files.
func (s *Server) open(w http.ResponseWriter, r *http.Request) (Page, *dom.Document) {
	id := r.URL.Query().Get("page")
	i := slices.IndexFunc(s.pages, func(p Page) bool { return p.ID == id })
	if i < 0 {
		writeError(w, http.StatusNotFound, fmt.Errorf("no page %q", id))
		return Page{}, nil
	}
	data, err := s.pages[i].Read()
	var d *dom.Document
	if err == nil {
		ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
		defer cancel()
		d, err = dom.Parse(ctx, data, dom.Options{})
	}
	if err != nil {
		writeError(w, http.StatusUnprocessableEntity, err)
		return Page{}, nil
	}
	return s.pages[i], d
}

// labelState is the label of a page, with the elements found on the page.
type labelState struct {
	State string `json:"state"`
	Title *found `json:"title"`
	Body  *found `json:"body"`
}

type found struct {
	Node dom.Node `json:"node"` // dom.None if it is not found
	Text string   `json:"text"` // when it was selected
}

func stateOf(d *dom.Document, l Label) labelState {
	find := func(m *Mark) *found {
		if m == nil {
			return nil
		}
		return &found{Find(d, *m), m.Text}
	}
	return labelState{l.state(), find(l.Title), find(l.Body)}
}

func (s *Server) getPage(w http.ResponseWriter, r *http.Request) {
	p, d := s.open(w, r)
	if d == nil {
		return
	}
	heading := ""
	if n := d.First(dom.Title); n != dom.None {
		heading = snippet(d.Raw(n), 160)
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"id": p.ID, "url": p.URL, "heading": heading, "rows": rows(d), "cut": d.Truncated(),
		"label": stateOf(d, s.store.Get(p.ID)),
	})
}

func (s *Server) getFrame(w http.ResponseWriter, r *http.Request) {
	_, d := s.open(w, r)
	if d == nil {
		return
	}
	page, err := frame.Page(d, frame.Options{})
	if err != nil {
		writeError(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Security-Policy", frame.Policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

// change is a change of a label. Missing fields are not changed. The node dom.None
// clears a selection.
type change struct {
	Title   *dom.Node `json:"title"`
	Body    *dom.Node `json:"body"`
	Done    *bool     `json:"done"`
	Skipped *bool     `json:"skipped"`
}

func (s *Server) putLabel(w http.ResponseWriter, r *http.Request) {
	var c change
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10))
	in.DisallowUnknownFields()
	if err := in.Decode(&c); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	p, d := s.open(w, r)
	if d == nil {
		return
	}
	l := s.store.Get(p.ID)
	l.URL = p.URL
	if err := c.apply(&l, d); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	if err := s.store.Put(l); err != nil {
		writeError(w, http.StatusInternalServerError, err)
		return
	}
	writeJSON(w, http.StatusOK, stateOf(d, l))
}

func (c change) apply(l *Label, d *dom.Document) error {
	for _, m := range []struct {
		to   **Mark
		from *dom.Node
	}{{&l.Title, c.Title}, {&l.Body, c.Body}} {
		switch {
		case m.from == nil:
			continue
		case *m.from == dom.None:
			*m.to = nil
		case *m.from <= d.Root() || int(*m.from) >= d.Len() || d.IsText(*m.from):
			return fmt.Errorf("no element %d on the page", *m.from)
		default:
			mark := NewMark(d, *m.from)
			*m.to, l.Skipped = &mark, false
		}
		l.Done = l.Title != nil && l.Body != nil
	}
	if c.Done != nil {
		l.Done, l.Skipped = *c.Done, l.Skipped && !*c.Done
	}
	if c.Skipped != nil {
		l.Skipped = *c.Skipped
	}
	return nil
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}

func writeError(w http.ResponseWriter, code int, err error) {
	writeJSON(w, code, map[string]string{"error": err.Error()})
}

// row is an element in the tree of a page.
type row struct {
	Node  dom.Node `json:"n"`
	Depth int      `json:"d"`
	Name  string   `json:"l"`
	Text  string   `json:"t,omitempty"`
	Words int      `json:"w,omitempty"`
}

// rows returns the elements with visible text or pictures, in document order.
func rows(d *dom.Document) []row {
	list := []row{}
	top := d.First(dom.Body)
	if top == dom.None {
		return list
	}
	for n := top; n < d.End(top); n++ {
		c := d.Counts(n)
		if n == top || !d.IsText(n) && !d.Hidden(n) && (c.Chars > 0 || c.Images > 0) {
			list = append(list, row{n, d.Depth(n) - d.Depth(top), selectorOf(d, n), snippet(d.Text(n), 60), int(c.Words)})
		}
	}
	return list
}

// selectorOf returns a selector of an element that tells people which one it is: its name, ID and
// first two classes, of at most 40 characters.
func selectorOf(d *dom.Document, n dom.Node) string {
	const maxChars = 40
	s := d.Name(n)
	if id := strings.TrimSpace(d.Attr(n, "id")); id != "" {
		s += "#" + id
	}
	classes := strings.Fields(d.Attr(n, "class"))
	for _, class := range classes[:min(len(classes), 2)] {
		s += "." + class
	}
	if runes := []rune(s); len(runes) > maxChars {
		return string(runes[:maxChars]) + "…"
	}
	return s
}
