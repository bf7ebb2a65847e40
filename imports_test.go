package lede_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/lede-news/lede"

// impure are packages of the standard library that a pure package may not
// import, with all packages below them.
var impure = []string{"net", "os", "log", "syscall", "database/sql", "runtime/debug"}

// harmless are packages below an impure one that only compute.
var harmless = []string{"net/url", "net/netip"}

// clock are the functions that read the clock or wait for it.
var clock = []string{
	"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.Tick", "time.NewTimer", "time.NewTicker",
	"context.WithTimeout", "context.WithTimeoutCause", "context.WithDeadline", "context.WithDeadlineCause",
}

// folder is a row of the table of folders in ARCHITECTURE.md.
type folder struct {
	path    string
	imports []string // folders and modules
	pure    bool
	lines   int // at most, of Go outside tests
}

// folders reads the table of folders in ARCHITECTURE.md.
func folders(t *testing.T) []folder {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|[^|]*\\| ([^|]*) \\| (pure)? *\\| ([0-9,]+) \\|$")
	var list []folder
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		lines, err := strconv.Atoi(strings.ReplaceAll(m[4], ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, folder{m[1], strings.Split(m[2], ", "), m[3] != "", lines})
	}
	if len(list) < 20 {
		t.Fatalf("ARCHITECTURE.md: %d rows in the table of folders", len(list))
	}
	return list
}

// find returns the folder of a package: the longest one that contains it.
func find(list []folder, pkg string) *folder {
	var best *folder
	for i, f := range list {
		if (pkg == f.path || strings.HasPrefix(pkg, f.path+"/")) && (best == nil || len(f.path) > len(best.path)) {
			best = &list[i]
		}
	}
	return best
}

// TestImports checks the imports of every package against the table of folders in
// ARCHITECTURE.md, and that pure packages import nothing that does input or output.
func TestImports(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	list := folders(t)
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		pkg := shortName(f[0])
		from := find(list, pkg)
		if from == nil {
			t.Errorf("%s is missing from the table of folders in ARCHITECTURE.md", pkg)
			continue
		}
		for _, imp := range f[1:] {
			first, _, _ := strings.Cut(imp, "/")
			name := shortName(imp)
			switch to := find(list, name); {
			case !strings.Contains(first, "."):
				if from.pure && isImpure(imp) {
					t.Errorf("%s imports %s, but is pure", pkg, imp)
				}
			case to == from:
			case to == nil && !slices.Contains(from.imports, name), to != nil && !slices.Contains(from.imports, to.path) && !slices.Contains(from.imports, "anything"):
				t.Errorf("%s imports %s, which ARCHITECTURE.md does not allow for %s", pkg, name, from.path)
			case to != nil && from.pure && !to.pure:
				t.Errorf("%s is pure, but imports %s, which is not", pkg, name)
			case to != nil && strings.HasPrefix(to.path, "internal/lab") && !strings.HasPrefix(from.path, "internal/lab") && from.path != "cmd/lede-lab":
				t.Errorf("%s is part of the product, but imports the lab: %s", pkg, name)
			}
		}
	}
}

// TestBudget checks that no folder has more lines of Go outside tests than the table of
// folders in ARCHITECTURE.md allows, so that growth is a decision that a diff shows.
func TestBudget(t *testing.T) {
	t.Parallel()
	list := folders(t)
	lines := map[string]int{}
	walkSource(t, func(name string, src []byte) {
		if f := find(list, packageOf(name)); f != nil {
			lines[f.path] += bytes.Count(src, []byte("\n"))
		}
	})
	for _, f := range list {
		if lines[f.path] == 0 {
			t.Errorf("ARCHITECTURE.md lists %s, which has no Go", f.path)
		}
		if lines[f.path] > f.lines {
			t.Errorf("%s has %d lines, %d more than its budget in ARCHITECTURE.md", f.path, lines[f.path], lines[f.path]-f.lines)
		}
	}
}

// packageOf returns the short name of the package of a file.
func packageOf(file string) string {
	if dir := filepath.ToSlash(filepath.Dir(file)); dir != "." {
		return dir
	}
	return "lede"
}

// shortName returns the path of a package inside the module, and the module of
// another package without its host.
func shortName(pkg string) string {
	switch {
	case pkg == module:
		return "lede"
	case strings.HasPrefix(pkg, module+"/"):
		return strings.TrimPrefix(pkg, module+"/")
	}
	f := strings.Split(pkg, "/")
	f[0] = strings.TrimSuffix(strings.TrimSuffix(f[0], "github.com"), "golang.org")
	return strings.TrimPrefix(strings.Join(f[:min(3, len(f))], "/"), "/")
}

func isImpure(pkg string) bool {
	return !slices.Contains(harmless, pkg) && slices.ContainsFunc(impure, func(p string) bool {
		return pkg == p || strings.HasPrefix(pkg, p+"/")
	})
}

// TestDependencies checks that a program which imports package lede gets x/net
// and x/text, and no other module and no network.
func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	for pkg := range strings.FieldsSeq(string(out)) {
		switch first, _, _ := strings.Cut(pkg, "/"); {
		case pkg == "net" || pkg == "net/http" || pkg == "os/exec" || pkg == "database/sql":
			t.Errorf("package lede depends on %s", pkg)
		case !strings.Contains(first, ".") || pkg == module || strings.HasPrefix(pkg, module+"/"):
		case strings.HasPrefix(pkg, "golang.org/x/net/") || strings.HasPrefix(pkg, "golang.org/x/text/"):
		default:
			t.Errorf("package lede depends on %s", pkg)
		}
	}
}

// TestServeDependencies checks that a program which imports package serve links neither
// Chromium's protocol nor what only the command needs.
func TestServeDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "./serve").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	for pkg := range strings.FieldsSeq(string(out)) {
		for _, unwanted := range []string{"github.com/chromedp/", "github.com/spf13/", "github.com/parquet-go/", module + "/internal/page/browser", module + "/internal/output/sink"} {
			if strings.HasPrefix(pkg, unwanted) {
				t.Errorf("package serve depends on %s", pkg)
			}
		}
	}
}

// TestSource checks what imports do not show: no package declares func init,
// and pure packages do not read the clock.
func TestSource(t *testing.T) {
	t.Parallel()
	list := folders(t)
	walkSource(t, func(name string, src []byte) {
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares func init, but importing a package does nothing", name)
			}
		}
		if in := find(list, packageOf(name)); in == nil || !in.pure {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(clock, x.Name+"."+sel.Sel.Name) {
					t.Errorf("%s uses %s.%s, but pure packages do not read the clock", name, x.Name, sel.Sel.Name)
				}
			}
			return true
		})
	})
}

// walkSource calls do for every file of Go outside tests.
func walkSource(t *testing.T, do func(name string, src []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || e.Name() == "bin") {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err == nil {
			do(name, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
