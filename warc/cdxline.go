package warc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Field letters of the CDX lines that come without a header line.
const (
	cdx11 = "NbamskrMSVg"
	cdx10 = "NbamskrMVg"
	cdx9  = "NbamskrVg"
)

// parse reads one line. Empty lines and header lines are of no use and no fault.
func (c *CDX) parse(line string) (e Entry, use bool, err error) {
	trimmed := strings.TrimSpace(line)
	fields := strings.Fields(trimmed)
	switch {
	case trimmed == "":
		return e, false, nil
	case fields[0] == "CDX":
		// " CDX N b a m s k r M S V g" names the fields, each by a letter.
		c.fields = strings.Join(fields[1:], "")
		return e, false, nil
	case strings.HasPrefix(line, "!"):
		return e, false, nil // a header of CDXJ, such as "!OpenWayback-CDXJ 1.0"
	case strings.HasPrefix(trimmed, "{"):
		e, err = parseJSON(Entry{}, trimmed)
	case len(fields) >= 3 && strings.HasPrefix(fields[2], "{"):
		e, err = parseJSON(Entry{Key: fields[0], Date: parseStamp(fields[1])}, trimmed[strings.Index(trimmed, "{"):])
	default:
		e, err = parseFields(fields, c.fields)
	}
	if err == nil && e.Filename == "" {
		err = errors.New("it names no file")
	}
	return e, err == nil, err
}

// parseFields reads a line of fields that letters name.
func parseFields(fields []string, letters string) (e Entry, err error) {
	if letters == "" {
		letters = map[int]string{11: cdx11, 10: cdx10, 9: cdx9}[len(fields)]
	}
	if letters == "" || len(letters) != len(fields) {
		return e, fmt.Errorf("it has %d fields; 9, 10 or 11 are known, or as many as its header line says", len(fields))
	}
	offset := false
	for i, value := range fields {
		if value == "-" {
			continue
		}
		switch letters[i] {
		case 'N':
			e.Key = value
		case 'b':
			e.Date = parseStamp(value)
		case 'a':
			e.URL = value
		case 'm':
			e.MIME = value
		case 's':
			e.Status, _ = strconv.Atoi(value)
		case 'k':
			e.Digest = value
		case 'g':
			e.Filename = value
		case 'S':
			e.Length, err = parseSize(value)
		case 'V':
			e.Offset, err = parseSize(value)
			offset = true
		}
		if err != nil {
			return e, err
		}
	}
	if !offset {
		return e, errNoOffset
	}
	return e, nil
}

var errNoOffset = errors.New("it has no offset")

// parseSize reads a number that is not below zero.
func parseSize(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q is neither an offset nor a length", s)
	}
	return int64(n), nil
}

// value takes a string or a number: tools write either.
type value string

func (v *value) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		s = string(b)
	}
	if s != "null" {
		*v = value(s)
	}
	return nil
}

// parseJSON reads the object of a CDXJ line into e.
func parseJSON(e Entry, object string) (Entry, error) {
	var o struct{ URLKey, Timestamp, URL, MIME, Status, Digest, Filename, Offset, Length value }
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		return e, err
	}
	if o.URLKey != "" {
		e.Key = string(o.URLKey)
	}
	if o.Timestamp != "" {
		e.Date = parseStamp(string(o.Timestamp))
	}
	e.URL, e.MIME, e.Digest, e.Filename = string(o.URL), string(o.MIME), string(o.Digest), string(o.Filename)
	e.Status, _ = strconv.Atoi(string(o.Status))
	if o.Offset == "" {
		return e, errNoOffset
	}
	var err error
	if e.Offset, err = parseSize(string(o.Offset)); err != nil {
		return e, err
	}
	if o.Length != "" && o.Length != "-" {
		e.Length, err = parseSize(string(o.Length))
	}
	return e, err
}

// parseStamp reads the 14 digits of an index, or fewer.
func parseStamp(s string) time.Time {
	const layout = "20060102150405"
	if len(s) > len(layout) {
		s = s[:len(layout)] // some add fractions of a second
	}
	if len(s) < 4 {
		return time.Time{}
	}
	t, err := time.Parse(layout[:len(s)], s)
	if err != nil {
		return time.Time{}
	}
	return t
}
