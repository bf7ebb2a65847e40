package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lede-news/lede/internal/cli"
	lab "github.com/lede-news/lede/internal/lab/command"
	"github.com/lede-news/lede/internal/lab/newsroom"
)

// leaves calls do for every command that is not a group, but for those of the framework.
func leaves(cmd *cobra.Command, do func(*cobra.Command)) {
	if cmd.Annotations[cli.IsGroup] == "" {
		do(cmd)
	}
	for _, c := range cmd.Commands() {
		if c.Name() != "completion" && c.Name() != "help" {
			leaves(c, do)
		}
	}
}

// The framework speaks of arg(s), and of commands where an argument is one too many.
func TestWrongArgumentsAreDescribed(t *testing.T) {
	framework := regexp.MustCompile(`arg\(s\)|unknown command|flag needs an argument|invalid argument|strconv`)
	check := func(cmd *cobra.Command, err error) {
		t.Helper()
		if err != nil && framework.MatchString(err.Error()) {
			t.Errorf("%s: %v", cmd.CommandPath(), err)
		}
	}
	count := 0
	leaves(newRoot(), func(cmd *cobra.Command) {
		count++
		check(cmd, cmd.ValidateArgs(nil))
		check(cmd, cmd.ValidateArgs(strings.Fields("a b c d e f")))
		cmd.Flags().VisitAll(func(fl *pflag.Flag) {
			if fl.NoOptDefVal == "" {
				err := cmd.FlagErrorFunc()(cmd, cmd.ParseFlags([]string{"--" + fl.Name}))
				check(cmd, err)
				if err == nil || !strings.HasPrefix(err.Error(), "--"+fl.Name+" needs a value: --"+fl.Name+" ") {
					t.Errorf("%s --%s: %v", cmd.CommandPath(), fl.Name, err)
				}
			}
			if err := cmd.ParseFlags([]string{"--" + fl.Name + "=no value of this type"}); err != nil {
				check(cmd, cmd.FlagErrorFunc()(cmd, err))
			}
		})
	})
	if count < 15 {
		t.Errorf("only %d commands were tried", count)
	}
}

// Flags that docs/serve.md names exist.
func TestServeFlagsInDocs(t *testing.T) {
	text := string(readFile(t, filepath.Join("..", "..", "docs", "serve.md")))
	cmd, _, err := newRoot().Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, c := range append(cmd.Commands(), cmd) {
		c.Flags().VisitAll(func(fl *pflag.Flag) { known["--"+fl.Name] = true })
	}
	named := 0
	for _, span := range regexp.MustCompile("`--[a-z-]+|lede serve[^`\n]*").FindAllString(text, -1) {
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(span, -1) {
			if named++; !known[flag] {
				t.Errorf("docs/serve.md: %s in %q is no flag of lede serve", flag, span)
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d flags were found", named)
	}
}

// What lede-lab tune prints can be pasted after lede extract, also if nothing is better
// than the present settings.
func TestTunedFlagsCanBePasted(t *testing.T) {
	dir := t.TempDir()
	err := newsroom.New(1).Write(dir, newsroom.WriteOptions{Pages: 2, Sites: []string{"marston-gazette"}})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "pages", "*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, args := range []string{"nce --set a1=100", "coreex:r3", "twcem"} {
		var out, errs bytes.Buffer
		tune := append(append([]string{"tune"}, strings.Fields(args)...), "--folds=1", dir)
		if code := cli.RunRoot(t.Context(), lab.New(), tune, strings.NewReader(""), &out, &errs); code != cli.ExitOK {
			t.Fatalf("%s: %s", args, errs.String())
		}
		line := regexp.MustCompile(`(?m)^--method .*$`).FindString(out.String())
		if line == "" {
			t.Errorf("%s: no flags in\n%s", args, out.String())
			continue
		}
		out.Reset()
		if code := run(t.Context(), append(append([]string{"extract"}, strings.Fields(line)...), pages[0]), strings.NewReader(""), &out, &errs); code != cli.ExitOK || out.Len() == 0 {
			t.Errorf("extract %s: %s", line, errs.String())
		}
	}
}
