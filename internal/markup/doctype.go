package markup

import (
	_ "embed"
	"strings"

	"golang.org/x/net/html"
)

//go:embed quirks.txt
var quirksFile string

var quirkyIDs = readQuirks(quirksFile)

func readQuirks(file string) []string {
	var ids []string
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, "#") {
			ids = append(ids, strings.TrimSpace(line))
		}
	}
	return ids
}

// readDoctype fills in a doctype node, with its identifiers as attributes, and
// reports whether the page is to be read as old browsers did (13.2.6.4.1). As in
// x/net, the name must be in lower case for that not to be.
func readDoctype(n *html.Node, text string) (quirks bool) {
	const white = " \t\r\n\f"
	n.Type = html.DoctypeNode
	end := strings.IndexAny(text, white)
	if end < 0 {
		end = len(text)
	}
	n.Data = strings.ToLower(text[:end])
	quirks = text[:end] != "html"
	rest := strings.TrimLeft(text[end:], white)
	const keyword = len("public")
	if len(rest) < keyword {
		return quirks || rest != ""
	}
	key := strings.ToLower(rest[:keyword])
	rest = rest[keyword:]
	for key == "public" || key == "system" {
		rest = strings.TrimLeft(rest, white)
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			break
		}
		var id string
		id, rest, _ = strings.Cut(rest[1:], rest[:1])
		n.Attr = append(n.Attr, html.Attribute{Key: key, Val: id})
		if key == "system" {
			key = ""
		} else {
			key = "system"
		}
	}
	if key != "" || rest != "" {
		return true // as in x/net, also for any public identifier without a system one
	}
	return quirks || quirkyIdentifiers(n.Attr)
}

// quirkyIdentifiers reports whether identifiers are those of old browsers' times.
func quirkyIdentifiers(ids []html.Attribute) bool {
	if len(ids) == 0 {
		return false
	}
	last := ids[len(ids)-1]
	if last.Key == "system" && strings.EqualFold(last.Val, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") {
		return true
	}
	if ids[0].Key != "public" {
		return false
	}
	public := strings.ToLower(ids[0].Val)
	switch public {
	case "-//w3o//dtd w3 html strict 3.0//en//", "-/w3d/dtd html 4.0 transitional/en", "html":
		return true
	}
	for _, id := range quirkyIDs {
		if strings.HasPrefix(public, id) {
			return true
		}
	}
	return false
}
