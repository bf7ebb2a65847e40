package label

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/dom"
)

//go:embed web
var web embed.FS

// Suggest says where title and body are, as far as a model can tell; dom.None
// where it cannot.
type Suggest func(ctx context.Context, d *dom.Document, url string) (title, body dom.Node)

// Options say what is labelled, and how.
type Options struct {
	Pages []Page
	Store *Store
	// Suggest may be nil.
	Suggest Suggest
	// Network lets pages load pictures and style sheets from their sites, which
	// then learn that somebody looks at them. Scripts never run.
	Network bool
	// Hosts are names that the server goes by, beside those of this machine.
	Hosts []string
}

// Server is the tool for labelling, as an http.Handler.
type Server struct {
	Options
	ids   map[string]Page
	docs  *shelf
	token string
	hosts []string
	http.Handler
}

// New makes a server.
func New(opts Options) (*Server, error) {
	s := &Server{Options: opts, ids: map[string]Page{}, docs: newShelf(), token: rand.Text(), hosts: opts.Hosts}
	if opts.Store == nil {
		return nil, errors.New("label: no store given")
	}
	if len(opts.Pages) == 0 {
		return nil, ErrNoPages
	}
	for _, p := range opts.Pages {
		if _, ok := s.ids[p.ID]; ok || p.ID == "" {
			return nil, fmt.Errorf("label: every page needs an ID of its own, and %q is not", p.ID)
		}
		s.ids[p.ID] = p
	}
	s.Handler = s.guard(s.routes())
	return s, nil
}

// Path is where the tool is on the server, with the key to it.
func (s *Server) Path() string { return "/" + s.token + "/" }

// set names the labels, so that a browser keeps what it could not send for the
// right ones.
func (s *Server) set() string {
	sum := sha256.Sum256([]byte(s.Store.File()))
	return hex.EncodeToString(sum[:8])
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", file("label.html"))
	mux.HandleFunc("GET /web/{name}", func(w http.ResponseWriter, r *http.Request) { file(r.PathValue("name"))(w, r) })
	mux.HandleFunc("GET /frame", s.getFrame)
	mux.HandleFunc("GET /api/pages", s.getPages)
	mux.HandleFunc("GET /api/page", s.getPage)
	mux.HandleFunc("GET /api/label", s.getLabel)
	mux.HandleFunc("PUT /api/label", s.putLabel)
	mux.HandleFunc("POST /api/undo", s.undo)
	mux.HandleFunc("GET /api/history", s.getHistory)
	mux.HandleFunc("GET /api/suggestion", s.getSuggestion)
	return mux
}

// file serves one of the tool's own files.
func file(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := fs.ReadFile(web, path.Join("web", path.Base(name)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if path.Ext(name) == ".js" {
			kind = "text/javascript; charset=utf-8" // whatever this machine thinks
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(data)
	}
}

// Listen opens a port for Serve. Without a host it is one of this machine only,
// and a port that is taken gives way to a free one.
func Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil && port != "0" {
		if free, err := net.Listen("tcp", net.JoinHostPort(host, "0")); err == nil {
			return free, nil
		}
	}
	return l, err
}

// URL is what to open in a browser for a server that listens at l.
func (s *Server) URL(l net.Listener) string { return "http://" + l.Addr().String() + s.Path() }

// Serve answers until the context ends, then lets open requests finish.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if at, err := netip.ParseAddrPort(l.Addr().String()); err == nil && !at.Addr().IsUnspecified() {
		s.hosts = append(s.hosts, at.Addr().String())
	}
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return srv.Shutdown(grace)
}

// Policies of the two kinds of pages. The tool's own loads its own files only. A page
// that is labelled runs no script, twice over: script-src and the sandbox both say
// so. It keeps the origin of the tool, so that the tool can see what is clicked.
const (
	toolPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	frameBase = "default-src 'none'; script-src 'none'; connect-src 'none'; frame-src 'none'; object-src 'none'; media-src 'none'; " +
		"worker-src 'none'; manifest-src 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin; "
	framePolicy   = frameBase + "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'"
	networkPolicy = frameBase + "style-src 'unsafe-inline' http: https:; img-src data: http: https:; font-src data: http: https:; base-uri http: https:"
)

// guard lets through what the tool's own page asks for, and the visit of somebody who
// knows its address. Everything else is turned away: other sites that the same
// browser has open, and those that point a name of theirs at this machine.
func (s *Server) guard(next http.Handler) http.Handler {
	writes := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", toolPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "SAMEORIGIN")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-DNS-Prefetch-Control", "off")
		h.Set("Cache-Control", "no-store")
		token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case !s.answersTo(r.Host):
			refuse(w, "This address is not served here.")
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
			refuse(w, "Open the address that lede label printed: it has a key in it that is new in every run.")
		case foreign(r, rest) || writes.Check(r) != nil:
			refuse(w, "Only the page of lede label itself may ask for this.")
		default:
			http.StripPrefix("/"+s.token, next).ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter, why string) { http.Error(w, why, http.StatusForbidden) }

// answersTo tells whether the server goes by the name that was asked for. A name
// that only points here is not ours: its owner could read what we answer.
func (s *Server) answersTo(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if addr, err := netip.ParseAddr(host); err == nil && addr.Unmap().IsLoopback() {
		return true
	}
	return host == "localhost" || slices.Contains(s.hosts, host)
}

// foreign tells whether another site asks. It may lead to the tool, as a link
// would, but have nothing from it.
func foreign(r *http.Request, rest string) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	visit := r.Method == http.MethodGet && rest == "" && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	return !visit
}

const (
	shelfRoom = 6 // pages: the one that is shown, its neighbours, and those of a second tab
	parseTime = 10 * time.Second
)

// doc is a page that was read. Its key stands for its bytes, and so for the numbers
// of its nodes.
type doc struct {
	*dom.Document
	page Page
	key  string
}

// shelf keeps the pages that were read last.
type shelf struct {
	mu   sync.Mutex
	docs []*doc // the latest last
}

func newShelf() *shelf { return &shelf{} }

// get is the page as it was read, if it is still there.
func (s *shelf) get(id string) *doc {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.docs, func(d *doc) bool { return d.page.ID == id })
	if i < 0 {
		return nil
	}
	d := s.docs[i]
	s.docs = append(slices.Delete(s.docs, i, i+1), d)
	return d
}

// read reads the page anew.
func (s *shelf) read(ctx context.Context, p Page) (*doc, error) {
	page, charset, err := p.Read(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(page)
	key := hex.EncodeToString(sum[:6])
	if d := s.get(p.ID); d != nil && d.key == key {
		return d, nil
	}
	ctx, cancel := context.WithTimeout(ctx, parseTime)
	defer cancel()
	parsed, err := dom.Parse(ctx, page, dom.Options{HeaderCharset: charset})
	if err != nil {
		return nil, err
	}
	d := &doc{parsed, p, key}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs = append(slices.DeleteFunc(s.docs, func(o *doc) bool { return o.page.ID == p.ID }), d)
	s.docs = s.docs[max(0, len(s.docs)-shelfRoom):]
	return d, nil
}
