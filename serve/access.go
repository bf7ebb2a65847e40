package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/subtle"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/api/guard"
)

// apiPolicy is the content security policy of responses that are not part of the page
// at /. An article as HTML may be opened in a browser; it must not be of our origin.
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

// guard lets requests through that may be answered: those for a name of the service,
// not made by the pages of other sites, and with a key if there are keys.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		guard.Headers(w.Header())
		w.Header().Set("Content-Security-Policy", apiPolicy)
		if s.isPreflight(r) {
			s.preflight(w, r)
			return
		}
		leave, err := s.admit(w, r)
		switch {
		case err != nil && takesForm(r.URL.Path):
			s.failPage(w, r, err)
			return
		case err != nil:
			s.fail(w, r, err)
			return
		}
		defer leave()
		next.ServeHTTP(w, r)
	})
}

// admit reports why a request must not be answered. Call leave when it is.
func (s *server) admit(w http.ResponseWriter, r *http.Request) (leave func(), err error) {
	path := r.URL.Path
	allowed := s.allowOrigin(w, r)
	switch {
	case s.opts.Keys == nil && !isProbe(path) && !guard.KnownHost(r, s.opts.Hosts):
		return nil, newProblem("forbidden", "%.100q is not a name of this service: use its address, or start it with the name (lede serve --host)", guard.Hostname(r.Host))
	case guard.CrossSite(r) && !allowed && path != sendPath && !(path == "/" && guard.IsNavigation(r)):
		return nil, newProblem("forbidden", "pages of other sites must not use this service, unless it is started with their origin (lede serve --cors)")
	}
	switch {
	case isPublic(path):
	case takesForm(path):
		return s.admitToken(w, r)
	case s.opts.Keys != nil:
		return s.admitKey(w, r)
	}
	return func() {}, nil
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
func isProbe(path string) bool { return path == "/healthz" || path == "/readyz" }

// isPublic reports whether a path is answered without a key. It contains nothing that
// is not in the source code of lede.
func isPublic(path string) bool {
	file, ok := strings.CutPrefix(path, "/web/")
	return path == "/" || isProbe(path) || path == "/openapi.json" || ok && !strings.Contains(file, "/")
}

// admitKey lets a request with a key in, within its limits.
func (s *server) admitKey(w http.ResponseWriter, r *http.Request) (leave func(), err error) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		w.Header().Set("WWW-Authenticate", `Bearer realm="lede"`)
		return nil, newProblem("key", "this service needs a key: send it as the header Authorization: Bearer KEY")
	}
	k := s.opts.Keys.find(strings.TrimSpace(secret))
	if k == nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="lede", error="invalid_token"`)
		return nil, newProblem("key", "unknown key: check it, or ask for another")
	}
	return s.enterAs(w, r, k)
}

// enterAs counts a request for the limits of a key.
func (s *server) enterAs(w http.ResponseWriter, r *http.Request, k *key) (leave func(), err error) {
	visitOf(r.Context()).key = k
	leave, wait, err := k.enter(time.Now())
	if err != nil {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	return leave, err
}

// admitToken lets a form with a token in.
func (s *server) admitToken(w http.ResponseWriter, r *http.Request) (leave func(), err error) {
	errToken := newProblem("key", "the token of the form is missing or out of date: reload the page of lede, and take the bookmarklet from it again")
	token := s.formToken(w, r)
	if s.opts.Keys == nil && subtle.ConstantTimeCompare([]byte(token), []byte(s.opts.Token)) == 1 {
		return func() {}, nil
	}
	if s.opts.Keys != nil {
		if k := s.opts.Keys.findToken(token, s.opts.Token); k != nil {
			return s.enterAs(w, r, k)
		}
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="lede"`)
	return nil, errToken
}

// token returns the token for the forms of the client of a request.
func (s *server) token(ctx context.Context) string {
	switch k := visitOf(ctx).key; {
	case s.opts.Keys == nil:
		return s.opts.Token
	case k != nil:
		return k.token(s.opts.Token)
	}
	return ""
}

// maxToken is where the token of a form ends at the latest, with what comes before it.
const maxToken = 1 << 10

// formToken returns the token of a form, which is its first field: nothing else is read
// for those who have none.
func (s *server) formToken(w http.ResponseWriter, r *http.Request) string {
	if r.Method != http.MethodPost {
		return ""
	}
	// A server without deadlines has limits of its own.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.opts.ReadTime))
	in := bufio.NewReaderSize(r.Body, maxToken)
	head, _ := in.Peek(maxToken) // what there is
	r.Body = struct {
		io.Reader
		io.Closer
	}{in, r.Body}
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch media {
	case "application/x-www-form-urlencoded":
		field, _, _ := bytes.Cut(head, []byte("&"))
		value, _ := bytes.CutPrefix(field, []byte("token="))
		return string(value)
	case "multipart/form-data":
		part, err := multipart.NewReader(bytes.NewReader(head), params["boundary"]).NextPart()
		if err != nil || part.FormName() != "token" {
			return ""
		}
		value, _ := io.ReadAll(part)
		return string(value)
	}
	return ""
}

// isPreflight reports whether a browser asks if a page may make a request (CORS).
func (s *server) isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

func (s *server) preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Add("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
	if !s.allowOrigin(w, r) {
		s.fail(w, r, newProblem("forbidden", "pages of %.100s must not use this service, unless it is started with this origin (lede serve --cors)", r.Header.Get("Origin")))
		return
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

// allowOrigin reports whether a page of another site may use the API, and lets it read
// the response. The service has no cookies, so there are no credentials to allow.
func (s *server) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	if len(s.opts.Origins) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(s.opts.Origins, origin) || !isAPI(r.URL.Path) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id")
	return true
}

// isAPI reports whether a path is one for programs.
func isAPI(path string) bool {
	return strings.HasPrefix(path, "/v1/") || path == "/openapi.json"
}
