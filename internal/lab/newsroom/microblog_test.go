package newsroom

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMicroblogs(t *testing.T) {
	t.Parallel()
	room := Microblogs(1)
	for _, s := range room.Sites() {
		t.Run(s.Name, func(t *testing.T) {
			short, texts := 0, map[string]bool{}
			for i := range 200 {
				p := s.Page(i)
				g, text := p.Gold, pageText(t, p.HTML)
				if n := utf8.RuneCountInString(g.Text); n > s.config.Post || n < 8 {
					t.Errorf("%s: a post of %d characters", g.ID, n)
				} else if n < s.config.Post/3 {
					short++
				}
				if !strings.Contains(text, squeeze(g.Text)) {
					t.Errorf("%s: the post is not on the page: %q", g.ID, g.Text)
				}
				if !strings.HasPrefix(strings.TrimPrefix(g.Text, "【"), g.Title) || len(g.Authors) != 1 || g.Date == "" {
					t.Errorf("%s: gold %+v", g.ID, g)
				}
				if len(g.Comments) == 0 || len(g.Without) < 3 {
					t.Errorf("%s: nothing around the post: %+v", g.ID, g)
				}
				for _, w := range append(g.Without, g.Comments...) {
					if !strings.Contains(text, squeeze(w)) || strings.Contains(g.Text, w) {
						t.Errorf("%s: %q is not on the page, or in the post", g.ID, w)
					}
				}
				texts[g.Text] = true
			}
			if short < 20 || short > 150 {
				t.Errorf("%d of 200 posts are short", short)
			}
			if len(texts) < 195 {
				t.Errorf("only %d different posts", len(texts))
			}
			home := s.Index("")
			if len(home.Gold.Links) != 30 || home.Gold.Links[7].URL != s.Page(7).Gold.URL || home.Gold.Links[7].Title != s.Page(7).Gold.Title {
				t.Errorf("home page: %+v", home.Gold.Links)
			}
		})
	}
	for _, name := range Sites() {
		if _, ok := room.Site(name); ok {
			t.Errorf("%s is no microblog", name)
		}
	}
}
