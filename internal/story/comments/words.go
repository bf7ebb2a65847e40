package comments

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
)

var (
	//go:embed names.txt
	namesFile string
	//go:embed phrases.txt
	phrasesFile string
	//go:embed instructions.txt
	instructionsFile string
	//go:embed headings.txt
	headingsFile string
)

// wordLists is the content of the embedded files.
type wordLists struct {
	names        map[string]role // exact words in class and id attributes
	patterns     []pattern       // parts of words
	phrases      map[string]bool
	instructions []string
	headings     []string
}

// pattern matches words that begin with text, or contain it.
type pattern struct {
	text   string
	prefix bool
	role   role
}

// role is a set of meanings of a class or id. See names.txt.
type role uint8

const (
	commentsRole role = 1 << iota
	singleRole
	otherRole
	auxiliaryRole
	elsewhereRole
	formRole
	controlRole
)

var lists = sync.OnceValue(func() *wordLists {
	roles := map[string]role{
		"comments": commentsRole, "single": singleRole, "other": otherRole, "auxiliary": auxiliaryRole,
		"elsewhere": elsewhereRole, "form": formRole, "control": controlRole,
	}
	l := &wordLists{names: map[string]role{}, phrases: map[string]bool{}, instructions: slices.Collect(lines.Data(instructionsFile))}
	for line := range lines.Data(namesFile) {
		f := strings.Fields(line)
		role, ok := roles[f[0]]
		if !ok {
			panic("comments: names.txt: " + line)
		}
		for _, w := range f[1:] {
			text := strings.Trim(w, "*")
			if text == w {
				l.names[w] |= role
				continue
			}
			l.patterns = append(l.patterns, pattern{text, w[0] != '*', role})
		}
	}
	for line := range lines.Data(phrasesFile) {
		l.phrases[line] = true
	}
	for line := range lines.Data(headingsFile) {
		l.headings = append(l.headings, strings.Fields(line)...)
	}
	return l
})

// IsNamed reports whether the class, id or microdata type of n means a comment
// section or a comment.
func IsNamed(d *dom.Document, n dom.Node) bool {
	return isCommentItem(d, n) || hasRole(d, n, commentsRole, otherRole|auxiliaryRole)
}

// isCommentItem reports whether n is a comment by its microdata type.
func isCommentItem(d *dom.Document, n dom.Node) bool {
	kind := d.Attr(n, "itemtype")
	return strings.HasSuffix(kind, "/Comment") || strings.HasSuffix(kind, "/UserComments")
}

// hasRole reports whether a class or the id of n has one of the wanted roles, and
// none of the unwanted.
func hasRole(d *dom.Document, n dom.Node, wanted, unwanted role) bool {
	for _, key := range []string{"id", "class"} {
		for name := range strings.FieldsSeq(d.Attr(n, key)) {
			if r := rolesOf(name); r&wanted != 0 && r&unwanted == 0 {
				return true
			}
		}
	}
	return false
}

// isControl reports whether n is a control by its tag or its name.
func isControl(d *dom.Document, n dom.Node) bool {
	const maxWords = 25 // the name of an element with more is not reliable
	if isControlTag(d.Tag(n)) {
		return true
	}
	if d.Words(n) > maxWords {
		return hasRole(d, n, formRole, 0)
	}
	return hasRole(d, n, controlRole|formRole, 0)
}

func isControlTag(t dom.Tag) bool {
	switch t {
	case dom.Form, dom.Button, dom.Select, dom.Textarea, dom.Input, dom.Label, dom.Nav, dom.Fieldset:
		return true
	}
	return false
}

// rolesOf returns the roles of a class or id such as "comment-reply-link" or
// "CommentForm".
func rolesOf(name string) role {
	var all role
	for word := range words.InName(name) {
		all |= roleOf(word)
	}
	return all
}

func roleOf(word string) role {
	if len(word) < 2 {
		return 0
	}
	l := lists()
	r := l.names[word] &^ singleRole
	if r&otherRole != 0 {
		return r
	}
	for _, p := range l.patterns {
		if strings.HasPrefix(word, p.text) || !p.prefix && strings.Contains(word, p.text) {
			r |= p.role
		}
	}
	return r
}

// isButtonText reports whether a text is only a number or the text of a button
// or link.
func isButtonText(s string) bool {
	const maxLen = 60 // bytes
	if len(s) > maxLen {
		return false
	}
	letters := words.Phrase(s)
	return letters == "" || lists().phrases[letters]
}

// isInstruction reports whether a text is addressed to those who want to
// comment.
func isInstruction(s string) bool {
	const maxLen = 700 // bytes
	lower := strings.ToLower(s)
	return len(s) < maxLen && !hasDate(lower) &&
		slices.ContainsFunc(lists().instructions, func(i string) bool { return strings.Contains(lower, i) })
}

// Times of day, times ago and dates, in the digits of any script.
var (
	timePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\p{Nd}:\p{Nd}\p{Nd}|\d (second|minute|hour|day|week|month|year)s? ago` +
			`|\b(vor|il y a|hace|há|fa) \d|\d \S+ (geleden|temu|назад|sedan|siden)`)
	})
	datePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\b(19|20)\d\d\b|\d[./-]\d\d?[./-]|\p{Nd} ?[年月日]`)
	})
)

func hasTime(s string) bool { return timePattern().MatchString(s) }
func hasDate(s string) bool { return hasTime(s) || datePattern().MatchString(s) }
