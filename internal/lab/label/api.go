package label

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	"github.com/lede-news/lede/internal/page/css"
)

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

type pageLine struct {
	ID    string `json:"id"`
	URL   string `json:"url,omitempty"`
	State string `json:"state"`
}

func (s *Server) getPages(w http.ResponseWriter, _ *http.Request) {
	labels, err := s.Store.All()
	if err != nil {
		writeError(w, http.StatusInternalServerError, err)
		return
	}
	known := make(map[string]Label, len(labels))
	for _, l := range labels {
		known[l.Page] = l
	}
	lines := make([]pageLine, len(s.Pages))
	for i, p := range s.Pages {
		lines[i] = pageLine{p.ID, p.URL, known[p.ID].state()}
	}
	writeJSON(w, http.StatusOK, map[string]any{"set": s.set(), "file": s.Store.File(), "network": s.Network, "suggests": s.Suggest != nil, "pages": lines})
}

// labelState is the label of a page, with the elements found on the page.
type labelState struct {
	Version string `json:"version"`
	State   string `json:"state"`
	Title   *found `json:"title"`
	Body    *found `json:"body"`
	Done    bool   `json:"done"`
	Undo    int    `json:"undo"` // number of changes that can be undone
}

type found struct {
	Node  dom.Node `json:"node"` // dom.None if lost
	Match Match    `json:"match"`
	Text  string   `json:"text"` // when it was selected
}

func (s *Server) stateOf(d *doc, l Label) labelState {
	find := func(m *Mark) *found {
		if m == nil {
			return nil
		}
		n, match := Find(d.Document, *m)
		text := m.Text
		if !m.complete() {
			text += "…"
		}
		return &found{n, match, text}
	}
	return labelState{l.version(), l.state(), find(l.Title), find(l.Body), l.Done, len(s.Store.History(l.Page))}
}

func (s *Server) getPage(w http.ResponseWriter, r *http.Request) {
	d := s.open(w, r, true)
	if d == nil {
		return
	}
	l, _, err := s.Store.Get(d.page.ID)
	if err != nil {
		writeError(w, http.StatusInternalServerError, err)
		return
	}
	list, left := rows(d.Document)
	heading := ""
	if n := d.First(dom.Title); n != dom.None {
		heading = snippet(d.Raw(n), 2*markText)
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"id": d.page.ID, "url": d.page.URL, "heading": heading, "doc": d.key,
		"rows": list, "left": left, "cut": d.Truncated(), "label": s.stateOf(d, l),
	})
}

func (s *Server) getFrame(w http.ResponseWriter, r *http.Request) {
	d := s.open(w, r, false)
	if d == nil {
		return
	}
	page, err := frame.Page(d.Document, frame.Options{URL: d.page.URL, Network: s.Network})
	if err != nil {
		writeError(w, http.StatusInternalServerError, err)
		return
	}
	policy := frame.Policy
	if s.Network {
		policy = frame.NetworkPolicy
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

func (s *Server) getLabel(w http.ResponseWriter, r *http.Request) {
	if d := s.open(w, r, false); d != nil {
		l, _, err := s.Store.Get(d.page.ID)
		s.writeState(w, d, l, err)
	}
}

// change is a change of a label. Missing fields are not changed.
type change struct {
	Version string          `json:"version"`
	Title   json.RawMessage `json:"title"` // null or a choice
	Body    json.RawMessage `json:"body"`
	Done    *bool           `json:"done"`
	Skipped *bool           `json:"skipped"`
}

// choice is a selected element.
type choice struct {
	Node dom.Node `json:"node"`
	Box  Box      `json:"box"`
}

func (s *Server) putLabel(w http.ResponseWriter, r *http.Request) {
	var c change
	if !decode(w, r, &c) {
		return
	}
	d := s.open(w, r, false)
	if d == nil {
		return
	}
	l, _, err := s.Store.Get(d.page.ID)
	if err != nil {
		s.writeState(w, d, l, err)
		return
	}
	if err := c.apply(&l, d); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	l, err = s.Store.Put(l, c.Version)
	s.writeState(w, d, l, err)
}

func (c change) apply(l *Label, d *doc) error {
	l.URL = d.page.URL
	for _, m := range []struct {
		to   **Mark
		from json.RawMessage
	}{{&l.Title, c.Title}, {&l.Body, c.Body}} {
		if m.from == nil {
			continue
		}
		mark, err := newChoice(d.Document, m.from)
		if err != nil {
			return err
		}
		*m.to = mark
		l.Done = l.Title != nil && l.Body != nil
		l.Skipped = l.Skipped && mark == nil
	}
	if c.Done != nil {
		l.Done = *c.Done
		l.Skipped = l.Skipped && !l.Done
	}
	if c.Skipped != nil {
		l.Skipped = *c.Skipped
	}
	return nil
}

func newChoice(d *dom.Document, from json.RawMessage) (*Mark, error) {
	var c *choice
	if err := json.Unmarshal(from, &c); err != nil || c == nil {
		return nil, err
	}
	if c.Node <= d.Root() || int(c.Node) >= d.Len() || d.IsText(c.Node) {
		return nil, fmt.Errorf("no element %d on the page", c.Node)
	}
	m := NewMark(d, c.Node, c.Box)
	return &m, m.check()
}

func (s *Server) undo(w http.ResponseWriter, r *http.Request) {
	var c struct {
		Version string `json:"version"`
	}
	if !decode(w, r, &c) {
		return
	}
	if d := s.open(w, r, false); d != nil {
		l, err := s.Store.Undo(d.page.ID, c.Version)
		if errors.Is(err, ErrNoHistory) {
			err = nil // labelState.Undo is 0
		}
		s.writeState(w, d, l, err)
	}
}

func (s *Server) getHistory(w http.ResponseWriter, r *http.Request) {
	if p, ok := s.page(w, r); ok {
		writeJSON(w, http.StatusOK, map[string]any{"former": append([]Label{}, s.Store.History(p.ID)...)})
	}
}

func (s *Server) getSuggestion(w http.ResponseWriter, r *http.Request) {
	d := s.open(w, r, false)
	if d == nil {
		return
	}
	title, body := dom.None, dom.None
	if s.Suggest != nil {
		ctx, cancel := context.WithTimeout(r.Context(), parseTime)
		defer cancel()
		title, body = s.Suggest(ctx, d.Document, d.page.URL)
	}
	writeJSON(w, http.StatusOK, map[string]dom.Node{"title": d.selectable(title), "body": d.selectable(body)})
}

// selectable returns the element of a node, or dom.None.
func (d *doc) selectable(n dom.Node) dom.Node {
	if n <= d.Root() || int(n) >= d.Len() {
		return dom.None
	}
	if d.IsText(n) {
		return d.Parent(n)
	}
	return n
}

// page returns the requested page, or writes an error. Only known IDs are valid,
// so that a request cannot name other files.
func (s *Server) page(w http.ResponseWriter, r *http.Request) (Page, bool) {
	id := r.URL.Query().Get("page")
	p, ok := s.ids[id]
	if !ok {
		writeError(w, http.StatusNotFound, fmt.Errorf("no page %q", id))
	}
	return p, ok
}

// open returns the requested page, or writes an error and returns nil. Unless
// fresh is set, the page must be the version whose tree was sent, because the
// numbers of nodes depend on it.
func (s *Server) open(w http.ResponseWriter, r *http.Request, fresh bool) *doc {
	p, ok := s.page(w, r)
	if !ok {
		return nil
	}
	d, err := s.docs.get(p.ID), error(nil)
	if fresh || d == nil {
		d, err = s.docs.read(r.Context(), p)
	}
	switch {
	case err != nil:
		writeError(w, http.StatusUnprocessableEntity, err)
		return nil
	case !fresh && r.URL.Query().Get("doc") != d.key:
		writeError(w, http.StatusGone, errors.New("the page has changed; reload it"))
		return nil
	}
	return d
}

// writeState writes the state of a label, or an error.
func (s *Server) writeState(w http.ResponseWriter, d *doc, l Label, err error) {
	switch {
	case errors.Is(err, ErrConflict):
		writeJSON(w, http.StatusConflict, map[string]any{"error": err.Error(), "label": s.stateOf(d, l)})
	case err != nil:
		writeError(w, http.StatusInternalServerError, err)
	default:
		writeJSON(w, http.StatusOK, map[string]any{"label": s.stateOf(d, l)})
	}
}

// decode decodes the body of a request. It requires JSON, which forms of other
// sites cannot send.
func decode(w http.ResponseWriter, r *http.Request, to any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		writeError(w, http.StatusUnsupportedMediaType, errors.New("want Content-Type application/json"))
		return false
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil && err != io.EOF {
		writeError(w, http.StatusBadRequest, errors.New(strings.TrimPrefix(err.Error(), "json: ")))
		return false
	}
	return true
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}

func writeError(w http.ResponseWriter, code int, err error) {
	writeJSON(w, code, map[string]string{"error": err.Error()})
}

const (
	maxRows    = 100_000 // elements of a page in its tree
	maxSnippet = 60      // characters of the text of an element
)

// row is an element in the tree of a page.
type row struct {
	Node  dom.Node `json:"n"`
	Depth int      `json:"d"`
	Name  string   `json:"l"`
	Text  string   `json:"t,omitempty"`
	Words int      `json:"w,omitempty"`
}

// rows returns the elements with visible text or pictures, in document order, and
// the number of elements beyond maxRows.
func rows(d *dom.Document) (list []row, left int) {
	top := d.First(dom.Body)
	if top == dom.None {
		return []row{}, 0
	}
	list = []row{}
	depth := d.Depth(top)
	for n := top; n < d.End(top); n++ {
		if d.IsText(n) || d.Hidden(n) && n != top {
			continue
		}
		c := d.Counts(n)
		if c.Chars == 0 && c.Images == 0 && n != top {
			continue
		}
		if len(list) == maxRows {
			left++
			continue
		}
		list = append(list, row{n, d.Depth(n) - depth, css.SelectorOf(d, n), snippet(d.Text(n), maxSnippet), int(c.Words)})
	}
	return list, left
}
