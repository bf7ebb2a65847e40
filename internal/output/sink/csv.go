package sink

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/batch"
)

// CSV is written as RFC 4180 has it: a header, CRLF after each record, quotes where
// they are needed, and the line breaks of a text as they are. There is no byte order
// mark, which most programs would take for a part of the first name.
//
// Spreadsheets compute a cell that begins with = and some other characters, and the
// text of a page may begin with anything: a headline must not run a command on the
// machine of the reader. Such cells get an apostrophe in front. Cells that have
// apostrophes before such a character get one more, so that programs can undo it:
// remove one apostrophe if only apostrophes are before such a character.

// formulaStart are the characters that begin a formula, also in full width, as
// East Asian spreadsheets accept them, and white space that spreadsheets skip.
const formulaStart = "=+-@\t\r\n＝＋－＠"

// csvHeader returns the names of the columns.
func csvHeader() []byte {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return []byte(strings.Join(names, ",") + "\r\n")
}

func csvRecord(r *batch.Result) []byte {
	var b []byte
	for i, c := range columns {
		if i > 0 {
			b = append(b, ',')
		}
		switch v := c.value(&r.Line).(type) {
		case string:
			b = appendCell(b, v)
		case float64:
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		case bool:
			b = strconv.AppendBool(b, v)
		}
	}
	return append(b, "\r\n"...)
}

// cellText returns the text of a cell, without the apostrophe of appendCell.
func cellText(s string) string {
	if rest := strings.TrimLeft(s, "'"); len(rest) < len(s) && rest != "" && strings.IndexAny(rest, formulaStart) == 0 {
		return s[1:]
	}
	return s
}

func appendCell(b []byte, s string) []byte {
	if rest := strings.TrimLeft(s, "'"); rest != "" && strings.IndexAny(rest, formulaStart) == 0 {
		s = "'" + s
	}
	if !strings.ContainsAny(s, "\",\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}
