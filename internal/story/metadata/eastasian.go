package metadata

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
)

// eastAsianByline returns the authors in a byline as Chinese, Japanese and Korean
// papers print it: near the headline, in the first lines of the body or in the
// last. The word for a reporter stands before or after the name, often in brackets
// with the paper and the place, and names have no capitals: a name is known by the
// family name.
func (p *page) eastAsianByline(lang string) byline {
	read := map[string]func(string) []string{"zh": chineseNames, "ja": japaneseNames, "ko": koreanNames}[primaryLang(lang)]
	if read == nil {
		return byline{}
	}
	_, head := p.nearHeadline()
	const behind, ahead = 1200, 400 // bytes around the end of the body
	all := p.d.AllText()
	head.to = min(len(all), head.to+behind/2)
	if list := p.namesInLines(head, read); !list.isEmpty() {
		return list
	}
	if list := p.namesBelowHeadline(head, lang); !list.isEmpty() {
		return list
	}
	if p.opts.End == dom.None {
		return byline{}
	}
	_, end := p.d.Span(p.opts.End)
	return p.namesInLines(textRange{max(head.to, end-behind), min(len(all), end+ahead)}, read)
}

func primaryLang(tag string) string {
	tag, _, _ = strings.Cut(tag, "-")
	return tag
}

// namesInLines returns the names in the first line of a range that has any, and in
// the lines right after it.
func (p *page) namesInLines(in textRange, read func(string) []string) (list byline) {
	pending := "" // a line that is only "Reporters", and the names follow
	for at, line := range in.lines(p.d) {
		line = collapseSpace(line)
		names := read(pending + line)
		pending = ""
		if len(names) == 0 {
			const longest = 8
			if utf8.RuneCountInString(line) <= longest && hasSuffixOf(line, chineseReporters) {
				pending = line + " "
			} else if len(list.authors) > 0 {
				break
			}
			continue
		}
		if n := p.nodeAt(at); p.d.InLink(n) || p.isThirdParty(n) {
			continue
		}
		for _, name := range names {
			list.add(p, &candidate{text: name}, false)
		}
		list.node = p.nodeAt(at)
	}
	return list
}

// namesBelowHeadline returns the names in a line of nothing else below the headline.
func (p *page) namesBelowHeadline(in textRange, lang string) (list byline) {
	if p.headline == dom.None || primaryLang(lang) != "zh" {
		return list
	}
	const maxLines, maxRunes = 3, 24
	seen := 0
	for at, line := range in.lines(p.d) {
		line = strings.TrimSpace(line)
		if seen++; seen > maxLines || utf8.RuneCountInString(line) > maxRunes {
			break
		}
		names := strings.FieldsFunc(line, isNameSeparator)
		if len(names) == 0 || !isChineseName(names[0]) || slices.ContainsFunc(names, func(s string) bool { return !isShortHan(s) }) || p.d.InLink(p.nodeAt(at)) {
			continue
		}
		for _, name := range names {
			list.add(p, &candidate{text: name}, false)
		}
		list.node = p.nodeAt(at)
		return list
	}
	return list
}

// Words of East Asian bylines. A label is followed by a sign such as a colon, slash or bar; a
// reporter needs none.
var (
	chineseLabels    = strings.Fields("执笔人 執筆人 作者 撰文 执笔 執筆 撰稿 采写 採寫 采訪 文字 文")
	chineseReporters = strings.Fields("记者 記者 通讯员 通訊員 实习生 實習生")
	chineseTrailers  = strings.Fields("报道 報道 報導 电 電 文 讯 訊 整理 编译 編譯")
	photoCredits     = strings.Fields("摄 攝 摄影 攝影 图 圖")
	japaneseLabels   = strings.Fields("取材・文 文・写真 文 執筆者 執筆 著者 筆者 ライター 記者")
	japaneseKickers  = strings.Fields("特集 写真 動画 関連 解説 速報 独自 更新 詳報 連載")
	japaneseDates    = strings.Fields("令和 平成 公開 更新 掲載 配信 投稿")
	japaneseDesks    = strings.Fields("本紙 編集部 編集局 取材班 当社")
	koreanReporters  = strings.Fields("기자 특파원 논설위원 선임기자 인턴기자 객원기자 전문기자")
	koreanLabels     = strings.Fields("글쓴이 작성자 글·사진 글 기자")
)

func hasSuffixOf(s string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.HasSuffix(s, w) })
}

func hasPrefixOf(s string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(s, w) })
}

// chineseNames returns the names in a byline: 本报记者 王小明 李红, （记者 王小明）,
// 作者：王小明, 文/王小明, 【記者王小明／台北報導】.
func chineseNames(line string) []string {
	const maxPart, maxLine = 40, 60 // runes
	withDate := utf8.RuneCountInString(line) <= maxLine && hasDigit(line)
	open := false
	for line != "" {
		part, bracket, size := line, rune(0), 0
		if at := strings.IndexFunc(line, isBracket); at >= 0 {
			part = line[:at]
			bracket, size = utf8.DecodeRuneInString(line[at:])
		}
		line = line[len(part)+size:]
		inside := open && isCloseBracket(bracket)
		open = isOpenBracket(bracket)
		if part = strings.TrimSpace(part); part == "" || utf8.RuneCountInString(part) > maxPart {
			continue
		}
		if names := chineseSegment(part); len(names) > 0 {
			return names
		}
		if !inside {
			continue
		}
		// （王小明 上海报道）, or [ 王小明 ] beside the date.
		if names, whole := leadingChineseNames(part); whole && (withDate || trimTrailer(part) != part) {
			return names
		}
	}
	return nil
}

func isBracket(r rune) bool { return isOpenBracket(r) || isCloseBracket(r) }

func isOpenBracket(r rune) bool { return strings.ContainsRune("(（【〔[［", r) }

func isCloseBracket(r rune) bool { return strings.ContainsRune(")）】〕]］", r) }

// afterLabel are the signs between a label and the names.
const afterLabel = ":：/／|｜丨"

// chineseSegment returns the names after the first label or word for a reporter in a text.
func chineseSegment(s string) []string {
	const maxBefore = 20 // runes, of a paper and a place
	for at := range s {
		for _, label := range chineseLabels {
			after, ok := strings.CutPrefix(s[at:], label)
			if !ok {
				continue
			}
			after = strings.TrimSpace(after)
			if !strings.ContainsAny(firstRune(after), afterLabel) || label == "文" && at > 0 && !strings.HasSuffix(s[:at], " ") {
				continue
			}
			if names, _ := leadingChineseNames(strings.TrimLeft(after, afterLabel+" ")); len(names) > 0 {
				return names
			}
		}
		for _, reporter := range chineseReporters {
			after, ok := strings.CutPrefix(s[at:], reporter)
			if !ok || utf8.RuneCountInString(s[:at]) > maxBefore {
				continue
			}
			if names, whole := leadingChineseNames(strings.TrimLeft(after, afterLabel+" ")); whole {
				return names
			}
		}
	}
	return nil
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// isNameSeparator reports whether r separates Chinese names.
func isNameSeparator(r rune) bool { return strings.ContainsRune(" 　、，,;；&·", r) }

// leadingChineseNames returns the names at the beginning of s. whole reports whether
// nothing follows them but the place, the kind of work or another list.
func leadingChineseNames(s string) (names []string, whole bool) {
	const maxNames = 12
	for len(names) < maxNames {
		s = strings.TrimLeftFunc(s, isNameSeparator)
		for _, reporter := range chineseReporters {
			if rest, ok := strings.CutPrefix(s, reporter); ok { // 记者 王小明 通讯员 李红
				s = strings.TrimLeft(rest, ":：/／ ")
			}
		}
		run := leading(s, words.IsIdeograph)
		if run == "" {
			return names, len(names) > 0 && (strings.ContainsAny(firstRune(s), afterLabel) || !strings.ContainsFunc(s, words.IsIdeograph))
		}
		name := trimTrailer(run)
		switch {
		case hasSuffixOf(run, photoCredits): // 王小明摄
			return nil, false
		case isChineseName(name):
			names = append(names, name)
			if name != run {
				return names, true
			}
		case len(names) == 0 && trimTrailer(s) != s: // 王小明台北5日電
			if r := []rune(run); len(r) > 4 && isChineseName(string(r[:3])) {
				return []string{string(r[:3])}, true
			}
			return nil, false
		default:
			return names, len(names) > 0 && (name != run || hasPrefixOf(run, chineseLabels))
		}
		s = s[len(run):]
	}
	return names, true
}

// trimTrailer removes a word such as "reports" from the end.
func trimTrailer(s string) string {
	for _, w := range chineseTrailers {
		if rest, ok := strings.CutSuffix(s, w); ok {
			return rest
		}
	}
	return s
}

// isShortHan reports whether s is two to four Han characters.
func isShortHan(s string) bool {
	n := utf8.RuneCountInString(s)
	return n >= 2 && n <= 4 && leading(s, words.IsIdeograph) == s
}

// isChineseName reports whether s is a family name with one or two characters after it.
func isChineseName(s string) bool {
	if !isShortHan(s) {
		return false
	}
	n, two := utf8.RuneCountInString(s), string([]rune(s)[:2])
	return n >= 3 && familyNames()["zh"][two] || n <= 3 && familyNames()["zh"][firstRune(s)]
}

// isHanGroup reports whether a name in Han characters is that of a paper, a company
// or an office: it is longer than that of a person, or says what it is.
func isHanGroup(s string) bool {
	const longest = 5
	if leading(s, func(r rune) bool { return r >= 0x3400 && words.IsIdeograph(r) }) != s {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	return utf8.RuneCountInString(s) > longest || strings.ContainsRune("网網社报報部局组組台臺室站", last)
}

// japaneseNames returns the names in a byline: 文・山田太郎, 取材・文＝山田太郎,
// 山田太郎記者, 【山田太郎】.
func japaneseNames(line string) []string {
	const maxLine, maxName = 30, 8
	line = strings.TrimSpace(beforeJapaneseDate(line))
	if utf8.RuneCountInString(line) > maxLine {
		return nil
	}
	if s, ok := strings.CutPrefix(line, "【"); ok {
		if s, ok = strings.CutSuffix(s, "】"); !ok {
			return nil
		}
		line = s
		if containsAny(line, japaneseKickers...) {
			return nil
		}
		return splitJapanese(line)
	}
	for _, label := range japaneseLabels {
		s, ok := strings.CutPrefix(line, label)
		if ok && strings.ContainsAny(firstRune(strings.TrimSpace(s)), "・＝=:：/／｜|") {
			return splitJapanese(strings.TrimLeft(s, " 　・＝=:：/／｜|"))
		}
	}
	if s, ok := strings.CutSuffix(strings.Trim(line, "（）()"), "記者"); ok && s != "" && utf8.RuneCountInString(s) <= maxName {
		return splitJapanese(s)
	}
	return nil
}

// beforeJapaneseDate returns the part of a line before its date.
func beforeJapaneseDate(line string) string {
	if at := strings.IndexFunc(line, isDigitRune); at >= 0 {
		line = line[:at]
	}
	for _, w := range japaneseDates {
		line, _, _ = strings.Cut(line, w)
	}
	return line
}

// splitJapanese returns the names of a list, or nil if one is no name.
func splitJapanese(s string) []string {
	names := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("、，,・&", r) })
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if !isJapaneseName(names[i]) {
			return nil
		}
	}
	return names
}

// isJapaneseName reports whether s may be a Japanese name: three to seven characters,
// Kanji at the beginning.
func isJapaneseName(s string) bool {
	bare := strings.NewReplacer(" ", "", "　", "").Replace(s)
	first, _ := utf8.DecodeRuneInString(bare)
	n := utf8.RuneCountInString(bare)
	return n >= 3 && n <= 7 && leading(bare, func(r rune) bool { return words.IsIdeograph(r) || r == '々' || r == 'ヶ' }) == bare && first >= 0x3400 &&
		!hasPrefixOf(bare, japaneseDesks)
}

// koreanNames returns the names in a byline: 김철수 기자, 김철수·이영희 기자.
func koreanNames(line string) []string {
	const maxBytes = 240 // the byline may open the first paragraph
	line = truncate(line, maxBytes)
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("=[]()/|", r) }) {
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" ·,ㆍ、", r) })
		for i, w := range words {
			if !slices.Contains(koreanReporters, w) {
				continue
			}
			first := i
			for first > 0 && isKoreanName(words[first-1]) {
				first--
			}
			if first < i {
				return words[first:i]
			}
		}
	}
	for _, label := range koreanLabels {
		s, ok := strings.CutPrefix(line, label)
		if ok && s != "" && strings.ContainsAny(s[:1], " :=|/") {
			if f := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" :=|/", r) }); len(f) > 0 && isKoreanName(f[0]) {
				return f[:1]
			}
		}
	}
	return nil
}

// isKoreanName reports whether s is a family name with two syllables after it. Names
// of two syllables look like other words.
func isKoreanName(s string) bool {
	if leading(s, func(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }) != s {
		return false
	}
	switch utf8.RuneCountInString(s) {
	case 3:
		return familyNames()["ko"][firstRune(s)]
	case 4:
		return familyNames()["ko"][string([]rune(s)[:2])]
	}
	return false
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
