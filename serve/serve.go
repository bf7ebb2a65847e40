// Package serve is an HTTP service around an extractor: it takes a page, or the
// address of one, and answers with the article. At / it has a page that shows the
// article, the page with what was kept and dropped, and why.
//
//	ex, err := lede.New()
//	…
//	http.Handle("/lede/", http.StripPrefix("/lede", serve.Handler(ex, serve.Options{})))
//
// The API is described by /openapi.json. Errors are problem documents (RFC 9457).
//
// # Load
//
// A request is read before it takes a worker, and written after it has left it, so
// that slow clients do not hold up others. When all workers are busy, a bounded number
// of requests waits; others are answered with 429 and Retry-After. Set the WriteTimeout
// of http.Server for clients that do not read.
package serve

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

// Options are the options of Handler. The zero value fetches nothing, needs no key and
// answers to loopback names only.
type Options struct {
	// Fetch fetches pages by their addresses. Without it, such requests are refused.
	Fetch *fetch.Client
	// Sites holds what is known about sites, and learns from pages. It may be nil.
	Sites *store.Store
	// Keys are the keys of which clients need one. Nil means that none is needed.
	Keys *Keys
	// Hosts are the names of the service in addition to loopback addresses and
	// localhost; "*" stands for any. They are checked if Keys is nil: the owner of
	// another name that resolves to this machine could read the responses.
	Hosts []string
	// Workers is the number of pages that are extracted at once (default: GOMAXPROCS).
	Workers int
	// Queue is the number of requests that wait for a worker (default: 3 for each).
	Queue int
	// MaxBytes is the maximum size of a request and of a page (default: 20 MiB).
	MaxBytes int
	// ReadTime is the maximum time that a client takes to send a request (default:
	// 30 s).
	ReadTime time.Duration
	// Pictures makes the page at / show pictures of articles, which the browser loads
	// from their sites.
	Pictures bool
	// Token is the secret by which the bookmarklet is recognized (default: random).
	Token string
	// Log gets one line for each request, without the contents of pages. It may be nil.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Queue <= 0 {
		o.Queue = 3 * o.Workers
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = dom.DefaultBytes
	}
	if o.ReadTime <= 0 {
		o.ReadTime = 30 * time.Second
	}
	if o.Token == "" {
		o.Token = rand.Text()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// server is the handler.
type server struct {
	ex      *lede.Extractor
	opts    Options
	pages   request.Extractor
	gate    *gate
	bodies  budget        // memory for the bodies of requests
	fetches chan struct{} // has an element for each page that is being fetched
	metrics *metrics
}

// maxFetches is the number of pages that are fetched at once.
const maxFetches = 32

// Handler returns the service. Its paths begin at /; see http.StripPrefix to mount it
// elsewhere.
func Handler(ex *lede.Extractor, opts Options) http.Handler {
	s := build(ex, opts)
	return s.observe(s.guard(s.routes()))
}

func build(ex *lede.Extractor, opts Options) *server {
	opts = opts.withDefaults()
	s := &server{
		ex: ex, opts: opts, pages: request.Extractor{Lede: ex, MaxBytes: opts.MaxBytes, PageTime: lede.DefaultTime},
		gate: newGate(opts.Workers, opts.Queue), fetches: make(chan struct{}, maxFetches), metrics: newMetrics(),
	}
	s.bodies.left.Store(max(bodyMemory, 4*int64(opts.MaxBytes)))
	if opts.Sites != nil {
		s.pages.Sites = &sites.Sites{Store: opts.Sites}
	}
	return s
}

// apiPaths are the paths of the API.
var apiPaths = []string{
	"/v1/extract", "/v1/links", "/v1/compare", "/v1/methods", "/healthz", "/metrics", "/openapi.json",
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/extract", s.extract)
	mux.HandleFunc("POST /v1/extract", s.extract)
	mux.HandleFunc("POST /v1/links", s.links)
	mux.HandleFunc("POST /v1/compare", s.compare)
	mux.HandleFunc("GET /v1/methods", s.methods)
	mux.HandleFunc("GET /openapi.json", s.describe)
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /metrics", s.getMetrics)
	mux.HandleFunc("GET /{$}", s.index)
	mux.HandleFunc("GET /web/{name}", s.file)
	mux.HandleFunc("GET /ui/config", s.config)
	mux.HandleFunc("POST /ui/page", s.page)
	mux.HandleFunc("POST "+framePath, s.frame)
	mux.HandleFunc("POST "+sendPath, s.send)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := mux.Handler(r)
		if p := r.URL.Path; pattern == "" || path.Clean("/"+p) != p { // which mux would redirect
			s.unknown(w, r, mux)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// unknown answers requests that no handler of mux takes.
func (s *server) unknown(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		other := *r
		other.Method = method
		if _, pattern := mux.Handler(&other); pattern != "" && path.Clean(r.URL.Path) == r.URL.Path {
			allowed = append(allowed, method)
		}
	}
	if allow := strings.Join(allowed, ", "); allow != "" {
		w.Header().Set("Allow", allow)
		s.fail(w, r, request.Errorf("method-not-allowed", "%s does not allow %s; use %s", r.URL.Path, r.Method, allow))
		return
	}
	s.fail(w, r, request.Errorf("not-found", "there is no %s; the paths of the API are %s, described by /openapi.json",
		r.URL.Path, strings.Join(apiPaths, ", ")))
}
