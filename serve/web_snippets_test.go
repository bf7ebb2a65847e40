package serve

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// oddTexts are addresses and file names that break careless quoting.
var oddTexts = []string{
	"https://paper.example/story", "https://paper.example/it's", `https://paper.example/"quoted"?a=1&b=$(id)`, "https://paper.example/`id`", `back\slash`, "new\nline\r\ttab",
	"-rf", "--output=x", "@file", "*?[a]~", "#comment", "!history", "名前.html", "a\x00b", "\u2028\u2029\ufeff\u202e", "\U0001F600", "';touch x;'", "%s %n %%", "\\u0041", "$HOME ${HOME} $(HOME)", "a\x7f\u0085b", "*/ // /*",
}

// snippets evaluates an expression with the module of snippets as m.
func snippets[T any](tab *appTab, expression string, args ...any) T {
	tab.t.Helper()
	tab.eval(`import("/web/snippets.js").then((m) => { window.m = m; })`)
	tab.WaitFor(`window.m`, "the module")
	return testkit.Evaluate[T](tab.Tab, fmt.Sprintf(expression, args...))
}

// TestSnippets checks what does the same as the page, for odd input.
func TestSnippets(t *testing.T) {
	tab := openApp(t, Options{}, 600, 400)
	for name, test := range map[string]func(*testing.T, *appTab){"shell": testShellQuoting, "curl": testCurlLines, "Go": testGoPrograms} {
		t.Run(name, func(t *testing.T) { test(t, tab) })
	}
}

// testShellQuoting gives odd words to a shell.
func testShellQuoting(t *testing.T, tab *appTab) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no POSIX shell: ", err)
	}
	for _, text := range oddTexts {
		quoted := snippets[string](tab, `m.forShell(%s)`, quote(text))
		out, err := exec.Command("sh", "-c", "printf %s "+quoted).CombinedOutput()
		if want := strings.ReplaceAll(text, "\x00", ""); strings.HasPrefix(text, "-") { // options of printf
			if quoted != text {
				t.Errorf("%q is written as %s", text, quoted)
			}
		} else if err != nil || string(out) != want {
			t.Errorf("%q is written as %s, which a shell reads as %q (%v)", text, quoted, out, err)
		}
	}
	if got := snippets[string](tab, `m.forShell("a\ud800b")`); got != "'a\ufffdb'" {
		t.Errorf("a lone surrogate is written as %q", got)
	}
}

// testCurlLines runs lines of curl with a curl that prints its arguments.
func testCurlLines(t *testing.T, tab *appTab) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no POSIX shell: ", err)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "curl"), []byte("#!/bin/sh\nfor a; do printf '%s\\0' \"$a\"; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(line string) []string {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin", "LEDE_KEY=k e'y"}
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v %s", line, err, out)
		}
		if left, _ := os.ReadDir(cmd.Dir); len(left) > 0 {
			t.Errorf("%s: made a file %s", line, left[0].Name())
		}
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	for _, text := range oddTexts {
		line := snippets[string](tab, `m.curlLine({ kind: "address", url: %s }, { method: "nce", with: ["comments", "tables"] }, "md", "http://127.0.0.1:1/", true)`, quote(text))
		got := run(line)
		if len(got) != 4 || got[0] != "-sS" || got[1] != "-H" || got[2] != "Authorization: Bearer k e'y" || !strings.HasPrefix(got[3], "http://127.0.0.1:1/v1/extract?url=") || !strings.HasSuffix(got[3], "&method=nce&with=comments%2Ctables&format=md") {
			t.Errorf("%s\n%q", line, got)
		}
		line = snippets[string](tab, `m.curlLine({ kind: "file", name: %s, zipped: true }, {}, "json", "http://127.0.0.1:1/", false)`, quote(text))
		want := []string{"-sS", "-H", "Content-Encoding: gzip", "--data-binary", "@" + strings.ReplaceAll(text, "\x00", ""), "http://127.0.0.1:1/v1/extract?format=json"}
		if got := run(line); !slices.Equal(got, want) {
			t.Errorf("%s\n%q", line, got)
		}
	}
	if line := snippets[string](tab, `m.toolLine({ kind: "html", url: "https://paper.example/it's" }, { favor: "recall", with: ["comments"] }, "text")`); line != `lede extract --format text --favor recall --with comments --url 'https://paper.example/it'\''s' -- page.html` {
		t.Error(line)
	}
}

// testGoPrograms parses programs for odd input, and compiles one of each kind.
func testGoPrograms(t *testing.T, tab *appTab) {
	for _, text := range oddTexts {
		for _, page := range []string{`{ kind: "address", url: %s }`, `{ kind: "file", name: %s, url: %[1]s }`} {
			program := snippets[string](tab, `m.goProgram(`+page+`, { favor: "recall" }, "md")`, quote(text))
			if found := literals(t, program); !slices.Contains(found, text) {
				t.Errorf("%q is not among the strings %q of\n%s", text, found, program)
			}
		}
	}
	if got := snippets[string](tab, `m.goProgram({ kind: "address", url: "x" }, {}, "styled")`); got != "" {
		t.Errorf("a program for a format that the library does not have:\n%s", got)
	}
	if testing.Short() {
		t.Skip("compiling is left out in short mode")
	}
	for _, args := range []string{
		`{ kind: "address", url: "https://paper.example/it's" }, {}, "json"`,
		`{ kind: "address", url: "https://paper.example/" }, { method: "coreex", favor: "recall", with: ["comments", "captions", "tables"] }, "md"`,
		`{ kind: "file", name: "a\"b.html.gz", zipped: true, url: "https://paper.example/" }, { favor: "precision" }, "html"`,
		`{ kind: "html" }, {}, "text"`,
	} {
		program := snippets[string](tab, `m.goProgram(%s)`, args)
		if formatted, err := format.Source([]byte(program)); err != nil || string(formatted) != program {
			t.Errorf("%s: not formatted (%v)\n%s", args, err, program)
		}
		name := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(name, []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "vet", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", args, err, out, program)
		}
	}
}

// literals returns the strings of a program.
func literals(t *testing.T, program string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", program, parser.AllErrors)
	if err != nil {
		t.Errorf("%v\n%s", err, program)
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Error(err)
			}
			found = append(found, s)
		}
		return true
	})
	return found
}

// TestWebExport copies and saves an article in all formats.
func TestWebExport(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.choose("export")
	for format, want := range map[string]string{
		"md": "# " + ferry, "html": "<h1>" + ferry + "</h1>", "json": `"title": "` + ferry + `"`, "text": ferry + "\n", "styled": "<!DOCTYPE html>", "cleaned": "<article>",
	} {
		tab.Click(`[data-format=` + format + `]`)
		tab.WaitFor(fmt.Sprintf(`document.querySelector("[data-format=%s]").ariaPressed === "true" && document.querySelector(".preview").textContent.includes(%s) && document.querySelector(".preview").childElementCount === 0`, format, quote(want)), format)
	}
	tab.Click(`[data-format=md]`)
	tab.WaitFor(`document.querySelector(".preview").textContent.startsWith("# ")`, "Markdown")
	tab.WaitFor(`[...document.querySelectorAll(".lines h3")].map((e) => e.textContent).join() === "With curl,With lede on the command line,In Go"`, "what does the same")

	// Copying is announced, also where the clipboard is closed.
	tab.eval(`(() => {
		window.copied = "";
		document.execCommand = (what) => { window.copied = document.activeElement.value; return what === "copy"; };
		navigator.clipboard.writeText = () => Promise.reject(new Error("closed"));
	})()`)
	tab.Click("#panel-export .row button")
	tab.WaitFor(`window.copied.startsWith("# Ferry") && document.querySelector("#message").textContent === "Copied" && document.querySelector("#panel-export .row button").textContent === "Copied"`, "the copy")
	for title, want := range map[string]string{"Ferry returns: “again”?": "ferry-returns-again.md", "": "article.md", "/../..": "article.md", "海鸥 回来": "海鸥-回来.md"} {
		tab.eval(`import("/web/export.js").then((m) => { window.named = m.fileName(%s, "md"); })`, quote(title))
		tab.WaitFor(`window.named === `+quote(want), want)
	}
	tab.checkRecord()
}
