package label

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
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
