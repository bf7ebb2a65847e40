package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeyFile(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0a", 32)
	for text, want := range map[string]string{
		"\ufeff# people\r\n\n  desk\tsha256:" + hash + " # since May\r\nnight sha256:" + hash: "",
		"desk": "line 1: a line has a name, and sha256:", "\ndesk sha256:0a": "line 2: a line has", "desk " + hash: "line 1: a line has",
		"the desk sha256:" + hash: "line 1: a line has", "ä sha256:" + hash: "line 1: a line has", "desk sha256:" + hash + " more": "line 1: a line has",
		"desk sha256:" + hash + "\ndesk sha256:" + hash: "line 2: there is another key with the name desk",
	} {
		file := filepath.Join(t.TempDir(), "keys.txt")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		keys, err := LoadKeys(file)
		switch {
		case want == "" && (err != nil || len(*keys.list.Load()) != 2):
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	a, line, err := NewKey("desk")
	b, _, _ := NewKey("desk")
	if err != nil || a == b || len(a) < 30 || strings.Contains(line, a) {
		t.Errorf("%v: %q, %q, %q", err, a, b, line)
	}
	if _, _, err := NewKey("the desk"); err == nil {
		t.Error("a name with a space")
	}
}
