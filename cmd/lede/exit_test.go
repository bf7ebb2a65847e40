package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/cli"
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
		{t.Context(), []string{"extract", good}, cli.ExitOK},
		{t.Context(), []string{"extract", good, empty}, cli.ExitFailed},
		{t.Context(), []string{"extract", filepath.Join(dir, "missing.html")}, cli.ExitFailed},
		{t.Context(), []string{"extract", "--no-such-flag"}, cli.ExitUsage},
		{stopped, []string{"extract", good, good}, cli.ExitAborted},
		{t.Context(), []string{"batch", good, "--out", "-"}, cli.ExitOK},
		{t.Context(), []string{"batch", good, empty, "--out", filepath.Join(dir, "some.jsonl")}, cli.ExitFailed},
		{t.Context(), []string{"batch", good}, cli.ExitUsage},
		{t.Context(), []string{"batch", good, "--out", filepath.Join(good, "out.jsonl")}, cli.ExitAborted},
		{t.Context(), []string{"batch", good, "--out", old}, cli.ExitAborted},
		{t.Context(), []string{"batch", good, "--out", old, "--overwrite"}, cli.ExitOK},
		{t.Context(), []string{"batch", t.TempDir(), "--out", filepath.Join(dir, "none.jsonl")}, cli.ExitAborted},
		{stopped, []string{"batch", good, "--out", "-"}, cli.ExitAborted},
		{stopped, []string{"batch", good, "--out", filepath.Join(dir, "stopped.jsonl")}, cli.ExitAborted},
	} {
		var out, said bytes.Buffer
		if code := run(c.ctx, c.args, strings.NewReader(""), &out, &said); code != c.want {
			t.Errorf("lede %s: exit status %d, want %d: %s", strings.Join(c.args, " "), code, c.want, &said)
		}
	}
}
