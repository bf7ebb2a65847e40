package sink

import (
	"encoding/json"
	"strings"

	"github.com/lede-news/lede/batch"
)

// column is a column of a database or of a CSV file.
type column struct {
	name  string
	kind  string // in SQL
	value func(l *batch.Line) any
}

// The types of columns in SQL.
const (
	sqlText   = "TEXT NOT NULL"
	sqlObject = "TEXT" // JSON or NULL
	sqlNumber = "REAL NOT NULL"
	sqlBool   = "INTEGER NOT NULL"
)

// columns are the fields of batch.Line, in their order. Lists and objects are JSON, for
// json_each and json_extract.
var columns = []column{
	{"id", sqlText, func(l *batch.Line) any { return l.ID }},
	{"url", sqlText, func(l *batch.Line) any { return l.URL }},
	{"title", sqlText, func(l *batch.Line) any { return l.Title }},
	{"text", sqlText, func(l *batch.Line) any { return l.Text }},
	{"authors", sqlText, func(l *batch.Line) any { return list(l.Authors) }},
	{"date", sqlText, func(l *batch.Line) any { return l.Date }},
	{"modified", sqlText, func(l *batch.Line) any { return l.Modified }},
	{"lang", sqlText, func(l *batch.Line) any { return l.Lang }},
	{"site", sqlText, func(l *batch.Line) any { return l.Site }},
	{"images", sqlText, func(l *batch.Line) any { return list(l.Images) }},
	{"comments", sqlText, func(l *batch.Line) any { return list(l.Comments) }},
	{"standfirst", sqlText, func(l *batch.Line) any { return l.Standfirst }},
	{"section", sqlText, func(l *batch.Line) any { return l.Section }},
	{"tags", sqlText, func(l *batch.Line) any { return list(l.Tags) }},
	{"canonical", sqlText, func(l *batch.Line) any { return l.Canonical }},
	{"next_page", sqlText, func(l *batch.Line) any { return l.NextPage }},
	{"lead", sqlObject, func(l *batch.Line) any { return object(l.Lead) }},
	{"type", sqlText, func(l *batch.Line) any { return string(l.Type) }},
	{"confidence", sqlNumber, func(l *batch.Line) any { return l.Confidence }},
	{"method", sqlText, func(l *batch.Line) any { return l.Method }},
	{"form", sqlText, func(l *batch.Line) any { return string(l.Form) }},
	{"paywalled", sqlBool, func(l *batch.Line) any { return l.Paywalled }},
	{"partial", sqlBool, func(l *batch.Line) any { return l.Partial }},
	{"partial_reason", sqlText, func(l *batch.Line) any { return string(l.PartialReason) }},
	{"found_by", sqlText, func(l *batch.Line) any { return list(l.FoundBy) }},
	{"link_text", sqlText, func(l *batch.Line) any { return l.LinkText }},
	{"first_seen", sqlText, func(l *batch.Line) any { return l.FirstSeen }},
	{"changed", sqlBool, func(l *batch.Line) any { return l.Changed }},
	{"copy_of", sqlText, func(l *batch.Line) any { return l.CopyOf }},
	{"story", sqlText, func(l *batch.Line) any { return l.Story }},
	{"story_score", sqlNumber, func(l *batch.Line) any { return l.StoryScore }},
	{"body", sqlText, func(l *batch.Line) any { return bodyText(l.Body) }},
	{"error", sqlText, func(l *batch.Line) any { return l.Error }},
	{"kind", sqlText, func(l *batch.Line) any { return l.Kind }},
}

// list returns a list of strings or images in JSON, which cannot fail.
func list[T any](items []T) string {
	if len(items) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(items)
	return string(b)
}

// object returns an image in JSON, or nil.
func object(im *batch.Image) any {
	if im == nil {
		return nil
	}
	b, _ := json.Marshal(im)
	return string(b)
}

// bodyText returns Markdown and HTML as they are, and blocks as JSON.
func bodyText(body json.RawMessage) string {
	var s string
	if json.Unmarshal(body, &s) == nil {
		return s
	}
	return string(body)
}

// createTable returns the statement that creates the table of a database. Besides
// the columns it has the number of the record and the host of the URL.
func createTable() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE articles (\n\trecord INTEGER PRIMARY KEY,\n\thost TEXT NOT NULL")
	for _, c := range columns {
		b.WriteString(",\n\t" + c.name + " " + c.kind)
	}
	return b.String() + "\n)"
}

func insertRow() string {
	names, values := []string{"record", "host"}, []string{"?", "?"}
	for _, c := range columns {
		names, values = append(names, c.name), append(values, "?")
	}
	return "INSERT INTO articles (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}
