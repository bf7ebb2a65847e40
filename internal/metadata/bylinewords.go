package metadata

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/lines"
)

//go:embed data/bylines.txt
var bylinesFile string

// vocabulary is the content of bylines.txt.
type vocabulary struct {
	by          []string        // the longest first
	certain     map[string]bool // words of by that need no markup
	colon       map[string]bool // words that precede a name if a colon follows
	first       map[string]bool // first words of by and colon
	and         map[string]bool
	role        map[string]bool
	group       map[string]bool
	button      map[string]bool
	tail        map[string]bool
	place       map[string]bool
	placeholder map[string]bool
	path        map[string]bool
	user        map[string]bool
	label       map[string]bool
	between     map[string]bool
	class       map[string]bool

	helper map[string]helper // phrases before names of people who are not the authors

	prefilter       prefilter // for first
	helperPrefilter prefilter // for the first words of helper
	initial         [256]bool // first bytes of the single words in certain, in any case
	longPath        int       // length of the longest path or user in bytes
}

// helper is what somebody who is not the author did for an article.
type helper uint8

const (
	noHelper helper = iota
	helperEditor
	helperCredit
)

var bylineWords = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{helper: map[string]helper{}, first: map[string]bool{}}
	sets := map[string]*map[string]bool{
		"certain": &v.certain, "colon": &v.colon, "and": &v.and, "role": &v.role, "group": &v.group, "button": &v.button, "tail": &v.tail,
		"place": &v.place, "placeholder": &v.placeholder, "path": &v.path, "user": &v.user, "label": &v.label, "between": &v.between, "class": &v.class,
	}
	for _, set := range sets {
		*set = map[string]bool{}
	}
	helpers := map[string]helper{"editor": helperEditor, "credit": helperCredit}
	for line := range lines.Data(bylinesFile) {
		kind, list, _ := strings.Cut(line, ":")
		for w := range strings.SplitSeq(list, ",") {
			w = strings.TrimSpace(w)
			if kind == "by" || kind == "certain" {
				v.by = append(v.by, w)
			}
			if h := helpers[kind]; h != noHelper {
				v.helper[w] = h
				first, _, _ := strings.Cut(w, " ")
				v.helperPrefilter.add(first)
			} else if kind != "by" {
				(*sets[kind])[w] = true // panics if there is no such kind
			}
		}
	}
	for w := range v.certain {
		if !strings.Contains(w, " ") {
			v.initial[w[0]], v.initial[w[0]&^0x20] = true, true
		}
	}
	for w := range v.path {
		v.longPath = max(v.longPath, len(w))
	}
	for w := range v.user {
		v.longPath = max(v.longPath, len(w))
	}
	for c := utf8.RuneSelf; c < len(v.initial); c++ {
		v.initial[c] = true // other scripts have no cases that differ in one bit
	}
	slices.SortStableFunc(v.by, func(a, b string) int { return len(b) - len(a) })
	v.by = slices.Compact(v.by)
	for _, w := range slices.Concat(v.by, slices.Collect(maps.Keys(v.colon))) {
		word, _, _ := strings.Cut(w, " ")
		word, _, _ = strings.Cut(word, ":") // beginsWithBy ends a word there
		v.first[word] = true
		v.prefilter.add(word)
	}
	return v
})
