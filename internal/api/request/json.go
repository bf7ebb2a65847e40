package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Field is a field of a JSON object that is no option. Its value is decoded into Value,
// a pointer.
type Field struct {
	Name  string
	Value any
}

// SyntaxError is the error of a text that is not the JSON of a request.
type SyntaxError struct{ text string }

func (e *SyntaxError) Error() string { return e.text }

// ParseJSON returns the options in a JSON object, as lists of values, and sets own, which
// is in the object as well. After an error own is set nevertheless, as far as the object
// can be read.
func ParseJSON(object []byte, allowed []string, own ...Field) (map[string][]string, error) {
	values := map[string][]string{}
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(object, []byte("\ufeff"))))
	seen := map[string]bool{}
	var first error // about a value
	token, err := dec.Token()
	if err == nil && token != json.Delim('{') {
		err = errors.New("it is not an object")
	}
	for err == nil && dec.More() {
		if token, err = dec.Token(); err != nil {
			break
		}
		name, _ := token.(string)
		var wrong error
		if seen[name] {
			var skipped json.RawMessage
			wrong, err = Errorf("option", "%s is given twice; give it once", name), dec.Decode(&skipped)
		} else if i := slices.IndexFunc(own, func(f Field) bool { return f.Name == name }); i >= 0 {
			wrong, err = decodeField(dec, own[i])
		} else {
			wrong, err = decodeOption(dec, name, allowed, own, values)
		}
		seen[name] = true
		if first == nil {
			first = wrong
		}
	}
	if err == nil {
		_, err = dec.Token() // the end of the object
	}
	if err == nil {
		if _, end := dec.Token(); end != io.EOF {
			err = errors.New("something follows the object")
		}
	}
	switch {
	case first != nil:
		return nil, first
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &SyntaxError{"it ends early"}
	case err != nil:
		return nil, &SyntaxError{err.Error()}
	}
	return values, nil
}

// decodeField decodes the value of a field that is no option. It returns an error about
// the value, without names of Go types, and one about the JSON.
func decodeField(dec *json.Decoder, f Field) (wrong, err error) {
	err = dec.Decode(f.Value)
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		kinds := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "a boolean", reflect.Int64: "a whole number"}
		return &SyntaxError{fmt.Sprintf("%s is a %s, not %s", f.Name, e.Value, kinds[e.Type.Kind()])}, nil
	}
	return nil, err
}

// decodeOption decodes the value of an option. It returns an error about the option, and
// one about the JSON.
func decodeOption(dec *json.Decoder, name string, allowed []string, own []Field, values map[string][]string) (wrong, err error) {
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	if !slices.Contains(allowed, name) {
		var names []string
		for _, f := range own {
			names = append(names, f.Name)
		}
		return Errorf("option", "unknown option %q; the fields are %s", name, strings.Join(append(names, allowed...), ", ")), nil
	}
	list, ok := jsonValues(value)
	if !ok {
		return Errorf("option", "%s: use a string, a boolean or a list of strings", name), nil
	}
	if list != nil {
		values[name] = list
	}
	return nil, nil
}

// jsonValues returns a JSON value as the values of an option. Null is none.
func jsonValues(value any) (values []string, ok bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case bool:
		return []string{map[bool]string{true: "true", false: "false"}[v]}, true
	case []any:
		values = []string{}
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, false
			}
			values = append(values, s)
		}
		return values, true
	}
	return nil, false
}
