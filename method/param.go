package method

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Param is a setting of a method that can be changed by name.
type Param struct {
	Name, Value, About string
}

// Params lists the settings of a method's Config: the fields of the struct that
// carry a tag, as in
//
//	Alpha1 int `param:"a1" about:"least characters of the separator node"`
func Params(config any) []Param {
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

// SetParam changes one setting; config is a pointer to a method's Config. The
// error says what there is to set, or what kind of value it takes.
func SetParam(config any, name, value string) error {
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
		return fmt.Errorf("nothing to set, and so no %q", name)
	}
	return fmt.Errorf("no setting %q; there is %s", name, strings.Join(names, ", "))
}

func setField(f reflect.Value, name, value string) error {
	var err error
	switch f.Kind() {
	case reflect.Int:
		var n int
		if n, err = strconv.Atoi(value); err == nil {
			f.SetInt(int64(n))
			return nil
		}
		return fmt.Errorf("%s takes a whole number, not %q", name, value)
	case reflect.Float64:
		var x float64
		if x, err = strconv.ParseFloat(value, 64); err == nil {
			f.SetFloat(x)
			return nil
		}
		return fmt.Errorf("%s takes a number, not %q", name, value)
	case reflect.Bool:
		var b bool
		if b, err = strconv.ParseBool(value); err == nil {
			f.SetBool(b)
			return nil
		}
		return fmt.Errorf("%s takes true or false, not %q", name, value)
	}
	panic("method: a setting must be an int, a float64 or a bool: " + name)
}
