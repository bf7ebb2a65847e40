package measure

import (
	"encoding/hex"
	"regexp"
	"strings"
	"unicode/utf8"
)

// picture is the set of names by which the address of a picture may be
// recognised, whatever its size, crop and format: ids, and the name of its file.
type picture map[string]bool

func newPicture(addresses ...string) picture {
	p := picture{}
	for _, a := range addresses {
		p.add(a)
	}
	return p
}

// like reports whether two pictures have a name in common.
func (p picture) like(other picture) bool {
	for name := range p {
		if other[name] {
			return true
		}
	}
	return false
}

var (
	uuids      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	dimensions = regexp.MustCompile(`^\d+x\d+$`)
	extension  = regexp.MustCompile(`\.(jpe?g|png|webp|avif|gif)$`)
	variant    = regexp.MustCompile(`([-_~@.](w?\p{Nd}{2,4}(x\p{Nd}{2,4})?|scaled|e\p{Nd}+|rc|detail.*|metadaten.*|r\p{Nd}.*|fp[xy]\p{Nd}+))+$`)
)

// add adds the names of an address. An address without any is known by its path.
func (p picture) add(address string) {
	path, query := splitAddress(address)
	whole := lower(unescape(path + "?" + query))
	known := len(p)
	for _, id := range uuids.FindAllString(whole, -1) {
		p[id] = true
	}
	for run := range strings.FieldsFuncSeq(whole, func(r rune) bool { return !isAlphanumeric(r) }) {
		if isID(run) {
			p[run] = true
		}
	}
	const minName = 8
	file := strings.TrimRight(lower(unescape(path)), "/")
	file = file[strings.LastIndexByte(file, '/')+1:]
	file = variant.ReplaceAllString(extension.ReplaceAllString(file, ""), "")
	if utf8.RuneCountInString(file) >= minName {
		p[file] = true
	}
	if len(p) == known {
		p[unescape(path)] = true
	}
}

func isAlphanumeric(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' }

// isID reports whether a run of letters and digits is a long number, or long and
// made of both, but not the size of a picture.
func isID(run string) bool {
	const minNumber, minMixed = 5, 8
	letters := strings.ContainsFunc(run, func(r rune) bool { return r >= 'a' })
	digits := strings.ContainsFunc(run, func(r rune) bool { return r <= '9' })
	if !letters {
		return len(run) >= minNumber
	}
	return digits && len(run) >= minMixed && !dimensions.MatchString(run)
}

// origin matches the scheme and the host of an address.
var origin = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/]*)?`)

// splitAddress returns path and query of an address, which need not be valid.
func splitAddress(address string) (path, query string) {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#")
	path, query, _ = strings.Cut(address, "?")
	return origin.ReplaceAllString(path, ""), query
}

var escaped = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// unescape decodes percent-encoded bytes, and leaves anything else as it is.
func unescape(s string) string {
	s = escaped.ReplaceAllStringFunc(s, func(code string) string {
		b, _ := hex.DecodeString(code[1:])
		return string(b)
	})
	return strings.ToValidUTF8(s, "\uFFFD")
}
