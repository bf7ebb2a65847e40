package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
)

// ParseJSON returns the options in a JSON object, as lists of values. The fields of own,
// which are pointers, are no options: they are decoded first, also if an option is wrong.
func ParseJSON(object []byte, own map[string]any) (map[string][]string, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimPrefix(object, []byte("\ufeff")), &fields)
	if err == nil && fields == nil {
		err = errors.New("it is not an object")
	}
	if err != nil {
		return nil, Errorf("json", "the JSON of the request is invalid: %s", JSONError(err))
	}
	for name, value := range own {
		if raw, ok := fields[name]; ok {
			if err := json.Unmarshal(raw, value); err != nil {
				return nil, Errorf("json", "%s is invalid: %s", name, JSONError(err))
			}
			delete(fields, name)
		}
	}
	values := map[string][]string{}
	for name, raw := range fields {
		var value any
		_ = json.Unmarshal(raw, &value) // which is valid
		list, ok := optionValues(value)
		if !ok {
			return nil, Errorf("option", "%s: use a string, a boolean or a list of strings", name)
		}
		if list != nil {
			values[name] = list
		}
	}
	return values, nil
}

// JSONError describes an error of encoding/json without the names of Go types.
func JSONError(err error) string {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return cmp.Or(e.Field, "it") + " has the wrong type, " + e.Value
	}
	return err.Error()
}

// optionValues returns a JSON value as the values of an option. Null is none.
func optionValues(value any) (values []string, ok bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case bool:
		return []string{strconv.FormatBool(v)}, true
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
