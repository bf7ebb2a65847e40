package lede_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicPackages are the packages that others may import.
var publicPackages = []string{".", "article", "batch", "dom", "fetch", "follow", "format", "method", "serve", "site", "site/store", "stories", "stories/store", "warc"}

// TestAPI compares the exported names of all public packages with api.txt, so
// that a change of the public surface is seen in review. Run it with -update
// to record a change that is meant.
func TestAPI(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, pkg := range publicPackages {
		lines := exported(t, pkg)
		slices.Sort(lines)
		for _, l := range lines {
			fmt.Fprintf(&out, "pkg %s, %s\n", path.Join(path.Base(module), pkg), l)
		}
	}
	if *update {
		if err := os.WriteFile("api.txt", []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	got, old := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
	for _, l := range got {
		if !slices.Contains(old, l) {
			t.Errorf("new: %s", l)
		}
	}
	for _, l := range old {
		if !slices.Contains(got, l) {
			t.Errorf("gone: %s", l)
		}
	}
	if t.Failed() {
		t.Log("if the change is meant, record it with go test . -run TestAPI -update, and say it in CHANGELOG.md")
	}
}

// exported returns a line for each exported name of a package. It fails the
// test for names without a comment and for packages without an example.
func exported(t *testing.T, pkg string) (lines []string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	names, _ := filepath.Glob(filepath.Join(pkg, "*.go"))
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, path.Join(module, pkg))
	if err != nil {
		t.Fatal(err)
	}
	if p.Doc == "" {
		t.Errorf("package %s has no comment", pkg)
	}
	examples := len(p.Examples)
	add := func(comment, format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		lines = append(lines, line)
		if strings.TrimSpace(comment) == "" {
			t.Errorf("package %s: no comment for %s", pkg, line)
		}
	}
	funcs := func(list []*doc.Func) {
		for _, f := range list {
			examples += len(f.Examples)
			add(f.Doc, "%s", source(fset, &ast.FuncDecl{Recv: f.Decl.Recv, Name: f.Decl.Name, Type: f.Decl.Type}))
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, s := range v.Decl.Specs {
				s := s.(*ast.ValueSpec)
				for _, n := range s.Names {
					if n.IsExported() {
						add(v.Doc+s.Doc.Text()+s.Comment.Text(), "%s %s", v.Decl.Tok, n.Name)
					}
				}
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		examples += len(typ.Examples)
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		switch def := spec.Type.(type) {
		case *ast.StructType:
			add(typ.Doc, "type %s struct", typ.Name)
			for _, f := range def.Fields.List {
				for _, n := range f.Names {
					if n.IsExported() {
						add(typ.Doc, "type %s struct, %s %s", typ.Name, n.Name, source(fset, f.Type))
					}
				}
			}
		case *ast.InterfaceType:
			add(typ.Doc, "type %s interface", typ.Name)
			for _, f := range def.Methods.List {
				for _, n := range f.Names {
					add(f.Doc.Text(), "type %s interface, %s%s", typ.Name, n.Name, strings.TrimPrefix(source(fset, f.Type), "func"))
				}
			}
		default:
			alias := ""
			if spec.Assign.IsValid() {
				alias = "= "
			}
			add(typ.Doc, "type %s %s%s", typ.Name, alias, source(fset, def))
		}
	}
	if examples == 0 {
		t.Errorf("package %s has no runnable example", pkg)
	}
	return lines
}

// source prints a node in one line.
func source(fset *token.FileSet, node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
