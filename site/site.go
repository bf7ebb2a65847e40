// Package site holds what lede learns about a news site while it reads it.
//
// A page adds an Observation to the Profile of its site: which rows of text it
// has, what it is made of, and, where the extraction was confident, where its
// headline, body, byline and date stand. A Profile finds on the next page what
// it knows of the site: rows that are the same on all its pages (StaDyNoT's
// static noise), what always follows the body, and where things stand.
//
// Pages of one site cluster by the shape of their tags, so that articles,
// videos and live pages each have a template of their own. What is known fades
// with every page of the same template: a redesign is forgotten after some
// twenty pages, and sooner where it is noticed.
//
// Correct applies what was found to the choice of any method.
//
// Nothing here is labelled by hand, and nothing here grows without end: a
// profile stays below MaxBytes however many pages it has seen.
//
// The package does no I/O. A store appends observations to a log and saves
// profiles now and then, both in the binary form or as JSON that people can
// read and edit.
package site

import (
	"net"
	"net/url"
	"strings"

	"github.com/lede-news/lede/dom"
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

// Site is the name of the page's site: by the address that it was found at, or
// else by the one that it gives itself. It is empty when nobody says.
func (p *Page) Site(address string) string {
	if name := NameOf(address); name != "" {
		return name
	}
	d := p.doc
	for n := range d.All(d.Root(), dom.Link) {
		if strings.EqualFold(strings.TrimSpace(d.AttrOr(n, "rel")), "canonical") {
			if name := NameOf(d.AttrOr(n, "href")); name != "" {
				return name
			}
		}
	}
	for n := range d.All(d.Root(), dom.Meta) {
		if strings.EqualFold(d.AttrOr(n, "property"), "og:url") {
			if name := NameOf(d.AttrOr(n, "content")); name != "" {
				return name
			}
		}
	}
	return ""
}
