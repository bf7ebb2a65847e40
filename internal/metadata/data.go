package metadata

import (
	"iter"
	"strings"
)

// dataRows goes through the rows of an embedded file without comments and
// empty rows.
func dataRows(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for row := range strings.Lines(file) {
			row = strings.TrimSpace(row)
			if row == "" || row[0] == '#' {
				continue
			}
			if !yield(row) {
				return
			}
		}
	}
}
