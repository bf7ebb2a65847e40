package styled_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/story/styled"
)

func always(data []byte) styled.Assets {
	return styled.Assets(func(context.Context, string) ([]byte, error) { return data, nil })
}

func pngOf(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// noise is a PNG of at least so many bytes.
func noise(t testing.TB, bytesAtLeast int) []byte {
	t.Helper()
	im := image.NewGray(image.Rect(0, 0, 1024, bytesAtLeast/1024+1))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range im.Pix {
		im.Pix[i] = uint8(r.Uint32())
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, im); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pictures(urls ...string) *article.Article {
	a := &article.Article{Title: "Pictures", Lang: "en"}
	for i, u := range urls {
		a.Body = append(a.Body, article.Block{Kind: article.Picture, Image: &article.Image{URL: u, Alt: fmt.Sprint("picture ", i), Caption: "A caption."}})
	}
	return a
}

// box is a box of an AVIF file.
func box(kind string, body ...[]byte) []byte {
	b := bytes.Join(body, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(b)+8)), kind...), b...)
}

func ispe(w, h uint32) []byte {
	return box("ispe", make([]byte, 4), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h))
}

func webp(chunk, body string) []byte {
	return []byte("RIFF\x00\x01\x00\x00WEBP" + chunk + "\x00\x01\x00\x00" + body + strings.Repeat("\x00", 20))
}

func TestPicturesByTheirBytes(t *testing.T) {
	gif := "GIF89a\x02\x00\x03\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff;"
	for name, c := range map[string]struct {
		data []byte
		want string // media type; empty if refused
	}{
		"png":                {pngOf(t, 3, 2), "image/png"},
		"gif":                {[]byte(gif), "image/gif"},
		"gif with a script":  {[]byte(gif + "<script>alert(1)</script>"), "image/gif"},
		"webp":               {webp("VP8X", "\x00\x00\x00\x00\x0f\x00\x00\x0b\x00\x00"), "image/webp"},
		"webp lossless":      {webp("VP8L", "\x2f\x0f\xc0\x02\x00"), "image/webp"},
		"webp lossy":         {webp("VP8 ", "\x00\x00\x00\x9d\x01\x2a\x10\x00\x0c\x00"), "image/webp"},
		"avif":               {append(box("ftyp", []byte("avif\x00\x00\x00\x00avifmif1")), box("meta", ispe(16, 9))...), "image/avif"},
		"mp4":                {append(box("ftyp", []byte("isom\x00\x00\x00\x00isom")), ispe(16, 9)...), ""},
		"png cut off":        {pngOf(t, 3, 2)[:20], ""},
		"svg with a script":  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>`), ""},
		"svg after a prolog": {[]byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`), ""},
		"html":               {[]byte("<!DOCTYPE html><script>alert(1)</script>"), ""},
		"empty":              {nil, ""},
		"jpeg that is none":  {[]byte("\xff\xd8\xff<script>"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := write(t, pictures("https://img.example/a.png"), styled.Options{Assets: []styled.Assets{always(c.data)}})
			checkDocument(t, out)
			got := bytes.Contains(out, []byte(`<img src="data:`+c.want+`;base64,`))
			if c.want != "" && !got || c.want == "" && bytes.Contains(out, []byte("<img")) {
				t.Errorf("%s", out[bytes.Index(out, []byte("<body>")):])
			}
			if c.want == "" && !bytes.Contains(out, []byte(`<span class="missing"><a href="https://img.example/a.png">picture 0</a></span>`)) {
				t.Error("its words are lost")
			}
		})
	}
}

func TestLimits(t *testing.T) {
	t.Run("one", func(t *testing.T) {
		if out := write(t, pictures("https://img.example/a"), styled.Options{Assets: []styled.Assets{always(noise(t, styled.MaxPicture))}}); bytes.Contains(out, []byte("<img")) {
			t.Error("a picture past the limit is in the file")
		}
	})
	t.Run("all", func(t *testing.T) {
		one := noise(t, styled.MaxPicture-16<<10)
		var urls []string
		for i := range 12 {
			urls = append(urls, fmt.Sprintf("https://img.example/%d", i))
		}
		out := write(t, pictures(urls...), styled.Options{Assets: []styled.Assets{always(one)}})
		if got := bytes.Count(out, []byte("<img")); got != styled.MaxPictures/len(one) {
			t.Errorf("%d pictures of %d bytes are in the file", got, len(one))
		}
	})
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	asset := styled.Assets(func(ctx context.Context, _ string) ([]byte, error) {
		cancel()
		return nil, ctx.Err()
	})
	x := explain(t, pageOf(t, pictures("https://img.example/a", "https://img.example/b")))
	err := styled.Write(ctx, &bytes.Buffer{}, x.Document(), x.Article, x.Nodes(), styled.Options{Assets: []styled.Assets{asset}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFolder(t *testing.T) {
	files := fstest.MapFS{
		"img.example/a/b.png":   {Data: []byte("host and path")},
		"img.example/q.png?w=1": {Data: []byte("query")},
		"c/d.png":               {Data: []byte("path")},
		"e.png":                 {Data: []byte("name")},
		"The wall_files/f.png":  {Data: []byte("saved")},
		"g h.png":               {Data: []byte("escaped")},
		"large.png":             {Data: make([]byte, styled.MaxPicture+1)},
		"dir.png/x":             {Data: []byte("in a folder")},
		"pipe.png":              {Mode: fs.ModeNamedPipe},
		"etc/passwd":            {Data: []byte("path of another root")},
		"gone":                  {Data: []byte("grows"), ModTime: time.Time{}},
	}
	f := styled.Folder(files)
	for url, want := range map[string]string{
		"https://img.example/a/b.png":        "host and path",
		"https://img.example/q.png?w=1":      "query",
		"https://cdn.example/c/d.png?v=2#x":  "path",
		"https://cdn.example/z/e.png":        "name",
		"https://cdn.example/z/f.png":        "saved",
		"The%20wall_files/f.png":             "saved",
		"https://cdn.example/g%20h.png":      "escaped",
		"https://x.example/../../etc/passwd": "path of another root",
		"https://img.example/none.png":       "",
		"https://img.example/dir.png":        "",
		"https://img.example/pipe.png":       "",
		"https://img.example/":               "",
		"../e.png":                           "name",
		"":                                   "",
	} {
		data, err := f(context.Background(), url)
		if string(data) != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; want %q", url, data, err, want)
		}
	}
	if _, err := f(context.Background(), "https://img.example/large.png"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("too large a file: %v", err)
	}
}

// TestFolderStaysInside checks that nothing outside of a folder on disk can be read.
func TestFolderStaysInside(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	if err := os.Mkdir(inside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "secret.png"), []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.png", filepath.Join(inside, "link.png")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f := styled.Folder(root.FS())
	for _, url := range []string{
		"https://x.example/link.png", "https://x.example/../secret.png", "https://x.example/%2e%2e/secret.png", "../secret.png", "..%2fsecret.png", `..\secret.png`,
	} {
		if data, err := f(context.Background(), url); err == nil {
			t.Errorf("%s gives %q", url, data)
		}
	}
}

func TestFirstAssets(t *testing.T) {
	none := styled.Assets(func(context.Context, string) ([]byte, error) { return nil, errors.New("no") })
	out := write(t, pictures("https://img.example/a"), styled.Options{Assets: []styled.Assets{none, always(pngOf(t, 4, 3))}})
	if !bytes.Contains(out, []byte(`width="4" height="3"`)) {
		t.Error("the second source is not used")
	}
}
