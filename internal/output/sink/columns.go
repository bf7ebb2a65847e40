package sink

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/lede-news/lede/batch"
)

// column is a column of a database or of a CSV file: a field of batch.Line.
type column struct {
	name  string
	kind  string // in SQL
	field int
}

// columns are the fields of batch.Line, in their order.
var columns = func() (all []column) {
	line := reflect.TypeFor[batch.Line]()
	for i := range line.NumField() {
		f := line.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := "TEXT NOT NULL"
		switch f.Type.Kind() {
		case reflect.Float64:
			kind = "REAL NOT NULL"
		case reflect.Bool:
			kind = "INTEGER NOT NULL"
		case reflect.Pointer:
			kind = "TEXT" // JSON or NULL
		}
		all = append(all, column{name, kind, i})
	}
	return all
}()

// values returns the values of the columns. Lists and objects are JSON, for json_each and
// json_extract.
func values(l *batch.Line) []any {
	line := reflect.ValueOf(l).Elem()
	var row []any
	for _, c := range columns {
		v := line.Field(c.field)
		switch body, isBody := v.Interface().(json.RawMessage); {
		case isBody:
			row = append(row, bodyText(body))
		case v.Kind() == reflect.String:
			row = append(row, v.String())
		case v.Kind() == reflect.Pointer && v.IsNil():
			row = append(row, nil)
		case v.Kind() == reflect.Slice && v.Len() == 0:
			row = append(row, "[]")
		case v.Kind() == reflect.Slice, v.Kind() == reflect.Pointer:
			b, _ := json.Marshal(v.Interface()) // strings and images cannot fail
			row = append(row, string(b))
		default:
			row = append(row, v.Interface())
		}
	}
	return row
}

// bodyText returns Markdown and HTML as they are, and blocks as JSON.
func bodyText(body json.RawMessage) string {
	var s string
	if json.Unmarshal(body, &s) == nil {
		return s
	}
	return string(body)
}
