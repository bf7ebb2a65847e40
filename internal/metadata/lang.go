package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/scripts.txt
var scriptsFile string

// script is a kind of letters, by its row in the data file.
type script struct {
	lang string   // taken when the page names no other
	may  []string // languages that are written in it
}

var scripts = sync.OnceValue(func() map[string]script {
	m := map[string]script{}
	for row := range dataRows(scriptsFile) {
		f := strings.Fields(row)
		m[f[0]] = script{lang: f[1], may: f[2:]}
	}
	return m
})

// language is the language of the story as a BCP 47 tag. What the page says
// is believed unless its letters or its words say otherwise: templates come
// from abroad.
func (p *page) language() (tag, source string) {
	tag, source = normalLang(p.htmlLang), fromHTML
	if tag == "" {
		tag, source = p.found.first(ofLang, normalLang)
	}
	primary, _, _ := strings.Cut(tag, "-")
	s, ok := scripts()[dominantScript(p.d.AllText())]
	fits := !ok || slices.Contains(s.may, primary)
	if fits && primary != "" && !commonWords().known(primary) {
		return tag, source
	}
	heard := listen(p.d)
	switch told := heard.language(primary); {
	case told == primary && primary != "":
		return tag, source
	case told != "" && (!ok || slices.Contains(s.may, told)):
		return told, fromText
	case fits:
		return tag, source
	}
	return s.lang, fromText
}

// normalLang writes a tag in the usual form: en_us is en-US, ZH-hant is
// zh-Hant. What is no tag is empty.
func normalLang(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ",") // Content-Language may list several
	s, _, _ = strings.Cut(s, ".")                    // POSIX: en_US.UTF-8
	s, _, _ = strings.Cut(s, ";")
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(s) > 35 {
		return ""
	}
	for i, part := range parts {
		if len(part) > 8 || strings.IndexFunc(part, func(r rune) bool { return r >= 128 || !isLower(byte(r)) && !isDigit(byte(r)) }) >= 0 {
			return ""
		}
		switch {
		case i == 0:
			if len(part) < 2 || len(part) > 3 || !isLower(part[0]) {
				return ""
			}
			if part == "und" || part == "mul" || part == "zxx" {
				return ""
			}
		case len(part) == 4 && isLower(part[0]):
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		case len(part) == 2:
			parts[i] = strings.ToUpper(part)
		}
	}
	return strings.Join(parts, "-")
}

// dominantScript names the script of four fifths of the letters, or is empty.
// It looks at pieces from all over the text: menus may be in another language.
func dominantScript(text string) string {
	const pieces, size = 8, 512
	var counts [scriptCount]int
	total := 0
	step := max(len(text)/pieces, size)
	for at := 0; at < len(text); at += step {
		for _, r := range text[at:min(at+size, len(text))] {
			switch {
			case r < 0x80:
				if isLower(byte(r) | 0x20) {
					total++
				}
			case r < 0x370:
				total++ // Latin, and too few signs to matter
			case r >= 0x2000 && r < 0x3040: // punctuation
			default:
				total++
				counts[scriptOf(r)]++
			}
		}
	}
	if total < 40 {
		return ""
	}
	cjk := counts[kana] + counts[han]
	if counts[kana]*10 > cjk && cjk*5 >= total*4 {
		return "kana"
	}
	for i, n := range counts {
		if i > 0 && n*5 >= total*4 {
			return scriptNames[i]
		}
	}
	return ""
}

const (
	otherScript = iota
	greek
	cyrillic
	hebrew
	arabic
	thai
	kana
	han
	hangul
	scriptCount
)

var scriptNames = [scriptCount]string{"", "greek", "cyrillic", "hebrew", "arabic", "thai", "kana", "han", "hangul"}

func scriptOf(r rune) int {
	switch {
	case r <= 0x3FF || r >= 0x1F00 && r <= 0x1FFF:
		return greek
	case r >= 0x400 && r <= 0x52F:
		return cyrillic
	case r >= 0x590 && r <= 0x5FF:
		return hebrew
	case r >= 0x600 && r <= 0x77F || r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF:
		return arabic
	case r >= 0xE00 && r <= 0xE7F:
		return thai
	case r >= 0x3040 && r <= 0x30FF:
		return kana
	case r >= 0x3400 && r <= 0x9FFF:
		return han
	case r >= 0x1100 && r <= 0x11FF || r >= 0xAC00 && r <= 0xD7AF:
		return hangul
	}
	return otherScript
}
