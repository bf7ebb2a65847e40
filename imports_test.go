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

// importRules lists the packages that each package may import besides the
// standard library. A name with a dot in its first element is another module,
// and stands for all packages below it. Only commands may import anything;
// a package that is missing from the table is an error.
var importRules = map[string][]string{
	"article":    {},
	"dom":        {"internal/charset", "internal/limits", "internal/markup", "golang.org/x/net"},
	"method":     {"dom", "article"},
	"format":     {"article", "dom", "golang.org/x/text"},
	"site":       {"method", "dom", "article"},
	"site/store": {"site", "internal/fsync", "internal/sqlite", "golang.org/x/net", "github.com/gofrs/flock", "modernc.org/sqlite"},
	"fetch":      {".", "internal/coding", "internal/limits"},
	"warc":       {"internal/coding", "internal/limits", "internal/lines", "github.com/klauspost/compress"},
	"batch":      {"article", "warc", "internal/limits", "internal/fsync", "internal/lines", "github.com/klauspost/compress", "github.com/gofrs/flock"},
	".":          {"article", "dom", "method", "format", "site", "internal/nce", "internal/coreex", "internal/twcem", "internal/stadynot", "internal/wrapper", "internal/blend", "internal/metadata", "internal/compose", "internal/correct", "internal/comments", "internal/layout", "internal/param", "golang.org/x/net/html", "internal/charset", "internal/limits"},

	"internal/limits":       {},
	"internal/charset":      {"golang.org/x/net/html", "golang.org/x/text"},
	"internal/markup":       {"golang.org/x/net/html"},
	"internal/param":        {},
	"internal/css":          {"dom"},
	"internal/layout":       {"dom", "method", "internal/css"},
	"internal/nce":          {"method", "dom", "article"},
	"internal/coreex":       {"method", "dom", "article"},
	"internal/twcem":        {"method", "dom", "article"},
	"internal/stadynot":     {"method", "dom", "article"},
	"internal/wrapper":      {"method", "dom", "article", "internal/layout", "internal/learn/svm", "internal/lines"},
	"internal/blend":        {"method", "internal/nce", "internal/coreex", "internal/blend/blocks", "internal/learn/trees", "internal/comments", "dom", "article"},
	"internal/blend/blocks": {"dom"},
	"internal/correct":      {"method", "dom", "article"},
	"internal/metadata":     {"dom", "article", "internal/lines", "golang.org/x/text"},
	"internal/compose":      {"dom", "article"},
	"internal/comments":     {"dom", "internal/lines"},
	"internal/styled":       {"format", "article", "dom", "internal/css", "golang.org/x/net/html"},
	"internal/learn/svm":    {},
	"internal/learn/trees":  {"internal/parallel"},
	"internal/parallel":     {},

	"internal/fsync":        {},
	"internal/lines":        {},
	"internal/sqlite":       {"modernc.org/sqlite"},
	"internal/newsroom":     {"internal/parallel"},
	"internal/coding":       {"github.com/andybalholm/brotli", "github.com/klauspost/compress"},
	"internal/browser":      {"method", "dom", "internal/charset", "internal/layout", "fetch", "github.com/chromedp", "golang.org/x/net"},
	"internal/sink":         {"batch", "internal/fsync", "internal/sqlite", "github.com/klauspost/compress", "github.com/parquet-go/parquet-go"},
	"internal/twopass":      {"site", "site/store", "internal/sqlite"},
	"internal/label":        {"dom", "internal/css", "internal/charset", "internal/fsync", "batch", "golang.org/x/net"},
	"internal/eval/corpus":  {"dom", "internal/charset", "internal/lines"},
	"internal/eval/measure": {"internal/eval/corpus", "dom", "article", "golang.org/x/text"},
	"internal/eval":         {"internal/eval/corpus", "internal/eval/measure", "internal/lines", "internal/parallel", "dom", "article"},
	"internal/eval/report":  {"internal/eval", "internal/eval/corpus", "internal/eval/measure", "internal/css", "dom"},
	"internal/learn":        {"internal/parallel", "internal/eval/corpus", "internal/eval/measure", "method", "internal/nce", "internal/coreex", "internal/twcem", "internal/stadynot", "internal/compose", "dom", "article"},
	"internal/learn/story":  {"internal/parallel", "method", "internal/blend", "internal/blend/blocks", "internal/learn/trees", "internal/eval/corpus", "internal/eval/measure", "dom", "article"},
	"internal/learn/visual": {"internal/parallel", "internal/label", "internal/learn/svm", "method", "internal/wrapper", "internal/compose", "dom", "article", "internal/layout", "internal/newsroom", "internal/eval/corpus", "internal/eval/measure", "internal/metadata"},
	"internal/testkit":      {"github.com/chromedp"},
	"internal/methodtest":   {"method", "dom", "internal/testkit"},
}

// pure packages have no network, files or logs.
var pure = []string{
	"article", "dom", "method", "format", "site",
	"internal/limits", "internal/charset", "internal/markup", "internal/css", "internal/layout", "internal/nce", "internal/coreex", "internal/twcem", "internal/stadynot", "internal/wrapper",
	"internal/blend", "internal/blend/blocks", "internal/metadata", "internal/correct", "internal/compose", "internal/comments", "internal/styled",
	"internal/learn/svm", "internal/learn/trees", "internal/param", "internal/parallel",
}

var impure = []string{"net/http", "os", "log", "log/slog"}

// TestImports checks the imports of every package against importRules.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		pkg := inModule(f[0])
		allowed, held := importRules[pkg]
		if !held && path.Dir(pkg) != "cmd" {
			t.Errorf("%s is not in importRules: add what it may import", pkg)
		}
		for _, imp := range f[1:] {
			if isPure(pkg) && slices.Contains(impure, imp) {
				t.Errorf("%s imports %s, but the pure half has no network, files or logs", pkg, imp)
			}
			if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
				continue // the standard library
			}
			if held && !allows(allowed, inModule(imp)) {
				t.Errorf("%s imports %s, but may import only %s", pkg, inModule(imp), list(allowed))
			}
		}
	}
}

// inModule returns the path of a package inside the module.
func inModule(pkg string) string {
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
