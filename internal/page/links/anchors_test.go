package links

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadAnchors(t *testing.T) {
	file := "\uFEFFhttps://quay.example/one\tThe cranes are back\r\n" +
		"# a comment\n\n" +
		`{"url":"https://quay.example/two","text":"Ferry runs aground","story":true}` + "\n" +
		"https://quay.example/three\tRead more\n" +
		"http://www.quay.example/three/\tThree boats sink\n" +
		"https://quay.example/four\t\n" +
		"https://quay.example/five\n" +
		"quay.example/six\tSix swans\n" +
		"https://quay.example/seven Seven seals\n" +
		`{"url":"https://quay.example/eight",` + "\n" +
		`{"text":"Nine nets"}` + "\n" +
		"https://quay.example/ten\t" + strings.Repeat("x", maxLine) + "\n" +
		"https://quay.example/eleven\t" + strings.Repeat("long ", 1000) + "\n" +
		"https://quay.example/last\tThe last line"
	var texts Texts
	var bad []string
	if err := texts.ReadAnchors(strings.NewReader(file), "a.tsv", func(err error) { bad = append(bad, err.Error()) }); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"one": "The cranes are back", "two": "Ferry runs aground", "three": "Three boats sink", "four": "", "five": "", "six": "", "seven": "", "last": "The last line",
	} {
		if got := texts.Find("https://quay.example/" + address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
	if got := texts.Find("https://quay.example/eleven"); len(got) > maxText || !strings.HasPrefix(got, "long long") {
		t.Errorf("a text of %d bytes", len(got))
	}
	want := []string{
		`a.tsv:9: "quay.example/six" is not an http or https address`,
		`a.tsv:10: no tab between address and text`,
		`a.tsv:11: invalid JSON: unexpected end of JSON input`,
		`a.tsv:12: "" is not an http or https address`,
		fmt.Sprintf(`a.tsv:13: the line is longer than %d bytes`, maxLine),
	}
	if !slices.Equal(bad, want) {
		t.Errorf("got %q\nwant %q", bad, want)
	}
	broken := errors.New("broken")
	err := texts.ReadAnchors(io.MultiReader(strings.NewReader("https://quay.example/a\tA b\n"), iotest.ErrReader(broken)), "a.tsv", nil)
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "a.tsv: ") {
		t.Errorf("got %v", err)
	}
}

// endless is an anchor file without an end.
type endless struct {
	n    int
	rest []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.rest) < len(p) {
		e.n++
		e.rest = fmt.Appendf(e.rest, "https://quay.example/news/2024/05/a-story-with-a-long-address-%d.html\tThe cranes of the harbour are back for story %d\n", e.n, e.n)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestReadAnchorsLimit(t *testing.T) {
	texts := Texts{limit: 8 << 20}
	err := texts.ReadAnchors(&endless{}, "endless.tsv", func(err error) { t.Error(err) })
	if !errors.Is(err, ErrTooMany) || !strings.HasPrefix(err.Error(), "endless.tsv:") {
		t.Fatalf("got %v", err)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d addresses, %d MB of heap", texts.Len(), m.HeapAlloc>>20)
	if m.HeapAlloc > 20<<20 {
		t.Errorf("%d MB of heap for %d MB of addresses and texts", m.HeapAlloc>>20, texts.limit>>20)
	}
	runtime.KeepAlive(&texts)
}

func FuzzReadAnchors(f *testing.F) {
	f.Add("https://quay.example/one\tThe cranes are back\n{\"url\":\"https://quay.example/two\",\"text\":\"Ferry\"}\n#\n\n x")
	f.Fuzz(func(t *testing.T, file string) {
		var texts Texts
		bad := 0
		if err := texts.ReadAnchors(strings.NewReader(file), "f", func(error) { bad++ }); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(file, "\n") + 1; texts.Len()+bad > n {
			t.Errorf("%d links and %d errors in %d lines", texts.Len(), bad, n)
		}
	})
}
