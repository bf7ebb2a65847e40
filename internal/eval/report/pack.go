package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"math"
	"strconv"
)

// pack makes JSON of a value and deflates it.
func pack(v any) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	// Neither can fail: the values are ours, and a buffer takes all.
	_, _ = z.Write(encode(v))
	_ = z.Close()
	return b.Bytes()
}

// encode makes JSON that can stand in a script element: encoding/json spells
// out <, >, & and the line separators of Unicode, and mends broken UTF-8.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("report: " + err.Error())
	}
	return b
}

// chunk is packed data as an element of the file.
type chunk struct {
	ID   string
	data []byte
}

// Data is in an alphabet that has no meaning in HTML.
func (c chunk) Data() template.HTML {
	return template.HTML(base64.StdEncoding.EncodeToString(c.data))
}

// numbers are figures with four digits after the point, as in the tables of
// papers; those that do not exist are null.
type numbers []float64

func (n numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, math.Round(v*1e4)/1e4, 'f', -1, 64)
		}
	}
	return append(b, ']'), nil
}
