package lede_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/lede-news/lede"

// walls says which packages each package may import besides the standard
// library: "dom" is a package of this module, "method/*" those one below it,
// anything with a dot in its first part a module of others. Only the tools
// under cmd may import anything; another package that is not listed is an error.
var walls = map[string][]string{
	"article":        {},
	"dom":            {"dom/markup", "golang.org/x/net", "golang.org/x/text"},
	"dom/markup":     {"golang.org/x/net/html"},
	"layout":         {"dom"},
	"method":         {"dom", "article", "layout"},
	"method/*":       {"method", "dom", "article"},
	"method/wrapper": {"method", "dom", "article", "layout", "learn/svm", "learn/trees", "method/blend/*"},
	"method/blend":   {"method", "method/*", "method/blend/blocks", "learn/trees", "comments", "dom", "article"},
	"method/blend/*": {"dom"},
	"metadata":       {"dom", "article"},
	"compose":        {"dom", "article"},
	"comments":       {"dom"},
	"format":         {"article", "dom"},
	"format/styled":  {"format", "article", "dom", "golang.org/x/net/html"},
	"newsroom":       {},
	"browser":        {"dom", "layout", "fetch", "github.com/chromedp", "golang.org/x/net"},
	"label":          {"dom", "batch", "golang.org/x/net"},
	"learn/svm":      {},
	"learn/trees":    {},
	"learn/story":    {"method", "method/blend", "method/blend/blocks", "learn/trees", "eval/corpus", "eval/measure", "dom", "article"},
	"learn/visual":   {"label", "learn/svm", "method", "method/wrapper", "compose", "dom", "article", "layout", "newsroom", "eval/corpus", "eval/measure", "metadata"},
	"coding":         {"github.com/andybalholm/brotli", "github.com/klauspost/compress"},
	"fetch":          {"coding"},
	"warc":           {"coding", "github.com/klauspost/compress"},
	"batch":          {"article", "warc", "github.com/klauspost/compress"},
	"batch/sink":     {"batch", "github.com/klauspost/compress", "github.com/parquet-go/parquet-go", "modernc.org/sqlite"},
	"batch/twopass":  {"site", "site/store", "modernc.org/sqlite"},
	"eval/corpus":    {"dom"},
	"eval/measure":   {"eval/corpus", "dom", "article", "golang.org/x/text"},
	"eval":           {"eval/corpus", "eval/measure", "dom", "article"},
	"eval/report":    {"eval", "eval/corpus", "eval/measure", "dom"},
	"site":           {"method", "dom", "article"},
	"site/store":     {"site", "modernc.org/sqlite"},
	"learn":          {"eval/corpus", "eval/measure", "method", "method/*", "compose", "dom", "article"},
	".":              {"article", "dom", "method", "method/*", "metadata", "compose", "comments", "format", "site", "layout", "golang.org/x/net/html"},
}

// pure packages have no network, files or logs.
var pure = []string{"article", "dom", "dom/markup", "method", "method/*", "metadata", "compose", "comments", "format", "format/styled", "site", "layout", "learn/svm", "learn/trees", "method/blend/*"}

var impure = []string{"net/http", "os", "log", "log/slog"}

// TestImports holds the walls between the rooms.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		pkg := room(f[0])
		allowed, held := walls[pkg]
		if !held {
			allowed, held = walls[path.Dir(pkg)+"/*"]
		}
		if !held && path.Dir(pkg) != "cmd" {
			t.Errorf("%s is a room without walls: say in the table what it may import", pkg)
		}
		for _, imp := range f[1:] {
			if isPure(pkg) && slices.Contains(impure, imp) {
				t.Errorf("%s imports %s, but the pure half has no network, files or logs", pkg, imp)
			}
			if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
				continue // the standard library
			}
			if held && !allows(allowed, room(imp)) {
				t.Errorf("%s imports %s, but may import only %s", pkg, room(imp), list(allowed))
			}
		}
	}
}

// room is the name of a package inside the module.
func room(pkg string) string {
	if pkg == module {
		return "."
	}
	return strings.TrimPrefix(pkg, module+"/")
}

func isPure(pkg string) bool { return allows(pure, pkg) }

func allows(list []string, pkg string) bool {
	for _, a := range list {
		if pkg == a || strings.HasSuffix(a, "/*") && path.Dir(pkg) == strings.TrimSuffix(a, "/*") {
			return true
		}
		if strings.Contains(a, ".") && a != "." && strings.HasPrefix(pkg, a+"/") {
			return true
		}
	}
	return false
}

func list(allowed []string) string {
	if len(allowed) == 0 {
		return "the standard library"
	}
	return "the standard library and " + strings.Join(allowed, ", ")
}

// TestNoInit holds that nothing happens before main: no package declares
// func init.
func TestNoInit(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata") {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares func init, but packages have no hidden start", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
