package warc

import (
	"bytes"
	"net/http"
	"strings"
)

// contentType splits the header. It is laxer than mime.ParseMediaType, which
// gives up on a parameter that is said twice.
func contentType(header string) (media, charset string) {
	header, _, _ = strings.Cut(header, ",") // several folded into one: the first counts
	media, params, _ := strings.Cut(header, ";")
	for param := range strings.SplitSeq(params, ";") {
		key, value, _ := strings.Cut(param, "=")
		if charset == "" && strings.EqualFold(strings.TrimSpace(key), "charset") {
			charset = strings.ToLower(strings.Trim(value, " \t\"'"))
		}
	}
	return strings.ToLower(strings.TrimSpace(media)), charset
}

// isPage holds for types that a page may have. A crawl holds more scripts,
// styles, feeds and data than pages, so it is stricter than a client that was
// sent to a page.
func isPage(media string) bool {
	switch media {
	case "text/html", "text/plain", "text/xhtml", "application/xhtml+xml",
		"application/vnd.wap.xhtml+xml", "application/x-httpd-php":
		return true
	}
	return isUnstated(media) || isXML(media)
}

// isUnstated holds for the types of servers that do not know what they send.
func isUnstated(media string) bool {
	return media == "" || media == "application/octet-stream"
}

// isXML holds for types that a page, a feed or a sitemap may have.
func isXML(media string) bool { return media == "text/xml" || media == "application/xml" }

// unlikePage looks at a body whose type leaves it open what it is, and returns
// what it is if that is no page.
func unlikePage(media string, body []byte) string {
	switch {
	case isXML(media) && !bytes.Contains(bytes.ToLower(body[:min(len(body), 2048)]), []byte("<html")):
		return "XML"
	case isUnstated(media):
		sniffed, _ := contentType(http.DetectContentType(body))
		if isUnstated(sniffed) || !isPage(sniffed) || unlikePage(sniffed, body) != "" {
			return sniffed
		}
	}
	return ""
}
