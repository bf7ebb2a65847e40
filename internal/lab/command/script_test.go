package command

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lede-news/lede/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lede-lab": func() { cli.RunMain(New()) }})
}

// TestScripts runs testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"waitfor": waitForLine},
	})
}

// waitForLine is the script command "waitfor FILE REGEXP". It waits until a line of
// the file matches.
func waitForLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor file regexp")
	}
	line := regexp.MustCompile("(?m)" + args[1])
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && line.Match(text) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%s does not match %q: %v\n%s", args[0], args[1], err, text)
		}
	}
}
