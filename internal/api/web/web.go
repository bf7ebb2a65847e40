// Package web has what the web applications of lede share: style sheets and ES modules,
// which need no build step, and the guard against the requests of other sites.
package web

import (
	"embed"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

//go:embed files
var files embed.FS

// ServeFile writes a file of an application: one of its own, in the folder web of
// own, or a shared one.
func ServeFile(w http.ResponseWriter, r *http.Request, own fs.FS, name string) {
	data, err := fs.ReadFile(own, path.Join("web", path.Base(name)))
	if err != nil {
		data, err = files.ReadFile(path.Join("files", path.Base(name)))
	}
	if err != nil {
		http.NotFound(w, r)
		return
	}
	media := mime.TypeByExtension(path.Ext(name))
	if strings.HasSuffix(name, ".js") { // for which the system may have another type
		media = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Content-Type", media)
	_, _ = w.Write(data)
}

// Headers sets the headers by which browsers keep other sites away from a response.
// Nothing is stored, since responses contain pages.
func Headers(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Cache-Control", "no-store")
}

// KnownHost reports whether a request is for one of the names of the server: localhost,
// a loopback address, the address that the connection was made to, or one of names, in
// which "*" stands for any. The owner of another name that resolves to this machine
// could read the responses (DNS rebinding).
func KnownHost(r *http.Request, names []string) bool {
	host := Hostname(r.Host)
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr = addr.Unmap(); addr.IsLoopback() || addr == localAddr(r) {
			return true
		}
	}
	return host == "localhost" || slices.ContainsFunc(names, func(name string) bool { return name == "*" || host == Hostname(name) })
}

// Hostname returns a host without its port, in lower case.
func Hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// localAddr returns the address of this machine that a connection was made to.
func localAddr(r *http.Request) netip.Addr {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if local == nil {
		return netip.Addr{}
	}
	return local.AddrPort().Addr().Unmap()
}

// CrossSite reports whether a page of another origin made a request. It is
// [http.CrossOriginProtection] for requests that only read, too: they can be costly, and
// a response may contain what is not for everybody.
func CrossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "": // not from a browser, or not from one that considers the address secure
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != r.Host
}

// IsNavigation reports whether a request shows a page in a window of the browser.
func IsNavigation(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}
