package site

import (
	"net"
	"net/url"
	"strings"
)

// NameOf is the name of the site that a page belongs to: the host in lower
// case without "www.", with the port where that is not the usual one. It is
// empty for what is not the address of a page on the web.
func NameOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if rest, ok := strings.CutPrefix(host, "www."); ok && strings.Contains(rest, ".") {
		host = rest
	}
	if host == "" || strings.ContainsAny(host, "/\\ \t\n") {
		return ""
	}
	port := u.Port()
	if port == "" || port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		if strings.Contains(host, ":") {
			return "[" + host + "]"
		}
		return host
	}
	return net.JoinHostPort(host, port)
}
