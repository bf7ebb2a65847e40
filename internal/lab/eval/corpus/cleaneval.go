package corpus

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/lede-news/lede/internal/page/charset"
)

// cleanPair has the folders of pages and of their cleaned texts.
type cleanPair struct {
	pages, texts string
	lang         string
}

func isCleanEval(l *listing) bool { return len(cleanPairs(l)) > 0 }

// cleanPairs returns the folders of the sample (en_original and en_cleaned, also
// zh), of the final run (finalrun-input and GoldStandard), of CleanPortalEval
// (input and GoldStandard), or one folder with both kinds of files.
func cleanPairs(l *listing) []cleanPair {
	var all []cleanPair
	for _, dir := range l.dirs {
		base, ok := strings.CutSuffix(dir, "original")
		if ok && l.hasDir(base+"cleaned") {
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
	if both := pairedNames(l); len(both) > 0 {
		if page, err := readFile(pages[both[0]], maxPage); err == nil && wrapper.Match(page) {
			return []cleanPair{{pages: ".", texts: "."}}
		}
	}
	return nil
}

// cleanedIn returns the texts named N-cleaned.txt by N.
func cleanedIn(l *listing) map[string]string {
	found := map[string]string{}
	for name, file := range textsIn(l) {
		if id, ok := strings.CutSuffix(name, "-cleaned"); ok {
			found[id] = file
		}
	}
	return found
}

// readCleanEval reads pages and their cleaned texts, which contain the headline.
// With pages of more than one language, which have the same numbers, the ID
// begins with the language.
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
			pages, texts = prefixKeys(p.lang, pages), prefixKeys(p.lang, texts)
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

func prefixKeys(prefix string, files map[string]string) map[string]string {
	prefixed := map[string]string{}
	for id, file := range files {
		prefixed[prefix+"-"+id] = file
	}
	return prefixed
}

// cleanMark matches the marks before paragraphs, headlines and list items.
var cleanMark = regexp.MustCompile(`(?i)</?[phl]\s*>`)

// cleanText returns the URL in the first line of a text, if there is one, and the
// rest without marks.
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

// Pages are wrapped in <text id="URL" title="…" encoding="…"> and </text>.
var (
	wrapper    = regexp.MustCompile(`(?i)^(?:\x{feff})?\s*<text(?:\s+[a-z]+\s*=\s*"[^"]*")*(?:\s[^>]*)?>[ \t]*\r?\n?`)
	wrapperEnd = regexp.MustCompile(`(?i)</text>\s*$`)
	wrapperTag = regexp.MustCompile(`(?i)\b(id|encoding)\s*=\s*"([^"]*)"`)
)

func wrapperAttr(tag []byte, key string) string {
	for _, m := range wrapperTag.FindAllSubmatch(tag, -1) {
		if strings.EqualFold(string(m[1]), key) {
			return html.UnescapeString(string(m[2]))
		}
	}
	return ""
}

// unwrapPage returns the page without its wrapper, in UTF-8: the charset of the
// page is known from the wrapper only.
func unwrapPage(page []byte) []byte {
	tag := wrapper.Find(page)
	if len(tag) > 0 {
		page = bytes.TrimSuffix(page[len(tag):], wrapperEnd.Find(page))
	}
	text, _, err := charset.Decode(page, charset.Hints{Header: wrapperAttr(tag, "encoding")})
	if err != nil {
		return page // parsing it gives the same error
	}
	return text
}

func wrappedURL(name string) string {
	page, err := readFile(name, maxPage)
	if err != nil {
		return "" // reported when the page is read
	}
	if id := wrapperAttr(wrapper.Find(page), "id"); strings.Contains(id, "://") {
		return id
	}
	return ""
}
