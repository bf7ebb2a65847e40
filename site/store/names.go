package store

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// SiteName returns the name of the site that a page belongs to: the registered
// domain of its address, so that www.paper.example, m.paper.example and
// paper.example are one site. Sites under a shared domain, such as blogspot.com,
// are sites of their own. A port is part of the name unless it is the default
// port of the scheme. The name is empty if the address is not an http or https
// URL.
func SiteName(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "" || strings.ContainsAny(host, "/\\ \t\n") {
		return ""
	}
	name := registeredDomain(host)
	port := u.Port()
	if port == "" || port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		if strings.Contains(name, ":") {
			return "[" + name + "]"
		}
		return name
	}
	return net.JoinHostPort(name, port)
}

// registeredDomain returns the public suffix of a host and one label more, or
// the host itself if it is an IP address or has no public suffix.
func registeredDomain(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	ascii, err := idna.ToASCII(host) // as the list of suffixes has it
	if err != nil {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(ascii)
	if err != nil {
		return host
	}
	if unicode, err := idna.ToUnicode(domain); err == nil {
		return unicode
	}
	return domain
}
