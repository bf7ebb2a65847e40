package sink

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/lede-news/lede/batch"
)

// formulaStart are the characters that begin a formula in spreadsheets, also in full
// width, as East Asian ones accept them, and white space that they skip. A headline must
// not run a command on the machine of the reader: cells that begin with such a character
// get an apostrophe in front. Cells that have apostrophes before it get one more, so
// that a reader can undo it.
const formulaStart = "=+-@\t\r\n＝＋－＠"

// isFormula reports whether a cell has such a character first, but for apostrophes.
func isFormula(s string) bool {
	rest := strings.TrimLeft(s, "'")
	return rest != "" && strings.IndexAny(rest, formulaStart) == 0
}

// csvHeader returns the names of the columns.
func csvHeader() []byte {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return csvLine(names)
}

func csvRecord(r *batch.Result) []byte {
	var cells []string
	for _, v := range values(&r.Line) {
		switch v := v.(type) {
		case nil:
			cells = append(cells, "")
		case string:
			if isFormula(v) {
				v = "'" + v
			}
			cells = append(cells, v)
		default:
			cells = append(cells, fmt.Sprint(v))
		}
	}
	return csvLine(cells)
}

// csvLine returns a record as RFC 4180 has it.
func csvLine(cells []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(cells) // writing to memory cannot fail
	w.Flush()
	return b.Bytes()
}
