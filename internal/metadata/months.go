package metadata

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/months.txt
var monthsFile string

//go:embed data/zones.txt
var zonesFile string

//go:embed data/updated.txt
var updatedFile string

var monthNames = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for row := range dataRows(monthsFile) {
		f := strings.Fields(row)
		n, err := strconv.Atoi(f[0])
		if err != nil {
			panic("metadata: months.txt: " + row)
		}
		for _, name := range f[1:] {
			m[name] = n
		}
	}
	return m
})

var zoneNames = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for row := range dataRows(zonesFile) {
		name, minutes, _ := strings.Cut(row, " ")
		n, err := strconv.Atoi(minutes)
		if err != nil {
			panic("metadata: zones.txt: " + row)
		}
		m[name] = n
	}
	return m
})

//go:embed data/published.txt
var publishedFile string

var updatedWords = sync.OnceValue(func() []string { return slices.Collect(dataRows(updatedFile)) })

var publishedWords = sync.OnceValue(func() []string { return slices.Collect(dataRows(publishedFile)) })

// monthOf is the number of the month that a word names, or 0.
func monthOf(word string) int {
	var low [32]byte
	if n := monthNames()[string(appendLower(low[:0], word))]; n > 0 {
		return n
	}
	if isASCII(word) {
		return 0 // what follows is for other letters
	}
	word = strings.ToLower(word)
	if n := monthNames()[greekPlain.Replace(word)]; n > 0 {
		return n
	}
	// Hebrew puts the word for "in" before the name, as one word with it.
	if rest, ok := strings.CutPrefix(word, "ב"); ok {
		return monthNames()[rest]
	}
	return 0
}

// greekPlain drops the accents that capitals do not have. It is read only.
var greekPlain = strings.NewReplacer(
	"ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ϊ", "ι", "ΐ", "ι", "ό", "ο", "ύ", "υ", "ϋ", "υ", "ώ", "ω", "i̇", "i")
