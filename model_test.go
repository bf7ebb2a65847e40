package lede_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede"
)

const bridgePage = `<title>One bridge is enough - Valley Post</title><h1>One bridge is enough</h1>
<p>The council met on Monday and decided, after four hours, that one bridge is enough for a town of this size.</p>
<p>The mayor, who had asked for two, said that she would think about it again when the river had risen.</p>`

func TestWithModel(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("internal/methods/blend/model.bin")
	if err != nil {
		t.Fatal(err)
	}
	want, err := lede.Extract(t.Context(), strings.NewReader(bridgePage))
	if err != nil {
		t.Fatal(err)
	}
	opt := lede.WithModel(bytes.NewReader(data))
	for range 2 { // an option may be used again
		got, err := lede.Extract(t.Context(), strings.NewReader(bridgePage), opt)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text() != want.Text() || got.Method != "blend" || got.Confidence != want.Confidence {
			t.Errorf("%s, %v: %q", got.Method, got.Confidence, got.Text())
		}
	}
	visual, err := os.ReadFile("internal/methods/wrapper/model.json")
	if err != nil {
		t.Fatal(err)
	}
	if a, err := lede.Extract(t.Context(), strings.NewReader(bridgePage), lede.WithModel(bytes.NewReader(visual))); err != nil || a.Method != "wrapper" {
		t.Errorf("wrapper: %+v, %v", a, err)
	}
}

func TestWithModelErrors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("internal/methods/blend/model.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ model, want string }{
		{"", "not a model: make one with lede-lab train"},
		{"<html>", "not a model: make one with lede-lab train"},
		{"{}", ""},
		{`{"bodies": [`, "not a model of wrapper"},
		{"lede blend 1\n", "not a model of blend: it was made by another version of lede"},
		{string(data[:len(data)/2]), "not a model of blend"},
	} {
		_, err := lede.New(lede.WithModel(strings.NewReader(c.model)))
		if !errors.Is(err, lede.ErrOption) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v", c.model, err)
		}
	}
}
