package styled_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/styled"
)

func body(out []byte) string {
	_, s, _ := strings.Cut(string(out), "<body>\n")
	return s
}

func TestNothing(t *testing.T) {
	for _, a := range []*article.Article{nil, {}, {Lang: "ar"}, {URL: "https://paper.example/x"}} {
		checkDocument(t, write(t, a, styled.Options{}))
	}
}

func TestHeadingsInOrder(t *testing.T) {
	h := func(level int) article.Block {
		return article.Block{Kind: article.Heading, Level: level, Spans: []article.Span{{Text: "x"}}}
	}
	a := &article.Article{Title: "x", Body: []article.Block{h(4), h(6), h(4), h(2), h(3), h(5), h(1)}}
	var got []string
	for _, s := range strings.Split(body(write(t, a, styled.Options{})), "\n") {
		if strings.HasPrefix(s, "<h") && len(s) > 4 && s[3] == '>' {
			got = append(got, s[1:3])
		}
	}
	if s := strings.Join(got, " "); s != "h1 h2 h3 h2 h2 h3 h4 h2" {
		t.Errorf("got %s", s)
	}
}

func TestDirection(t *testing.T) {
	for lang, want := range map[string]string{"ar": `<html lang="ar" dir="rtl">`, "he-IL": `<html lang="he-IL" dir="rtl">`, "ja": `<html lang="ja">`} {
		if out := write(t, &article.Article{Lang: lang, Title: "x"}, styled.Options{}); !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s: no %s", lang, want)
		}
	}
}

// TestWords holds which words are put beside pictures and players.
func TestWords(t *testing.T) {
	clip := func(c article.Clip) article.Block { return article.Block{Kind: article.Video, Video: &c} }
	pic := func(i article.Image) article.Block { return article.Block{Kind: article.Picture, Image: &i} }
	for _, c := range []struct {
		name, lang string
		block      article.Block
		want       string
	}{
		{"player with a title", "en", clip(article.Clip{URL: "https://v.example/embed/1", Title: "The storm"}), `<a href="https://v.example/embed/1"><span class="watch">The storm</span></a>`},
		{"player without", "de", clip(article.Clip{URL: "https://v.example/embed/1"}), `<span class="watch">Video ansehen</span>`},
		{"sound", "fr", clip(article.Clip{URL: "https://v.example/1.MP3"}), `<span class="watch">Écouter</span>`},
		{"still that is lost", "en", clip(article.Clip{URL: "https://v.example/1", Title: "The storm", Poster: "https://v.example/lost.png"}), `<a href="https://v.example/1"><span class="watch">The storm</span></a>`},
		{"still", "en", clip(article.Clip{URL: "https://v.example/1", Title: "The storm", Poster: "https://v.example/1.png"}), "alt=\"\" width=\"4\" height=\"3\"/>\n<span class=\"watch\">Watch the video: The storm</span></a>"},
		{"still without a title", "ja", clip(article.Clip{URL: "https://v.example/1", Poster: "https://v.example/1.png"}), `<span class="watch">動画を見る</span></a>`},
		{"still without a video", "en", clip(article.Clip{Title: "The storm", Poster: "https://v.example/1.png"}), `alt="The storm" width="4" height="3"/>`},
		{"in a language without words", "cy", clip(article.Clip{URL: "https://v.example/1"}), `<span class="watch"><span lang="en" dir="ltr">Watch the video</span></span>`},
		{"lost picture", "en", pic(article.Image{URL: "/lost.png", Alt: "A wall", Caption: "The wall."}), `<p class="missing"><a href="https://paper.example/lost.png">A wall</a></p>` + "\n<figcaption>The wall."},
		{"lost picture without words", "ru", pic(article.Image{URL: "/lost.png"}), `<a href="https://paper.example/lost.png">Изображение</a>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &article.Article{Title: "x", Lang: c.lang, URL: "https://paper.example/story", Body: []article.Block{c.block}}
			assets := styled.AssetsFunc(func(_ context.Context, url string) ([]byte, error) {
				if strings.Contains(url, "lost") {
					return nil, context.DeadlineExceeded
				}
				return pngOf(t, 4, 3), nil
			})
			out := write(t, a, styled.Options{Assets: assets})
			checkDocument(t, out)
			if !strings.Contains(body(out), c.want) {
				t.Errorf("no %s in\n%s", c.want, body(out))
			}
		})
	}
}

// TestStandfirstOnce holds that a page which repeats its standfirst in the
// story does not do so here.
func TestStandfirstOnce(t *testing.T) {
	a := smallStory()
	a.Standfirst = "First words of it."
	if out := body(write(t, a, styled.Options{})); strings.Count(out, "First words") != 1 {
		t.Error(out)
	}
}

func TestLinksAreAbsolute(t *testing.T) {
	out := write(t, smallStory(), styled.Options{URL: "https://paper.example/2024/story"})
	if !bytes.Contains(out, []byte(`<a href="https://paper.example/x">holds</a>`)) {
		t.Error(body(out))
	}
}

func TestDeep(t *testing.T) {
	b := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: "deep"}}}
	for range 5000 {
		b = article.Block{Kind: article.Table, Rows: [][]article.Cell{{{Blocks: []article.Block{b}}}}}
	}
	checkDocument(t, write(t, &article.Article{Title: "x", Body: []article.Block{b}}, styled.Options{}))
}
