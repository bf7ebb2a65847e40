package charset

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// List describes a feed or a sitemap.
type List struct {
	Kind  string // such as "an RSS feed"
	Holds string // what it lists: "articles", "pages" or "sitemaps"
	First string // first address that it lists, or ""
}

// Error returns the reason why a list is not a page, and what to do instead.
func (l List) Error() string {
	s := fmt.Sprintf("it is %s, which lists %s; give lede the addresses that it lists", l.Kind, l.Holds)
	if l.First != "" {
		s += ", such as " + l.First
	}
	return s
}

// FindList returns what a text is if it is a feed (RSS, Atom, JSON Feed) or a
// sitemap. It looks at the beginning of the text.
func FindList(text []byte) (List, bool) {
	const limit = 64 << 10 // enough for the first item
	head := bytes.TrimSpace(bytes.TrimPrefix(text[:min(len(text), limit)], []byte("\uFEFF")))
	if bytes.HasPrefix(head, []byte("{")) {
		return jsonFeed(head)
	}
	name, tag := rootElement(head)
	var l List
	switch name {
	case "rss":
		l = List{"an RSS feed", "articles", itemLink(head, "<item", "<link>")}
	case "rdf:RDF":
		if !bytes.Contains(tag, []byte("purl.org/rss/")) {
			return List{}, false
		}
		l = List{"an RSS feed", "articles", itemLink(head, "<item ", "<link>")}
	case "feed":
		if !bytes.Contains(tag, []byte("http://www.w3.org/2005/Atom")) && !bytes.Contains(tag, []byte("http://purl.org/atom/ns#")) {
			return List{}, false
		}
		l = List{"an Atom feed", "articles", entryLink(head)}
	case "urlset":
		l = List{"a sitemap", "pages", itemLink(head, "<url>", "<loc>")}
	case "sitemapindex":
		l = List{"an index of sitemaps", "sitemaps", itemLink(head, "<sitemap>", "<loc>")}
	default:
		return List{}, false
	}
	return l, true
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

// itemLink returns the text of the first element inside the first item.
func itemLink(text []byte, item, element string) string {
	_, rest, ok := bytes.Cut(text, []byte(item))
	if !ok {
		return ""
	}
	_, rest, ok = bytes.Cut(rest, []byte(element))
	if !ok {
		return ""
	}
	value, _, _ := bytes.Cut(rest, []byte("</"))
	value = bytes.TrimSpace(value)
	if inner, ok := bytes.CutPrefix(value, []byte("<![CDATA[")); ok {
		value, _, _ = bytes.Cut(inner, []byte("]]>"))
	}
	return webAddress(html.UnescapeString(string(value)))
}

// entryLink returns the address of the first entry of an Atom feed.
func entryLink(text []byte) string {
	_, rest, ok := bytes.Cut(text, []byte("<entry"))
	if !ok {
		return ""
	}
	rest, _, _ = bytes.Cut(rest, []byte("</entry"))
	for {
		_, after, ok := bytes.Cut(rest, []byte("<link"))
		if !ok {
			return ""
		}
		tag, next, _ := bytes.Cut(after, []byte(">"))
		rest = next
		if bytes.Contains(tag, []byte("rel=")) && !bytes.Contains(tag, []byte("alternate")) {
			continue
		}
		if _, value, ok := bytes.Cut(tag, []byte("href=")); ok && len(value) > 1 {
			value, _, _ = bytes.Cut(value[1:], value[:1])
			return webAddress(html.UnescapeString(string(value)))
		}
	}
}

// jsonFeed recognises a JSON Feed by its version.
func jsonFeed(text []byte) (List, bool) {
	if !bytes.Contains(text, []byte(`jsonfeed.org/version/`)) && !bytes.Contains(text, []byte(`jsonfeed.org\/version\/`)) {
		return List{}, false
	}
	l := List{Kind: "a JSON feed", Holds: "articles"}
	if _, items, ok := bytes.Cut(text, []byte(`"items"`)); ok {
		if _, value, ok := bytes.Cut(items, []byte(`"url"`)); ok {
			value = bytes.TrimLeft(value, " \t\r\n:")
			if value, ok = bytes.CutPrefix(value, []byte(`"`)); ok {
				value, _, _ = bytes.Cut(value, []byte(`"`))
				l.First = webAddress(strings.ReplaceAll(string(value), `\/`, "/"))
			}
		}
	}
	return l, true
}

// webAddress returns an address that is fit for a message, or "".
func webAddress(s string) string {
	const longest = 300
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") || len(s) > longest {
		return ""
	}
	for _, r := range s {
		if r <= ' ' || r == 0x7f || strings.ContainsRune(`<>"`, r) || r == '\uFFFD' || r >= 0x80 && r < 0xa0 {
			return ""
		}
	}
	return s
}
