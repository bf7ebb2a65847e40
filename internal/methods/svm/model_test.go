package svm

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestFile reads a model of two vectors and writes it again.
func TestFile(t *testing.T) {
	data, err := os.ReadFile("testdata/model.json")
	if err != nil {
		t.Fatal(err)
	}
	var m, again Model
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if f := m.Features; len(f) != 1 || f[0] != "words" {
		t.Errorf("features %v", f)
	}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) < 1e-12) {
			t.Errorf("%s %g, want %g", what, got, want)
		}
	}
	near("decision", m.Decision([]float64{1}), 1.5*(1-math.Exp(-0.5))+0.25)
	near("decision at infinity", m.Decision([]float64{1e300}), 0.25)
	near("probability", m.Probability([]float64{0.5}), 1/(1+math.Exp(-2*0.25+0.125)))
	written, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(written, &again); err != nil || !reflect.DeepEqual(m, again) {
		t.Errorf("%s was decoded as %+v, %v", written, again, err)
	}
}

func TestJSONErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/model.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"lede-svm"`, `"tree"`, `format "tree"`},
		{`"version": 1`, `"version": 2`, "version 2"},
		{`"rbf"`, `"linear"`, `kernel "linear"`},
		{`"gamma": 0.5`, `"gamma": 0`, "parts"},
		{`"gamma": 0.5`, `"gamma": 1e999`, "1e999"},
		{`[-1.5, 1.5]`, `[1.5]`, "parts"},
		{`[-1.5, 1.5]`, `[1e308, 1e308]`, "parts"},
		{`[[0], [1]]`, `[]`, "parts"},
		{`[[0], [1]]`, `[[], []]`, "parts"},
		{`[[0], [1]]`, `[[0], [1, 2]]`, "parts"},
		{`["words"]`, `["words", "links"]`, "parts"},
	} {
		text := strings.Replace(string(data), c.old, c.new, 1)
		if text == string(data) {
			t.Fatalf("no %s in the file", c.old)
		}
		m := Model{Bias: 7}
		err := json.Unmarshal([]byte(text), &m)
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
		if m.Bias != 7 {
			t.Errorf("%s: the model was changed", c.new)
		}
	}
}

// FuzzUnmarshal checks that every model that can be decoded has finite decision
// values and is encoded without loss.
func FuzzUnmarshal(f *testing.F) {
	data, err := os.ReadFile("testdata/model.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"format":"lede-svm","version":1,"kernel":"rbf","gamma":1,"bias":0,"coefficients":[1],"vectors":[[1,2]]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m, again Model
		if err := m.UnmarshalJSON(data); err != nil {
			if !errors.Is(err, ErrModel) {
				t.Fatalf("error %v", err)
			}
			return
		}
		for _, v := range []float64{0, -1.5, 1e300} {
			x := make([]float64, len(m.Vectors[0]))
			for k := range x {
				x[k] = v
			}
			if d := m.Decision(x); math.IsNaN(d) || math.IsInf(d, 0) {
				t.Errorf("decision %g at %g", d, v)
			}
			if m.Platt == nil {
				continue
			}
			if p := m.Probability(x); !(p >= 0 && p <= 1) {
				t.Errorf("probability %g at %g", p, v)
			}
		}
		out, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &again); err != nil || !reflect.DeepEqual(m, again) {
			t.Errorf("%s was decoded as %+v, %v", out, again, err)
		}
	})
}
