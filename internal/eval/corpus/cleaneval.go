package corpus

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/lede-news/lede/dom"
)

// cleanPair is where pages and their cleaned texts are.
type cleanPair struct {
	pages, texts string
	lang         string
}

func isCleanEval(l *listing) bool { return len(cleanPairs(l)) > 0 }

// cleanPairs finds the folders of the sample (en_original and en_cleaned, likewise zh), of
// the final run (finalrun-input and GoldStandard), of CleanPortalEval (input and
// GoldStandard), or a folder with both kinds of files.
func cleanPairs(l *listing) []cleanPair {
	var all []cleanPair
	for _, dir := range l.dirs {
		base, is := strings.CutSuffix(dir, "original")
		if is && l.hasDir(base+"cleaned") {
			all = append(all, cleanPair{dir, base + "cleaned", strings.TrimSuffix(base, "_")})
		}
		if l.hasDir("GoldStandard") && (dir == "finalrun-input" || dir == "input") {
			all = append(all, cleanPair{pages: dir, texts: "GoldStandard"})
		}
	}
	if len(all) > 0 {
		return all
	}
	pages := pagesIn(l)
	for id := range cleanedIn(l) {
		if pages[id] != "" {
			return []cleanPair{{pages: ".", texts: "."}}
		}
	}
	if both := paired(l); len(both) > 0 {
		if page, err := readFile(pages[both[0]], maxPage); err == nil && wrapper.Match(page) {
			return []cleanPair{{pages: ".", texts: "."}}
		}
	}
	return nil
}

// cleanedIn finds the texts named N-cleaned.txt by their N.
func cleanedIn(l *listing) map[string]string {
	found := map[string]string{}
	for name, file := range textsIn(l) {
		if id, is := strings.CutSuffix(name, "-cleaned"); is {
			found[id] = file
		}
	}
	return found
}

// readCleanEval reads the texts that people made of whole pages: the headline
// is in them. Where there are pages of more than one language, whose numbers
// are the same, the language is put before the number.
func readCleanEval(r *reader) error {
	r.corpus.unwrap = unwrapPage
	pairs := cleanPairs(r.listing)
	for _, p := range pairs {
		pageDir, err := list(r.path(p.pages))
		if err != nil {
			return err
		}
		textDir, err := list(r.path(p.texts))
		if err != nil {
			return err
		}
		pages, texts := pagesIn(pageDir), cleanedIn(textDir)
		if len(texts) == 0 {
			texts = textsIn(textDir)
		}
		if len(pairs) > 1 {
			pages, texts = prefixed(p.lang, pages), prefixed(p.lang, texts)
		}
		err = r.readPairs(pageDir, pages, texts, func(g *Gold, text string) {
			g.Lang, g.TitleInText = p.lang, true
			g.URL, g.Text = cleanText(text)
			if g.URL == "" && g.page != "" {
				g.URL = wrappedURL(g.page)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func prefixed(with string, files map[string]string) map[string]string {
	named := map[string]string{}
	for id, file := range files {
		named[with+"-"+id] = file
	}
	return named
}

// cleanMark is put before a paragraph, a headline or an element of a list.
var cleanMark = regexp.MustCompile(`(?i)</?[phl]\s*>`)

// cleanText takes the line with the address and the marks off a text.
func cleanText(text string) (url, body string) {
	text = strings.TrimSpace(text)
	if first, rest, _ := strings.Cut(text, "\n"); len(first) >= 4 && strings.EqualFold(first[:4], "URL:") {
		url, text = strings.TrimSpace(first[4:]), rest
	}
	lines := strings.Split(cleanMark.ReplaceAllString(text, " "), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return url, strings.TrimSpace(strings.Join(lines, "\n"))
}

// Pages are put between <text id="ADDRESS" title="…" encoding="…"> and </text>.
var (
	wrapper    = regexp.MustCompile(`(?i)^(?:\x{feff})?\s*<text(?:\s+[a-z]+\s*=\s*"[^"]*")*(?:\s[^>]*)?>[ \t]*\r?\n?`)
	wrapperEnd = regexp.MustCompile(`(?i)</text>\s*$`)
	wrapperTag = regexp.MustCompile(`(?i)\b(id|encoding)\s*=\s*"([^"]*)"`)
)

func unwrapAttr(tag []byte, key string) string {
	for _, m := range wrapperTag.FindAllSubmatch(tag, -1) {
		if strings.EqualFold(string(m[1]), key) {
			return html.UnescapeString(string(m[2]))
		}
	}
	return ""
}

// unwrapPage gives the page as its site sent it, but in UTF-8: the
// encoding that it was sent in is known from the wrapping only.
func unwrapPage(page []byte) []byte {
	tag := wrapper.Find(page)
	if len(tag) > 0 {
		page = bytes.TrimSuffix(page[len(tag):], wrapperEnd.Find(page))
	}
	text, _, err := dom.Decode(page, dom.Options{HeaderCharset: unwrapAttr(tag, "encoding")})
	if err != nil {
		return page // who parses it will say the same
	}
	return text
}

func wrappedURL(name string) string {
	page, err := readFile(name, maxPage)
	if err != nil {
		return "" // told when the page is read
	}
	if id := unwrapAttr(wrapper.Find(page), "id"); strings.Contains(id, "://") {
		return id
	}
	return ""
}
