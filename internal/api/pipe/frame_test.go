package pipe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// TestBadFrames checks inputs that are no sequence of frames. The requests before them are
// answered.
func TestBadFrames(t *testing.T) {
	t.Parallel()
	good := encode(object{"id": 7, "do": "extract"}, page)
	sizes := func(head, body uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, head), body)
	}
	failed := errors.New("the disk is gone")
	for name, in := range map[string]io.Reader{
		"half of the sizes": bytes.NewReader(good[:5]), "no head": bytes.NewReader(good[:8]), "half of the head": bytes.NewReader(good[:12]),
		"no body": bytes.NewReader(good[:8+24]), "half of the body": bytes.NewReader(good[:len(good)-1]),
		"a large head": bytes.NewReader(sizes(maxHead+1, 0)), "text": strings.NewReader("GET / HTTP/1.1\r\n\r\n"),
		"half of a large body": io.MultiReader(bytes.NewReader(sizes(24, 1<<31)), bytes.NewReader(good[8:])),
		"a failing reader":     io.MultiReader(bytes.NewReader(good[:20]), failingReader{failed}),
	} {
		var out bytes.Buffer
		err := Serve(t.Context(), io.MultiReader(bytes.NewReader(good), in), &out, testOptions(t))
		if !errors.Is(err, errFrame) && !errors.Is(err, failed) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := decode(&out); err != nil {
			t.Fatal(err)
		}
		if a, err := decode(&out); err != nil || a.ID != 7 || a.Error != "" || out.Len() > 0 {
			t.Errorf("%s: %v, %s, and %d more bytes", name, err, a.head, out.Len())
		}
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// TestTooLarge checks that a page that is too large is skipped, and the next is read.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	opts.MaxBytes = 2000
	var in bytes.Buffer
	in.Write(encode(object{"id": 1, "do": "extract"}, strings.Repeat("x", 2001)))
	in.Write(encode(object{"id": 2, "do": "extract"}, strings.Repeat("x", 1<<20)))
	in.Write(encode(object{"id": 3, "do": "extract"}, page))
	in.Write(encode(object{"id": 4, "do": "format", "format": "text"}, `{"title":"`+strings.Repeat("x", 9000)+`"}`)) // an article may be larger
	in.Write(encode(object{"id": 5, "do": "format", "format": "text"}, strings.Repeat(" ", int(articleBytes(2000))+1)))
	in.Write(encode(object{"id": 6, "do": "extract", "colour": "red"}, strings.Repeat("x", 5000)))
	answers, err := serveAll(t, opts, in.Bytes())
	all := byID(t, answers)
	if err != nil || len(all) != 6 {
		t.Fatal(err, answers)
	}
	for id, kind := range map[int64]string{1: "too-large", 2: "too-large", 3: "", 4: "", 5: "too-large", 6: "option"} {
		if all[id].Kind != kind {
			t.Errorf("request %d: %s", id, all[id].head)
		}
	}
	if text := all[1].Error; !strings.Contains(text, "2001 bytes") || !strings.Contains(text, "--max-bytes") {
		t.Error(text)
	}
}

// TestSizesTakeNoMemory checks that a size alone takes no memory: only bytes that have
// arrived do.
func TestSizesTakeNoMemory(t *testing.T) {
	opts := testOptions(t)
	opts.MaxBytes = 1 << 40 // more than any size
	head := `{"id":1,"do":"extract"}`
	in := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(head))), 1<<32-1)
	in = append(in, head...)
	in = append(in, bytes.Repeat([]byte("x"), 5<<20)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := serveAll(t, opts, in); !errors.Is(err, errFrame) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("5 MB of a page that claims to have 4 GB took %d MB", used>>20)
	}
}

// FuzzServe checks that any input is answered: each complete frame exactly once, by its
// number, with heads and kinds as they are documented.
func FuzzServe(f *testing.F) {
	for _, head := range []any{
		object{"id": 1, "do": "extract", "url": "https://paper.example/", "with": []string{"comments"}}, object{"id": 2, "do": "links", "url": "https://paper.example/"},
		object{"id": 3, "do": "format", "format": "md"}, object{"id": 4, "do": "fetch", "url": "https://paper.example/"}, object{"id": 5, "do": "extract", "explain": true, "format": "styled"}, "{", "[1]", "",
	} {
		f.Add(append(encode(head, page), encode(head, `{"title":"A","body":[{"kind":"list","items":[[]]}]}`)...))
		f.Add(append(encode(head, ""), 0, 0, 1))
	}
	f.Add([]byte("\x00\x20\x00\x00\x00\x00\x00\x00"))
	opts := testOptions(f)
	opts.MaxBytes = 4096
	f.Fuzz(func(t *testing.T, in []byte) {
		frames := 0
		rest := in
		var broken bool
		for len(rest) > 0 {
			if len(rest) < 8 {
				broken = true
				break
			}
			head, size := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
			if broken = head > maxHead || int64(len(rest)) < 8+head+size; broken {
				break
			}
			rest = rest[8+head+size:]
			frames++
		}
		answers, err := serveAll(t, opts, in)
		if broken != errors.Is(err, errFrame) || !broken && err != nil || len(answers) != frames {
			t.Errorf("%d frames have %d answers: %v", frames, len(answers), err)
		}
		for _, a := range answers {
			if (a.Error == "") != (a.Kind == "") || a.Kind != "" && a.body != "" || a.Kind == "crash" || a.ID < 0 || a.ID == 0 && a.Error == "" {
				t.Errorf("answer %s", a.head)
			}
		}
	})
}
