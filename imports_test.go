package lede_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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

// unlisted are the packages that may import anything.
var unlisted = []string{"cmd/lede"}

// rule is a row of the tables of packages in ARCHITECTURE.md.
type rule struct {
	pure    bool
	imports []string
}

// rules reads the tables of packages in ARCHITECTURE.md.
func rules(t *testing.T) map[string]rule {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("^\\| `([^`]+)` \\|[^|]*\\| ([^|]*) \\|$")
	found := map[string]rule{}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			section = line
		}
		m := row.FindStringSubmatch(line)
		if m == nil || section != "### Pure packages" && section != "### Other packages" {
			continue
		}
		r := rule{pure: section == "### Pure packages"}
		if m[2] != "—" {
			r.imports = strings.Split(m[2], ", ")
		}
		found[m[1]] = r
	}
	return found
}

// TestImports compares the imports of every package with ARCHITECTURE.md, and
// checks that pure packages import no package that does input or output.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	rules := rules(t)
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		pkg := shortName(f[0])
		r, listed := rules[pkg]
		delete(rules, pkg)
		if !listed {
			if !slices.Contains(unlisted, pkg) {
				t.Errorf("%s is missing from the tables of packages in ARCHITECTURE.md", pkg)
			}
			continue
		}
		var imports []string
		for _, imp := range f[1:] {
			if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
				imports = append(imports, shortName(imp))
			} else if r.pure && isImpure(imp) {
				t.Errorf("%s imports %s, but is listed as a pure package", pkg, imp)
			}
		}
		slices.Sort(imports)
		imports = slices.Compact(imports)
		if !slices.Equal(imports, r.imports) {
			t.Errorf("%s: ARCHITECTURE.md lists the imports\n\t%s\nbut the package imports\n\t%s", pkg, strings.Join(r.imports, ", "), strings.Join(imports, ", "))
		}
		for _, imp := range imports {
			if to, ok := rules[imp]; r.pure && ok && !to.pure {
				t.Errorf("%s is pure, but imports %s, which is not", pkg, imp)
			}
		}
	}
	for pkg := range rules {
		t.Errorf("ARCHITECTURE.md lists %s, which does not exist", pkg)
	}
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
	out, err := exec.Command("go", "list", "-deps", "./serve").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	for pkg := range strings.FieldsSeq(string(out)) {
		for _, unwanted := range []string{"github.com/chromedp/", "github.com/spf13/", "github.com/parquet-go/", module + "/internal/page/browser", module + "/internal/output/sink", module + "/internal/lab/eval"} {
			if strings.HasPrefix(pkg, unwanted) {
				t.Errorf("package serve depends on %s", pkg)
			}
		}
	}
}

// TestSource checks what imports do not show: no package declares func init,
// and pure packages do not read the clock.
func TestSource(t *testing.T) {
	rules := rules(t)
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
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares func init, but importing a package does nothing", name)
			}
		}
		if !rules[filepath.ToSlash(filepath.Dir(name))].pure {
			return nil
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(clock, x.Name+"."+sel.Sel.Name) {
					t.Errorf("%s uses %s.%s, but pure packages do not read the clock", name, x.Name, sel.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
