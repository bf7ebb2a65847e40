package keyfile

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	_, desk, err := New("desk")
	if err != nil {
		t.Fatal(err)
	}
	_, night, err := New("night-desk_2")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse([]byte("\ufeff# people\r\n\n" + desk.String() + " # until May\r\n  " + night.String() + "  \n"))
	if err != nil || len(got) != 2 || got[0] != desk || got[1] != night {
		t.Errorf("%v: %v, want %v and %v", err, got, desk, night)
	}
}

func TestParseErrors(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for text, want := range map[string]string{
		"desk":                       "line 1: a line has a name, and sha256:",
		"\n\ndesk lede_SECRET":       "line 3: a line has",
		"desk sha256:12":             "line 1: a line has a name, and sha256: with the 64 hexadecimal digits",
		"desk sha256:" + hash + "0b": "line 1: a line has a name",
		"the.desk sha256:" + hash:    `line 1: name "the.desk": use`,
		"a sha256:" + hash + "\nb sha256:" + hash + "\na sha256:" + hash: `line 3: name "a" is that of line 1, too`,
		"a sha256:" + hash + " rate=10/s":                                "line 1: a line has a name",
	} {
		if keys, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, %v, want %q", text, keys, err, want)
		}
	}
}

func TestNew(t *testing.T) {
	a, key, err := New("desk")
	b, _, _ := New("desk")
	if err != nil || a == b || len(a) < 26 || key.Hash != Hash(a) {
		t.Errorf("%q and %q: %v", a, b, err)
	}
	for _, name := range []string{"", "a b", "é", "a.b", "#", strings.Repeat("a", 65)} {
		if _, _, err := New(name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
}
