// Package param lists and changes the settings of a method by name.
//
// A setting is an int, float64 or bool field of the method's Config with two
// tags, its name and a line of help:
//
//	Alpha1 int `param:"a1" about:"minimum characters of the separator node"`
package param

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Param is a setting with its current value.
type Param struct {
	Name, Value, About string
}

// List returns the settings of a Config, or of a pointer to one.
func List(config any) []Param {
	v := reflect.Indirect(reflect.ValueOf(config))
	var out []Param
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if name := f.Tag.Get("param"); name != "" {
			out = append(out, Param{Name: name, Value: fmt.Sprint(v.Field(i)), About: f.Tag.Get("about")})
		}
	}
	return out
}

// Set changes one setting of the Config that config points to.
func Set(config any, name, value string) error {
	v := reflect.ValueOf(config).Elem()
	var names []string
	for i := range v.NumField() {
		switch tag := v.Type().Field(i).Tag.Get("param"); tag {
		case "":
		case name:
			return setField(v.Field(i), name, value)
		default:
			names = append(names, tag)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("no setting %q; the method has no settings", name)
	}
	return fmt.Errorf("no setting %q; available settings: %s", name, strings.Join(names, ", "))
}

func setField(f reflect.Value, name, value string) error {
	switch f.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("%s takes a whole number, not %q", name, value)
		}
		f.SetInt(int64(n))
	case reflect.Float64:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("%s takes a number, not %q", name, value)
		}
		f.SetFloat(x)
	case reflect.Bool:
		b, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s takes true or false, not %q", name, value)
		}
		f.SetBool(b)
	default:
		panic("param: a setting must be an int, a float64 or a bool: " + name)
	}
	return nil
}
