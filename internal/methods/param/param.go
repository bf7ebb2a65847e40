// Package param lists and changes the settings of a method by name.
//
// A setting is an int, float64 or bool field of the method's Config. Tags hold its
// name, a line of help and, for a number that can be tuned, the range in which the
// best value is expected and the step between values:
//
//	Alpha1 int `param:"a1" about:"minimum characters of the separator node" range:"50 2000 10"`
package param

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Param is a setting with its current value.
type Param struct {
	Name, Value, About string
	// Min, Max and Step are the range of a number that can be tuned. Step is 0 if
	// it cannot.
	Min, Max, Step float64
}

// List returns the settings of a Config, or of a pointer to one.
func List(config any) []Param {
	v := reflect.Indirect(reflect.ValueOf(config))
	var out []Param
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if name := f.Tag.Get("param"); name != "" {
			p := Param{Name: name, Value: fmt.Sprint(v.Field(i)), About: f.Tag.Get("about")}
			if r := f.Tag.Get("range"); r != "" {
				p.setRange(r)
			}
			out = append(out, p)
		}
	}
	return out
}

// setRange reads a range tag. One that is wrong is an error in the program.
func (p *Param) setRange(tag string) {
	if n, err := fmt.Sscan(tag, &p.Min, &p.Max, &p.Step); n != 3 || err != nil || !(p.Min < p.Max) || !(p.Step > 0) {
		panic(fmt.Sprintf("param: setting %s: invalid range %q", p.Name, tag))
	}
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
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
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
