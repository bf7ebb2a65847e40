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
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/guard"
	sharedweb "github.com/lede-news/lede/internal/api/web"
)

//go:embed web
var web embed.FS

// Suggest returns suggestions for the title and the body of a page, or dom.None.
type Suggest func(ctx context.Context, d *dom.Document, url string) (title, body dom.Node)

// Options are the options of New.
type Options struct {
	Pages []Page
	Store *Store
	// Suggest may be nil.
	Suggest Suggest
	// Network lets pages load pictures and style sheets from their sites, which
	// can then see these requests. Scripts never run.
	Network bool
	// Hosts are host names of the server in addition to localhost.
	Hosts []string
}

// Server is the web application. It is an http.Handler.
type Server struct {
	Options
	ids   map[string]Page
	docs  docCache
	token string
	http.Handler
}

// New returns a Server.
func New(opts Options) (*Server, error) {
	s := &Server{Options: opts, ids: map[string]Page{}, token: rand.Text()}
	if opts.Store == nil {
		return nil, errors.New("label: no store")
	}
	if len(opts.Pages) == 0 {
		return nil, ErrNoPages
	}
	for _, p := range opts.Pages {
		if _, ok := s.ids[p.ID]; ok || p.ID == "" {
			return nil, fmt.Errorf("label: empty or repeated page ID %q", p.ID)
		}
		s.ids[p.ID] = p
	}
	s.Handler = s.guard(s.routes())
	return s, nil
}

// Path returns the path of the application, which contains a secret token.
func (s *Server) Path() string { return "/" + s.token + "/" }

// set returns an ID of the file of labels, under which a browser stores unsent
// changes.
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

// file serves a file of the application.
func file(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { sharedweb.ServeFile(w, r, web, name) }
}

// Listen opens a port for Serve. The default host is 127.0.0.1. If the port is in
// use, Listen chooses a free one.
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

// URL returns the URL of the application for a listener.
func (s *Server) URL(l net.Listener) string { return "http://" + l.Addr().String() + s.Path() }

// Serve serves requests until the context is done, and then waits for open ones.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
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

// toolPolicy is the content security policy of the application, which loads its
// own files only. Pages that are labelled have that of package frame.
const toolPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard accepts requests of the application and navigation to its URL. It rejects
// all others, such as those of other sites in the same browser and those for host
// names that resolve to this machine (DNS rebinding).
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		guard.Headers(w.Header())
		w.Header().Set("Content-Security-Policy", toolPolicy)
		token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case !guard.KnownHost(r, s.Hosts):
			reject(w, "Unknown host name.")
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
			reject(w, "Open the URL that lede-lab label printed. It contains a token that changes with every run.")
		case guard.CrossSite(r) && !(rest == "" && guard.IsNavigation(r)):
			reject(w, "Requests from other sites are not allowed.")
		default:
			http.StripPrefix("/"+s.token, next).ServeHTTP(w, r)
		}
	})
}

func reject(w http.ResponseWriter, reason string) { http.Error(w, reason, http.StatusForbidden) }

const (
	cacheSize = 6 // the current page and its neighbours, in two tabs
	parseTime = 10 * time.Second
)

// doc is a parsed page. Its key is a hash of its bytes, and thereby identifies the
// numbers of its nodes.
type doc struct {
	*dom.Document
	page Page
	key  string
}

// docCache keeps the pages that were used last.
type docCache struct {
	mu   sync.Mutex
	docs []*doc // the latest last
}

// get returns a cached page, or nil.
func (c *docCache) get(id string) *doc {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.docs, func(d *doc) bool { return d.page.ID == id })
	if i < 0 {
		return nil
	}
	d := c.docs[i]
	c.docs = append(slices.Delete(c.docs, i, i+1), d)
	return d
}

// read reads a page and caches it.
func (c *docCache) read(ctx context.Context, p Page) (*doc, error) {
	page, charset, err := p.Read(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(page)
	key := hex.EncodeToString(sum[:6])
	if d := c.get(p.ID); d != nil && d.key == key {
		return d, nil
	}
	ctx, cancel := context.WithTimeout(ctx, parseTime)
	defer cancel()
	parsed, err := dom.Parse(ctx, page, dom.Options{HeaderCharset: charset})
	if err != nil {
		return nil, err
	}
	d := &doc{parsed, p, key}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.docs = append(slices.DeleteFunc(c.docs, func(o *doc) bool { return o.page.ID == p.ID }), d)
	c.docs = c.docs[max(0, len(c.docs)-cacheSize):]
	return d, nil
}
