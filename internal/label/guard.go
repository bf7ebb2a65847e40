package label

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

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
