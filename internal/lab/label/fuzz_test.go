package label

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// FuzzFind marks a node of a page and finds it on the same page and on another.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"harbour", "market", "hostile"} {
		f.Add(source(f, name), source(f, "harbour"), uint(20))
	}
	f.Add("<p>a<p>a<p>a", "<div><p>a</div>", uint(4))
	f.Fuzz(func(t *testing.T, page, other string, which uint) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
		if err != nil || d.Len() < 2 {
			return
		}
		n := dom.Node(1 + which%uint(d.Len()-1))
		m := NewMark(d, n, Box{})
		if err := m.check(); err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		if d.IsText(n) {
			n = d.Parent(n)
		}
		if at, match := Find(d, m); at != n || match != Exact {
			t.Fatalf("%s is %d, %v, not %d", m.Path, at, match, n)
		}
		if d, err = dom.Parse(context.Background(), []byte(other), dom.Options{}); err != nil {
			return
		}
		if at, match := Find(d, m); (at == dom.None) != (match == Lost) || int(at) >= d.Len() {
			t.Fatalf("%d, %v", at, match)
		}
	})
}

// FuzzReadLabels checks that valid labels are the same after writing and reading.
func FuzzReadLabels(f *testing.F) {
	f.Add([]byte(`{"page":"a","done":true}` + "\n\n" + `{"page":"b","title":{"path":"/html[1]","hash":"0123456789abcdef","chars":1,"text":"a","box":[1,2,3,4]},"done":false,"saved":"2026-03-02T00:00:00Z"}`))
	f.Add([]byte("\uFEFF{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := readLabels("labels.jsonl", bytes.NewReader(text))
		if err != nil {
			if !errors.Is(err, ErrBadLabels) || !strings.HasPrefix(err.Error(), "labels.jsonl:") {
				t.Fatal(err)
			}
			return
		}
		var b bytes.Buffer
		for _, l := range list {
			if err := l.write(&b); err != nil {
				t.Fatal(err)
			}
		}
		again, err := readLabels("again", &b)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%v: %s", err, b.Bytes())
		}
		for i := range list {
			if list[i].content() != again[i].content() {
				t.Fatalf("%s, %s", list[i].content(), again[i].content())
			}
		}
	})
}
