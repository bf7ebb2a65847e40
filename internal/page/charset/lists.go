package charset

import (
	"bytes"
	"fmt"
)

// List describes a feed or a sitemap.
type List struct {
	Kind  string // such as "an RSS feed"
	Holds string // what it lists: "articles", "pages" or "sitemaps"
}

// Error returns the reason why a list is not a page, and what to do instead.
func (l List) Error() string {
	return fmt.Sprintf("it is %s, which lists %s; give lede the URLs that it lists", l.Kind, l.Holds)
}

// FindList returns what a text is if it is a feed (RSS, Atom, JSON Feed) or a
// sitemap. It looks at the beginning of the text.
func FindList(text []byte) (List, bool) {
	const limit = 64 << 10
	head := bytes.TrimSpace(bytes.TrimPrefix(text[:min(len(text), limit)], []byte("\uFEFF")))
	if bytes.HasPrefix(head, []byte("{")) {
		version := bytes.ReplaceAll(head, []byte(`\/`), []byte("/"))
		return List{"a JSON feed", "articles"}, bytes.Contains(version, []byte("jsonfeed.org/version/"))
	}
	name, tag := rootElement(head)
	switch name {
	case "rss":
		return List{"an RSS feed", "articles"}, true
	case "rdf:RDF":
		return List{"an RSS feed", "articles"}, bytes.Contains(tag, []byte("purl.org/rss/"))
	case "feed":
		isAtom := bytes.Contains(tag, []byte("http://www.w3.org/2005/Atom")) || bytes.Contains(tag, []byte("http://purl.org/atom/ns#"))
		return List{"an Atom feed", "articles"}, isAtom
	case "urlset":
		return List{"a sitemap", "pages"}, true
	case "sitemapindex":
		return List{"an index of sitemaps", "sitemaps"}, true
	}
	return List{}, false
}

// rootElement returns the name and the start tag of the first element of an XML
// document, after the declaration, comments and instructions.
func rootElement(text []byte) (name string, tag []byte) {
	for {
		text = bytes.TrimSpace(text)
		end := ">"
		switch {
		case bytes.HasPrefix(text, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(text, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(text, []byte("<!")):
		case bytes.HasPrefix(text, []byte("<")):
			tag, _, _ = bytes.Cut(text[1:], []byte(">"))
			if i := bytes.IndexAny(tag, " \t\r\n/"); i >= 0 {
				return string(tag[:i]), tag
			}
			return string(tag), tag
		default:
			return "", nil
		}
		_, rest, ok := bytes.Cut(text, []byte(end))
		if !ok {
			return "", nil
		}
		text = rest
	}
}
