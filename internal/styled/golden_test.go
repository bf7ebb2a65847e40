package styled_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/styled"
)

var update = flag.Bool("update", false, "write the golden files anew")

// story reads an article that package format is tested with.
func story(t testing.TB, name string) *article.Article {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var a article.Article
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

// dusk is a look that sets everything.
var dusk = styled.Look{
	Ground:     styled.RGB(0x15, 0x1d, 0x26),
	Link:       styled.RGB(0x7c, 0xb8, 0xff),
	Headline:   styled.Face{Families: []string{"Playfair Display", "Georgia", "serif"}, Size: 40, Weight: 900, Color: styled.RGB(0xff, 0xe9, 0xc9), Leading: 1.1, Align: styled.Center, Case: styled.Uppercase, Spacing: 0.02},
	Standfirst: styled.Face{Families: []string{"Georgia"}, Size: 22, Weight: 400, Italic: true, Color: styled.RGB(0xc9, 0xd4, 0xe0), Leading: 1.4, Align: styled.Center},
	Byline:     styled.Face{Families: []string{"Verdana", "sans-serif"}, Size: 14, Weight: 700, Color: styled.RGB(0xa0, 0xb0, 0xc0), Leading: 1.4},
	Lede:       styled.Face{Size: 21, Weight: 700, Ground: styled.RGB(0x22, 0x2e, 0x3c)},
	Body:       styled.Face{Families: []string{"Verdana", "sans-serif"}, Size: 17, Weight: 400, Color: styled.RGB(0xe6, 0xed, 0xf3), Leading: 1.65, Align: styled.Justify},
	Heading:    styled.Face{Families: []string{"Georgia", "serif"}, Size: 26, Weight: 700, Color: styled.RGB(0xff, 0xe9, 0xc9), Leading: 1.2},
	Quote:      styled.Face{Size: 20, Italic: true, Color: styled.RGB(0x11, 0x11, 0x11), Ground: styled.RGB(0xff, 0xe9, 0xc9)},
	Caption:    styled.Face{Size: 13, Color: styled.RGB(0x90, 0xa0, 0xb0)},
}

var goldens = []struct {
	story string
	opts  styled.Options
}{
	{"english", styled.Options{Look: dusk, Assets: styled.Folder(os.DirFS("testdata/assets"))}},
	{"arabic", styled.Options{}},
	{"japanese", styled.Options{Look: styled.Look{Ground: styled.RGB(0xfb, 0xfa, 0xf7), Body: styled.Face{Families: []string{"ヒラギノ明朝 ProN", "Yu Mincho"}, Leading: 1.9}}}},
}

func write(t testing.TB, a *article.Article, opts styled.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := styled.Write(context.Background(), &b, a, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.story, func(t *testing.T) {
			got := write(t, story(t, g.story), g.opts)
			checkDocument(t, got)
			golden := filepath.Join("testdata", g.story+".golden.html")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (go test -update writes it)", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s (go test -update accepts it); got:\n%s", golden, got)
			}
		})
	}
}
