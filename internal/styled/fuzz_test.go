package styled_test

import (
	"testing"

	"github.com/lede-news/lede/internal/styled"
)

// FuzzStyles holds that no value of a page's styles gets out of its place.
func FuzzStyles(f *testing.F) {
	for _, v := range append(lines(f, "testdata/css.txt"), lines(f, "../../format/testdata/xss.txt")...) {
		f.Add(v)
	}
	for _, v := range []string{`Georgia, "Times New Roman"`, "italic 700 38px/1.15 Georgia, serif", "rgb(1 2 3 / 50%)", "1.5em", "center"} {
		f.Add(v)
	}
	d, a := parse(f, small), smallStory()
	parts := styled.Find(d, a)
	f.Fuzz(func(t *testing.T, v string) {
		for _, l := range []styled.Look{
			styled.LookFrom(d, everywhere(v), parts), markupLook(t, v, a), {Headline: styled.Face{Families: []string{v}}},
		} {
			checkDocument(t, write(t, a, styled.Options{Look: l}))
		}
	})
}

// FuzzWrite holds that no words of an article and no bytes of a picture get
// out of theirs.
func FuzzWrite(f *testing.F) {
	for _, v := range lines(f, "../../format/testdata/xss.txt") {
		f.Add(v, []byte(v))
	}
	f.Add("A wall", pngOf(f, 3, 2))
	f.Add("https://img.example/a.gif", []byte("GIF89a\x02\x00\x03\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff;"))
	f.Add("ar", webp("VP8X", "\x00\x00\x00\x00\x0f\x00\x00\x0b\x00\x00"))
	f.Add("x", append(box("ftyp", []byte("avif\x00\x00\x00\x00avifmif1")), ispe(16, 9)...))
	f.Fuzz(func(t *testing.T, words string, picture []byte) {
		checkDocument(t, write(t, stuffed(words), styled.Options{Assets: always(picture), URL: words}))
	})
}
