package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
)

// numberStep is a step that halves even numbers, leaves out others and fails for 13.
func numberStep(workers int) *cobra.Command {
	type line struct {
		N *int `json:"n"`
	}
	return &cobra.Command{Use: "halve", SilenceErrors: true, SilenceUsage: true, RunE: func(cmd *cobra.Command, _ []string) error {
		return mapLines(cmd, workers, func(_ context.Context, l *line) (any, error) {
			switch {
			case l.N == nil:
				return nil, errors.New("no n")
			case *l.N == 13:
				return nil, errors.New("bad luck")
			case *l.N%2 == 1:
				return nil, nil
			}
			half := *l.N / 2
			return line{&half}, nil
		})
	}}
}

func runNumbers(t *testing.T, workers int, in string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := numberStep(workers)
	cmd.SetArgs(nil)
	cmd.SetIn(strings.NewReader(in))
	cmd.SetOut(&out)
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestStepLines(t *testing.T) {
	var in, want strings.Builder
	for n := 100; n < 3000; n++ {
		fmt.Fprintf(&in, "{\"n\": %d, \"other\": \"<&>\"}\n\n", n)
		if n%2 == 0 {
			fmt.Fprintf(&want, "{\"n\":%d}\n", n/2)
		}
	}
	for _, workers := range []int{0, 1, 3} {
		if got, err := runNumbers(t, workers, in.String()); err != nil || got != want.String() {
			t.Errorf("%d workers: %v, %d bytes, want %d", workers, err, len(got), want.Len())
		}
	}
	for in, want := range map[string]string{
		"{\"n\":2}\n\n{\"n\":13}\n{\"n\":13}": "standard input, line 3: bad luck",
		"{\"n\":2}\n{\"n\":4":                 "standard input, line 2: not a line of JSON as this step needs it: unexpected end of JSON input",
		"{\"n\":2}{\"n\":4}\n":                "standard input, line 1: not a line of JSON as this step needs it: invalid character '{' after top-level value",
		"{\"n\":2}\n{\"n\":\"x\"}\n":          "standard input, line 2: not a line of JSON as this step needs it: json: cannot unmarshal string",
		"null\n":                              "standard input, line 1: no n",
	} {
		_, err := runNumbers(t, 2, in)
		if !errors.As(err, new(cli.Failure)) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	if got, err := runNumbers(t, 1, ""); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := runNumbers(t, 1, "{\"n\":2}\n{\"n\":4}"); got != "{\"n\":1}\n{\"n\":2}\n" || err != nil {
		t.Errorf("without a line break at the end: %q, %v", got, err)
	}
	if _, err := runNumbers(t, -1, ""); err == nil || errors.As(err, new(cli.Failure)) {
		t.Errorf("-1 workers: %v", err)
	}
}

// The error of an output is not that of a line.
func TestStepOutput(t *testing.T) {
	cmd := numberStep(1)
	cmd.SetArgs(nil)
	cmd.SetIn(strings.NewReader(strings.Repeat("{\"n\":2}\n", 1<<16)))
	cmd.SetOut(writerFunc(func([]byte) (int, error) { return 0, errors.New("no space left") }))
	if err := cmd.ExecuteContext(t.Context()); !errors.As(err, new(cli.Failure)) || err.Error() != "cannot write the result: no space left" {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestEachLine(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	var got []int
	err := eachLine(strings.NewReader("a\r\n \n"+long+"\nb"), 1<<17+1, func(number int, text []byte) error {
		got = append(got, number, len(text))
		return nil
	})
	if want := []int{1, 1, 3, 1 << 17, 4, 1}; err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	err = eachLine(strings.NewReader("a\n"+long), 1<<16, func(int, []byte) error { return nil })
	if want := "standard input, line 2: it has 131072 bytes, more than the limit of 65536"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	err = eachLine(iotest.ErrReader(errors.New("cut off")), 1<<16, func(int, []byte) error { return nil })
	if err == nil || err.Error() != "standard input, line 1: cut off" {
		t.Error(err)
	}
}

func TestStepTextsOfBadLines(t *testing.T) {
	const in = `{"id": "a", "text": "Ferry returns to the quay."}` + "\n{\"id\": \n" + `{"id": "b", "title": 5}` + "\n" + `{"id": "c", "text": "Late boat."}` + "\n"
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		cmd := newStepTexts()
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(args)
		cmd.SetIn(strings.NewReader(in))
		cmd.SetOut(&out)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	if _, err := run(); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line that cannot be read: %v", err)
	}
	out, err := run("--unreadable", "--text")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out, "\n")
	for i, want := range []string{`"text":"Ferry returns to the quay."`, `{"error":"not a line`, `{"error":"not a line`, `"text":"Late boat."`, ""} {
		if len(lines) != 5 || !strings.Contains(lines[i], want) {
			t.Errorf("line %d has no %s in %q", i+1, want, lines)
		}
	}
	if out, _ := run("--unreadable"); strings.Contains(out, "Late") {
		t.Errorf("texts without --text: %s", out)
	}
}
