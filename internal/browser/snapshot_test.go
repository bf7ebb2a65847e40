package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/testkit"
)

// TestMalformed proves the mapping on pages that two parsers would read in two
// ways.
func TestMalformed(t *testing.T) {
	b := common(t)
	files, err := filepath.Glob("testdata/malformed/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages: ", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := proveMapping(t.Context(), b, page); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRealPages does so on pages as they are, a sample of every corpus.
func TestRealPages(t *testing.T) {
	step := 397
	switch {
	case os.Getenv("LEDE_BROWSER_CORPORA") != "":
		step = 1
	case testing.Short():
		step = 1013
	}
	files := testkit.CorpusFiles(t, step, "*")
	b := common(t)
	var pages, texts, elements int
	for _, file := range files {
		n, err := proveMapping(t.Context(), b, testkit.Gunzip(t, file))
		if errors.Is(err, dom.ErrNotHTML) || errors.Is(err, dom.ErrEmpty) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		pages++
		texts += n.texts
		elements += n.elements
	}
	t.Logf("%d pages: all of their %d elements and %d texts have their node", pages, elements, texts)
}

type tally struct{ elements, texts int }

// proveMapping checks from outside what match promises: that each node of the
// document, elements and texts, has exactly one node in Chromium, with the same
// name or text and under the same parent.
func proveMapping(ctx context.Context, b *Browser, page []byte) (tally, error) {
	var n tally
	doc, err := dom.Parse(ctx, page, dom.Options{})
	if err != nil {
		return n, err
	}
	tree := uproot(doc, false)
	if err := b.enter(ctx); err != nil {
		return n, err
	}
	defer b.leave()
	tab, err := b.borrow(ctx)
	if err != nil {
		return n, err
	}
	s, err := b.show(ctx, tab, tree, "")
	b.giveBack(tab, err)
	if err != nil {
		return n, err
	}
	places, err := tree.match(s)
	if err != nil {
		return n, err
	}
	in := make([]int, doc.Len()) // by node: place in the snapshot, 0 for none
	nodes := s.Documents[0].Nodes
	for i, at := range places {
		if at < 0 || tree.nodes[at].id == dom.None {
			continue
		}
		id := tree.nodes[at].id
		if in[id] != 0 {
			return n, errors.New("two nodes for one")
		}
		in[id] = i
	}
	for id := dom.Node(1); int(id) < doc.Len(); id++ {
		i := in[id]
		if i == 0 {
			return n, errors.New("no node for " + doc.PathName(doc.Path(id)))
		}
		name, value := s.string(nodes.Name[i]), s.string(nodes.Value[i])
		if doc.IsText(id) {
			n.texts++
			if name != "#text" || value != strings.ToValidUTF8(doc.HTML(id).Data, "\uFFFD") {
				return n, errors.New("another text: " + value)
			}
		} else {
			n.elements++
			if !strings.EqualFold(name, doc.Name(id)) {
				return n, errors.New("another element: " + name + " for " + doc.Name(id))
			}
		}
		if up := doc.Parent(id); up != 0 && int(nodes.Parent[i]) != in[up] {
			return n, errors.New("another parent for " + doc.PathName(doc.Path(id)))
		}
	}
	return n, nil
}

// TestQuirks checks that a page keeps the mode that its doctype gives it: in
// quirks, a table does not take the size of type around it.
func TestQuirks(t *testing.T) {
	b := common(t)
	for doctype, want := range map[string]float64{
		"": 16, "<!DOCTYPE html>": 40,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`:                                                           16,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`:                                40,
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`: 40,
	} {
		p := lay(t, b, doctype+`<div style="font-size:40px"><table><tr><td id=x>words</table></div>`)
		if got := p.Layout.Fonts[find(t, p.Doc, "x")].Size; got != want {
			t.Errorf("%q: set in %v, not %v", doctype, got, want)
		}
	}
}

func TestPartOfAPage(t *testing.T) {
	b := common(t)
	whole := parse(t, `<!doctype html><div id=x style="width:300px">words <b>bold</b></div>`)
	part, err := dom.FromNode(whole.HTML(find(t, whole, "x")), dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Layout(t.Context(), part, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Layout.Box(find(t, part, "x")).W; got != 300 {
		t.Errorf("the part is %v wide", got)
	}
}
