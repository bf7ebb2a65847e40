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
)

// state is how far the page of a label is.
func (l Label) state() string {
	switch {
	case l.Skipped:
		return "skipped"
	case l.Done:
		return "labelled"
	case !l.empty():
		return "begun"
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
		fail(w, http.StatusInternalServerError, err)
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
	answer(w, http.StatusOK, map[string]any{"set": s.set(), "file": s.Store.File(), "network": s.Network, "suggests": s.Suggest != nil, "pages": lines})
}

// labelState is the label of a page, and what of it was found on the page.
type labelState struct {
	Version string `json:"version"`
	State   string `json:"state"`
	Title   *found `json:"title"`
	Body    *found `json:"body"`
	Done    bool   `json:"done"`
	Undo    int    `json:"undo"` // how many changes can be undone
}

type found struct {
	Node  dom.Node `json:"node"` // dom.None when it is lost
	Match Match    `json:"match"`
	Text  string   `json:"text"` // as it was when it was chosen
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
		fail(w, http.StatusInternalServerError, err)
		return
	}
	list, left := rows(d.Document)
	heading := ""
	if n := d.First(dom.Title); n != dom.None {
		heading = snippet(d.Raw(n), 2*markText)
	}
	answer(w, http.StatusOK, map[string]any{
		"id": d.page.ID, "url": d.page.URL, "heading": heading, "doc": d.key,
		"rows": list, "left": left, "cut": d.Truncated(), "label": s.stateOf(d, l),
	})
}

func (s *Server) getFrame(w http.ResponseWriter, r *http.Request) {
	d := s.open(w, r, false)
	if d == nil {
		return
	}
	page, err := frame(d.Document, d.page.URL, s.Network)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	policy := framePolicy
	if s.Network {
		policy = networkPolicy
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

func (s *Server) getLabel(w http.ResponseWriter, r *http.Request) {
	if d := s.open(w, r, false); d != nil {
		l, _, err := s.Store.Get(d.page.ID)
		s.tell(w, d, l, err)
	}
}

// change is what is to be different: a field that is absent stays as it is.
type change struct {
	Version string          `json:"version"`
	Title   json.RawMessage `json:"title"` // null, or a choice
	Body    json.RawMessage `json:"body"`
	Done    *bool           `json:"done"`
	Skipped *bool           `json:"skipped"`
}

// choice is an element of the page that was chosen.
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
		s.tell(w, d, l, err)
		return
	}
	if err := c.apply(&l, d); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	l, err = s.Store.Put(l, c.Version)
	s.tell(w, d, l, err)
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
		return nil, fmt.Errorf("the page has no element %d", c.Node)
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
			err = nil // the state says so
		}
		s.tell(w, d, l, err)
	}
}

func (s *Server) getHistory(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("page")
	if _, ok := s.ids[id]; !ok {
		fail(w, http.StatusNotFound, fmt.Errorf("there is no page %q", id))
		return
	}
	answer(w, http.StatusOK, map[string]any{"former": append([]Label{}, s.Store.History(id)...)})
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
	answer(w, http.StatusOK, map[string]dom.Node{"title": d.choosable(title), "body": d.choosable(body)})
}

// choosable is the element that a person could have chosen for a node.
func (d *doc) choosable(n dom.Node) dom.Node {
	if n <= d.Root() || int(n) >= d.Len() {
		return dom.None
	}
	if d.IsText(n) {
		return d.Parent(n)
	}
	return n
}

// open is the page that is asked for. Only IDs that the server was given are
// pages: they are never part of a file name here. Unless fresh it is as it was
// when its tree was sent, since numbers of nodes are of no other page.
func (s *Server) open(w http.ResponseWriter, r *http.Request, fresh bool) *doc {
	id := r.URL.Query().Get("page")
	p, ok := s.ids[id]
	if !ok {
		fail(w, http.StatusNotFound, fmt.Errorf("there is no page %q", id))
		return nil
	}
	d, err := s.docs.get(id), error(nil)
	if fresh || d == nil {
		d, err = s.docs.read(r.Context(), p)
	}
	switch {
	case err != nil:
		fail(w, http.StatusUnprocessableEntity, err)
		return nil
	case !fresh && r.URL.Query().Get("doc") != d.key:
		fail(w, http.StatusGone, errors.New("the page has changed since it was shown: load it again"))
		return nil
	}
	return d
}

// tell answers with the state of a label after a change, or beside the error.
func (s *Server) tell(w http.ResponseWriter, d *doc, l Label, err error) {
	switch {
	case errors.Is(err, ErrConflict):
		answer(w, http.StatusConflict, map[string]any{"error": err.Error(), "label": s.stateOf(d, l)})
	case err != nil:
		fail(w, http.StatusInternalServerError, err)
	default:
		answer(w, http.StatusOK, map[string]any{"label": s.stateOf(d, l)})
	}
}

// decode reads what was sent. A form of another site cannot send JSON.
func decode(w http.ResponseWriter, r *http.Request, to any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, errors.New("send application/json"))
		return false
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil && err != io.EOF {
		fail(w, http.StatusBadRequest, errors.New(strings.TrimPrefix(err.Error(), "json: ")))
		return false
	}
	return true
}

func answer(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}

func fail(w http.ResponseWriter, code int, err error) {
	answer(w, code, map[string]string{"error": err.Error()})
}

const (
	maxRows    = 100_000 // elements of a page that its tree shows
	maxName    = 40      // characters that name an element
	maxSnippet = 60      // characters of its text
)

// row is an element as the tree beside the page shows it.
type row struct {
	Node  dom.Node `json:"n"`
	Depth int      `json:"d"`
	Name  string   `json:"l"`
	Text  string   `json:"t,omitempty"`
	Words int      `json:"w,omitempty"`
}

// rows are the elements of which a reader sees text or a picture, in the order of the page. Left
// is how many there are beyond those.
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
		list = append(list, row{n, d.Depth(n) - depth, nameOf(d, n), snippet(d.Text(n), maxSnippet), int(c.Words)})
	}
	return list, left
}

// nameOf names an element as a style sheet would.
func nameOf(d *dom.Document, n dom.Node) string {
	s := d.Name(n)
	if id := strings.TrimSpace(d.AttrOr(n, "id")); id != "" {
		s += "#" + id
	}
	for i, class := range strings.Fields(d.AttrOr(n, "class")) {
		if i == 2 {
			break
		}
		s += "." + class
	}
	return snippet(s, maxName)
}
