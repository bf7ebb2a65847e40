package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestMalformed checks the mapping of malformed pages.
func TestMalformed(t *testing.T) {
	b := openShared(t)
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
			if _, err := checkMapping(t.Context(), b, page); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRealPages checks the mapping of a sample of the corpora.
func TestRealPages(t *testing.T) {
	step := 397
	switch {
	case os.Getenv("LEDE_BROWSER_CORPORA") != "":
		step = 1
	case testing.Short():
		step = 1013
	}
	files := testkit.CorpusFiles(t, step, "*")
	b := openShared(t)
	var pages, texts, elements int
	for _, file := range files {
		n, err := checkMapping(t.Context(), b, testkit.Gunzip(t, file))
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
	t.Logf("%d pages, %d elements, %d texts", pages, elements, texts)
}

type tally struct{ elements, texts int }

// checkMapping checks that each node of the document has exactly one node in
// Chromium, with the same name or text and the same parent.
func checkMapping(ctx context.Context, b *Browser, page []byte) (tally, error) {
	var n tally
	doc, err := dom.Parse(ctx, page, dom.Options{})
	if err != nil {
		return n, err
	}
	tree := newTree(doc, false)
	if err := b.acquire(ctx); err != nil {
		return n, err
	}
	defer b.release()
	tab, err := b.takeTab(ctx)
	if err != nil {
		return n, err
	}
	s, err := b.show(ctx, tab, tree, "")
	b.returnTab(tab, err)
	if err != nil {
		return n, err
	}
	places, err := tree.match(s)
	if err != nil {
		return n, err
	}
	in := make([]int, doc.Len()) // by node: index in the snapshot, or 0
	nodes := s.Documents[0].Nodes
	for i, at := range places {
		if at < 0 || tree.nodes[at].id == dom.None {
			continue
		}
		id := tree.nodes[at].id
		if in[id] != 0 {
			return n, errors.New("two nodes in Chromium for one")
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
				return n, errors.New("different text: " + value)
			}
		} else {
			n.elements++
			if !strings.EqualFold(name, doc.Name(id)) {
				return n, errors.New("different element: " + name + " for " + doc.Name(id))
			}
		}
		if up := doc.Parent(id); up != 0 && int(nodes.Parent[i]) != in[up] {
			return n, errors.New("different parent of " + doc.PathName(doc.Path(id)))
		}
	}
	return n, nil
}

// TestQuirks checks that the doctype sets the mode of the page. In quirks mode, a
// table does not inherit the font size.
func TestQuirks(t *testing.T) {
	b := openShared(t)
	for doctype, want := range map[string]float64{
		"": 16, "<!DOCTYPE html>": 40,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`:                                                           16,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`:                                40,
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`: 40,
	} {
		p := layOut(t, b, doctype+`<div style="font-size:40px"><table><tr><td id=x>words</table></div>`)
		if got := p.Layout.Fonts[find(t, p.Doc, "x")].Size; got != want {
			t.Errorf("%q: font size %v, want %v", doctype, got, want)
		}
	}
}

func TestPartOfPage(t *testing.T) {
	b := openShared(t)
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
		t.Errorf("width %v", got)
	}
}
