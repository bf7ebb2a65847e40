package param

import (
	"slices"
	"strings"
	"testing"
)

type config struct {
	Alpha1 int     `param:"a1" about:"minimum characters" range:"1 20 1"`
	Beta   float64 `param:"beta" about:"a share" range:"0 0.9 0.05"`
	Cut    bool    `param:"cut" about:"whether to cut"`
	Other  int
}

func TestSetAndList(t *testing.T) {
	c := config{Alpha1: 3, Beta: 0.5}
	for _, s := range []string{"a1=7", "beta=0.25", "cut=true"} {
		name, value, _ := strings.Cut(s, "=")
		if err := Set(&c, name, value); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if want := (config{Alpha1: 7, Beta: 0.25, Cut: true}); c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
	want := []Param{
		{Name: "a1", Value: "7", About: "minimum characters", Min: 1, Max: 20, Step: 1},
		{Name: "beta", Value: "0.25", About: "a share", Max: 0.9, Step: 0.05},
		{Name: "cut", Value: "true", About: "whether to cut"},
	}
	if got := List(c); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestInvalidRange(t *testing.T) {
	for _, c := range []any{
		struct {
			X int `param:"x" range:"1 2"`
		}{},
		struct {
			X int `param:"x" range:"2 1 1"`
		}{},
		struct {
			X int `param:"x" range:"1 2 0"`
		}{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T: no panic", c)
				}
			}()
			List(c)
		}()
	}
}

func TestSetErrors(t *testing.T) {
	c := config{}
	for in, want := range map[string]string{
		"a1=x":      `a1 takes a whole number, not "x"`,
		"a1=1.5":    `a1 takes a whole number, not "1.5"`,
		"beta=much": `beta takes a number, not "much"`,
		"beta=NaN":  `beta takes a number, not "NaN"`,
		"beta=-Inf": `beta takes a number, not "-Inf"`,
		"cut=maybe": `cut takes true or false, not "maybe"`,
		"gamma=1":   `no setting "gamma"; available settings: a1, beta, cut`,
		"Other=1":   `no setting "Other"; available settings: a1, beta, cut`,
	} {
		name, value, _ := strings.Cut(in, "=")
		if err := Set(&c, name, value); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
	if err := Set(&struct{}{}, "x", "1"); err == nil {
		t.Error("a Config without settings: no error")
	}
	if c != (config{}) {
		t.Errorf("a rejected value was set: %+v", c)
	}
}
