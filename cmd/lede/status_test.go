package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/newsroom"
)

// Where standard error is no terminal, commands print their messages and no escape codes.
func TestNoProgressWithoutTerminal(t *testing.T) {
	dir := t.TempDir()
	if err := newsroom.New(1).Write(dir, newsroom.WriteOptions{Pages: 1, Sites: []string{"marston-gazette", "le-fanal"}}); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"site learn DIR --site-store=DIR/sites.db", "batch DIR --out=DIR/out.jsonl",
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(strings.ReplaceAll(args, "DIR", dir)), strings.NewReader(""), &out, &errs); code != cli.ExitOK {
			t.Errorf("%s: status %d: %s", args, code, errs.String())
		}
		if strings.ContainsAny(errs.String(), "\r\x1b") {
			t.Errorf("%s: %q", args, errs.String())
		}
	}
}
