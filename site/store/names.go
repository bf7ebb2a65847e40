package store

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/lede-news/lede/site"
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

// validName returns the name as a profile has it: valid UTF-8, and not longer
// than a host may be.
func validName(name string) (string, error) {
	if name == "" {
		return "", ErrEmptyName
	}
	return site.New(strings.ToValidUTF8(name, "\uFFFD")).Name(), nil
}

const (
	maxFileName = 120 // bytes; file systems take 255, with extensions
	hashMark    = '~' // only in shortened names
)

// reserved lists names that Windows keeps for devices, with any extension.
var reserved = []string{"con", "prn", "aux", "nul",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// fileName returns the name of a site's files, without extension. Bytes that some
// file system treats specially, among them capital letters, are written as %xx.
// Long names are shortened and end in a hash.
func fileName(name string) string {
	var b strings.Builder
	first, _, _ := strings.Cut(name, ".")
	device := slices.Contains(reserved, first)
	for i := range len(name) {
		c := name[i]
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
		if !plain || i == 0 && (device || c == '.') {
			b.WriteByte('%')
			b.WriteString(hex.EncodeToString([]byte{c}))
		} else {
			b.WriteByte(c)
		}
	}
	file := b.String()
	if len(file) > maxFileName {
		sum := sha256.Sum256([]byte(name))
		file = file[:maxFileName-33] + string(hashMark) + hex.EncodeToString(sum[:16])
	}
	return file
}

// nameOfFile is the inverse of fileName. ok is false if the name was shortened or
// the file is not ours.
func nameOfFile(file string) (name string, ok bool) {
	name, err := url.PathUnescape(file)
	return name, err == nil && name != "" && fileName(name) == file
}
