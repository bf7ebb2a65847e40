package metadata

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/page/lines"
)

// eastAsian is how the papers of a language print bylines. The word for a reporter stands before
// or after the name, often in brackets with the paper and the place. Names have no capitals: a
// name is known by the family name.
type eastAsian struct {
	patterns []*regexp.Regexp // with a list of names as the first group
	isName   func(string) bool
}

var eastAsianLanguages = sync.OnceValue(func() map[string]eastAsian {
	// Parts of the patterns, by their names in braces. A list of Chinese names may have words for
	// reporters in it, and nothing follows but the place and the kind of work.
	const reporter = "(?:记者|記者|通讯员|通訊員|实习生|實習生)"
	parts := strings.NewReplacer(
		"{open}", `[(（【〔[［]`, "{close}", `[)）】〕\]］]`, "{sign}", `[:：/／|｜丨]`,
		"{reporter}", reporter,
		"{report}", `(?:报道|報道|報導|电|電|文|讯|訊|整理|编译|編譯)`,
		"{names}", `(\p{Han}{2,4}(?:[ 　、，,;；&·]+(?:`+reporter+`[:：/／ ]*)?\p{Han}{2,4})*)`,
		"{kanji}", `([\p{Han}ヶ][\p{Han}ぁ-んァ-ヶー 　、，,・&]*)`,
		"{korean}", `((?:[가-힣]{3,4}[ ·,ㆍ、]+)*[가-힣]{3,4})`,
	)
	compile := func(patterns ...string) (out []*regexp.Regexp) {
		for _, p := range patterns {
			out = append(out, regexp.MustCompile(parts.Replace(p)))
		}
		return out
	}
	return map[string]eastAsian{
		"zh": {compile(
			`(?:执笔人|執筆人|作者|撰文|执笔|執筆|撰稿|采写|採寫|采訪|文字|^文| 文)\s*{sign}+\s*{names}`, // 文/王小明
			`(?:^|{open}|{close})[^()（）【】]{0,20}?{reporter}[:：/／|｜丨 ]*{names}(?:\s*\p{Han}{0,4}{report})?\s*(?:$|{close}|{sign})`,
			`{reporter}(\p{Han}{3})\p{Han}{1,4}\d+日[电電]`,  // 記者王小明台北5日電
			`{open}\s*{names}{report}\s*{close}`,          // （王小明 上海报道）
			`^.{0,40}\d.{0,20}{open}\s*{names}\s*{close}`, // beside the date
		), func(s string) bool { return hasFamilyName(s, "zh", 3) }},
		"ja": {compile(
			`^(?:取材・文|文・写真|文|執筆者?|著者|筆者|ライター|記者)\s*[・＝=:：/／｜|]\s*{kanji}$`,
			`^【{kanji}】$`,
			`^[（(]?{kanji}記者[)）]?$`,
		), isJapaneseName},
		"ko": {compile(
			`{korean} *(?:기자|특파원|논설위원|선임기자|인턴기자|객원기자|전문기자)(?:[^가-힣]|$)`,
			`^(?:글쓴이|작성자|글·사진|글|기자)[ :=|/]+{korean}(?:[^가-힣]|$)`,
		), func(s string) bool { return hasFamilyName(s, "ko", 4) }},
	}
})

// names returns the names in a byline, or nil for other lines.
func (e *eastAsian) names(line string) (names []string) {
	const maxBytes = 2000 // the byline may open or end a paragraph
	line = truncate(strings.TrimSpace(line), maxBytes)
	for _, pattern := range e.patterns {
		for _, m := range pattern.FindAllStringSubmatch(line, 4) {
			for name := range strings.FieldsFuncSeq(m[1], isNameSeparator) {
				if e.isName(name) {
					names = append(names, name)
				}
			}
			if len(names) > 0 {
				return names
			}
		}
	}
	return nil
}

func isNameSeparator(r rune) bool { return strings.ContainsRune(" 　、，,;；&·・ㆍ:：/／", r) }

// eastAsianByline returns the authors in a Chinese, Japanese or Korean byline: near the headline,
// in the first lines of the body or in the last.
func (p *page) eastAsianByline(lang string) byline {
	lang = primaryLang(lang)
	if lang != "zh" && lang != "ja" && lang != "ko" {
		return byline{}
	}
	read := eastAsianLanguages()[lang]
	const behind, ahead = 1200, 400
	_, head := p.nearHeadline()
	head.to = min(len(p.d.AllText()), head.to+behind/2)
	if list := p.namesInLines(head, &read); !list.isEmpty() {
		return list
	}
	end := p.endOfBody(behind, ahead)
	return p.namesInLines(textRange{max(head.to, end.from), end.to}, &read)
}

func primaryLang(tag string) string {
	tag, _, _ = strings.Cut(tag, "-")
	return tag
}

// namesInLines returns the names in the first line of a range that has any, and in the lines
// right after it.
func (p *page) namesInLines(in textRange, read *eastAsian) (list byline) {
	for at, line := range in.lines(p.d) {
		names, n := read.names(collapseSpace(line)), p.nodeAt(at)
		if len(names) > 0 && !p.d.InLink(n) {
			list.add(p, &candidate{text: strings.Join(names, "、")}, false)
			list.node = n
		} else if !list.isEmpty() {
			break
		}
	}
	return list
}

// hasFamilyName reports whether a name begins with a family name of one character, if it has up to
// three, or of two, if it has at least minLong.
func hasFamilyName(name, lang string, minLong int) bool {
	r, known := []rune(name), familyNames()[lang]
	return len(r) >= minLong && known[string(r[:2])] || len(r) <= 3 && known[string(r[:1])]
}

// notJapaneseNames are words for the paper and its desks, and of kickers in brackets.
var notJapaneseNames = strings.Fields("本紙 編集 取材 当社 特集 写真 動画 関連 解説 速報 独自 更新 詳報 連載")

// isJapaneseName reports whether s may be a Japanese name: three to seven characters, Kanji at
// the beginning.
func isJapaneseName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	n := utf8.RuneCountInString(s)
	return n >= 3 && n <= 7 && unicode.Is(unicode.Han, first) && !containsAny(s, notJapaneseNames...)
}

//go:embed data/surnames.txt
var surnamesFile string

// familyNames has the family names by language.
var familyNames = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range lines.Data(surnamesFile) {
		f := strings.Fields(line)
		if all[f[0]] == nil {
			all[f[0]] = map[string]bool{}
		}
		if len(f) == 2 { // one character each
			f = append(f[:1], strings.Split(f[1], "")...)
		}
		for _, name := range f[1:] {
			all[f[0]][name] = true
		}
	}
	return all
})
