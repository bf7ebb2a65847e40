package serve

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/lede-news/lede/internal/api/request"
	shared "github.com/lede-news/lede/internal/api/web"
)

// apiPolicy is the content security policy of responses that are not part of the page
// at /. An article as HTML may be opened in a browser; it must not be of our origin.
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

// guard lets requests through that may be answered: those for a name of the service,
// not made by the pages of other sites, and with a key if there are keys.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shared.Headers(w.Header())
		w.Header().Set("Content-Security-Policy", apiPolicy)
		switch err := s.admit(w, r); {
		case err != nil && takesForm(r.URL.Path):
			s.failPage(w, r, err)
		case err != nil:
			s.fail(w, r, err)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// admit reports why a request must not be answered. Forms have a token instead of a key,
// which is checked when they are read.
func (s *server) admit(w http.ResponseWriter, r *http.Request) error {
	path := r.URL.Path
	switch {
	case s.opts.Keys == nil && !isProbe(path) && !shared.KnownHost(r, s.opts.Hosts):
		return request.Errorf("forbidden", "%.100q is not a name of this service: use its address, or start it with the name (lede serve --host)",
			shared.Hostname(r.Host))
	case shared.CrossSite(r) && path != sendPath && !(path == "/" && shared.IsNavigation(r)):
		return request.Errorf("forbidden", "pages of other sites must not use this service")
	case s.opts.Keys == nil || isPublic(path) || takesForm(path) && r.Method == http.MethodPost:
		return nil
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return needsKey(w, "this service needs a key: send it as the header Authorization: Bearer KEY")
	}
	k := s.opts.Keys.find(strings.TrimSpace(secret))
	if k == nil {
		return needsKey(w, "unknown key: check it, or ask for another")
	}
	visitOf(r.Context()).key = k
	return nil
}

func needsKey(w http.ResponseWriter, text string) error {
	w.Header().Set("WWW-Authenticate", `Bearer realm="lede"`)
	return request.Errorf("key", "%s", text)
}

// The forms of the page at / and of the bookmarklet, which cannot send a key. They have
// a token as their first field.
const (
	framePath = "/ui/frame"
	sendPath  = "/ui/send"
)

// takesForm reports whether a path is one that forms are sent to, and that is answered
// with a page.
func takesForm(path string) bool { return path == framePath || path == sendPath }

// isProbe reports whether a path is one that load balancers ask for, by any name.
func isProbe(path string) bool { return path == "/healthz" }

// isPublic reports whether a path is answered without a key. It contains nothing that
// is not in the source code of lede.
func isPublic(path string) bool {
	file, ok := strings.CutPrefix(path, "/web/")
	return path == "/" || isProbe(path) || path == "/openapi.json" || ok && !strings.Contains(file, "/")
}

// admitToken lets a form with a token in.
func (s *server) admitToken(w http.ResponseWriter, r *http.Request, token string) error {
	if s.opts.Keys == nil && subtle.ConstantTimeCompare([]byte(token), []byte(s.opts.Token)) == 1 {
		return nil
	}
	if s.opts.Keys != nil {
		if k := s.opts.Keys.findToken(token, s.opts.Token); k != nil {
			visitOf(r.Context()).key = k
			return nil
		}
	}
	return needsKey(w, "the token of the form is missing or out of date: reload the page of lede, and take the bookmarklet from it again")
}

// token returns the token for the forms of the client of a request.
func (s *server) token(ctx context.Context) string {
	if k := visitOf(ctx).key; k != nil {
		return tokenOf(k, s.opts.Token)
	}
	return s.opts.Token // there are no keys
}
