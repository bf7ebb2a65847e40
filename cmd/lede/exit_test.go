package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExitCodes checks that a run that was finished with failures can be told from
// one that was not finished.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.html", "<title>Ferry</title><h1>Ferry returns</h1>"+strings.Repeat("<p>The ferry is back in service after a winter in the dock.</p>", 5))
	empty, old := write("empty.html", ""), write("old.jsonl", "{}\n")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		want int
	}{
		{t.Context(), []string{"extract", good}, exitOK},
		{t.Context(), []string{"extract", good, empty}, exitFailed},
		{t.Context(), []string{"extract", filepath.Join(dir, "missing.html")}, exitFailed},
		{t.Context(), []string{"extract", "--no-such-flag"}, exitUsage},
		{stopped, []string{"extract", good, good}, exitAborted},
		{t.Context(), []string{"batch", good, "--out", "-"}, exitOK},
		{t.Context(), []string{"batch", good, empty, "--out", filepath.Join(dir, "some.jsonl")}, exitFailed},
		{t.Context(), []string{"batch", good}, exitUsage},
		{t.Context(), []string{"batch", good, "--out", filepath.Join(good, "out.jsonl")}, exitAborted},
		{t.Context(), []string{"batch", good, "--out", old}, exitAborted},
		{t.Context(), []string{"batch", good, "--out", old, "--overwrite"}, exitOK},
		{t.Context(), []string{"batch", t.TempDir(), "--out", filepath.Join(dir, "none.jsonl")}, exitAborted},
		{stopped, []string{"batch", good, "--out", "-"}, exitAborted},
		{stopped, []string{"batch", good, "--out", filepath.Join(dir, "stopped.jsonl")}, exitAborted},
	} {
		var out, said bytes.Buffer
		if code := run(c.ctx, c.args, strings.NewReader(""), &out, &said); code != c.want {
			t.Errorf("lede %s: exit status %d, want %d: %s", strings.Join(c.args, " "), code, c.want, &said)
		}
	}
}
