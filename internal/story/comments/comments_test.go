package comments

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// read parses a page and returns it with the mask of the element with the id
// "story".
func read(t testing.TB, page []byte) (*dom.Document, []bool) {
	t.Helper()
	d, err := dom.Parse(context.Background(), page, dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mask := make([]bool, d.Len())
	for n := range dom.Node(d.Len()) {
		if d.Attr(n, "id") == "story" {
			for m := n; m < d.End(n); m++ {
				mask[m] = true
			}
		}
	}
	return d, mask
}

// TestFind compares the comments of the pages in testdata with the text files
// next to them, in which -- separates two comments.
func TestFind(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, file := range pages {
		t.Run(filepath.Base(file), func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(strings.TrimSuffix(file, ".html") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			if len(text) > 0 {
				want = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n--\n")
			}
			d, story := read(t, page)
			if got := Find(d, story, nil); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n--\n"), text)
			}
		})
	}
}

func TestRolesOf(t *testing.T) {
	for name, want := range map[string]role{
		"comments": commentsRole, "commentlist": commentsRole, "fb-comments": commentsRole, "UserComments": commentsRole, "leserKommentare": commentsRole,
		"commentary": otherRole, "comment-form": commentsRole | auxiliaryRole | formRole | controlRole, "recent-comments": commentsRole | auxiliaryRole | elsewhereRole,
		"story": 0, "c": 0, "": 0,
	} {
		if got := rolesOf(name); got != want {
			t.Errorf("%q is %07b, want %07b", name, got, want)
		}
	}
}

func TestIsButtonText(t *testing.T) {
	for s, want := range map[string]bool{
		"Reply": true, "Reply (3)": true, "12": true, "ANTWORTEN": true, "Report abuse »": true,
		"Reply to the heron": false, "No.": false,
	} {
		if got := isButtonText(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// FuzzFind checks that no comment of any page is blank or has blank lines, and
// that there are none if everything is the article.
func FuzzFind(f *testing.F) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		f.Fatal("no pages", err)
	}
	for _, file := range pages {
		page, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		if _, err := dom.Parse(t.Context(), page, dom.Options{}); err != nil {
			return
		}
		d, story := read(t, page)
		for _, c := range Find(d, story, nil) {
			if strings.TrimSpace(c) == "" {
				t.Fatalf("a blank comment on %q", page)
			}
			for line := range strings.SplitSeq(c, "\n") {
				if line == "" || strings.TrimSpace(line) != line {
					t.Fatalf("bad line %q on %q", line, page)
				}
			}
		}
		for n := range story {
			story[n] = true
		}
		if got := Find(d, story, nil); len(got) > 0 {
			t.Fatalf("got comments in the article: %q", got)
		}
	})
}

// BenchmarkFind uses an ordinary page and pages of only headings, gaps or nested
// comments. The time must be linear in their number.
func BenchmarkFind(b *testing.B) {
	ordinary, err := os.ReadFile("testdata/threaded-list.html")
	if err != nil {
		b.Fatal(err)
	}
	pages := map[string]string{"ordinary": string(ordinary)}
	for size, n := range map[string]int{"1000": 1000, "10000": 10000} {
		story := `<p id="story">The heron is back.</p>`
		pages["headings-"+size] = story + strings.Repeat("<div>Comments</div>", n)
		pages["gaps-"+size] = story + `<div id="comments">` + strings.Repeat(`<p>a<i>b</i></p><div class="comment">c</div><p>d</p>`, n) + "</div>"
		pages["nested-"+size] = story + `<div id="comments">` + strings.Repeat(strings.Repeat(`<div class="comment">x `, 100)+strings.Repeat("</div>", 100), n/100) + "</div>"
	}
	for name, page := range pages {
		b.Run(name, func(b *testing.B) {
			d, story := read(b, []byte(page))
			for b.Loop() {
				Find(d, story, nil)
			}
		})
	}
}

func TestByline(t *testing.T) {
	const story = `<div id="story"><p>The gulls of the harbour have learned to read maps, a teacher says, and they use them well.</p></div>`
	for _, c := range []struct {
		box  string
		want int
	}{
		{`<div class="comment"><p>By Mara Ostrow</p><p>3 May 2024 16:51</p></div>`, 0},
		{`<div class="comments"><div id="comment-12"><p>3 May 2024 16:51</p><p>Updated 4 May 2024 10:00</p></div></div>`, 0},
		{`<div class="comments"><div id="comment-12"><p>Teo</p><p>3 May 2024 16:51</p><p>Mine read the bus timetable as well.</p></div></div>`, 1},
	} {
		d, mask := read(t, []byte(story+c.box))
		if got := Find(d, mask, nil); len(got) != c.want {
			t.Errorf("Find(%s) = %q", c.box, got)
		}
	}
}

func TestNotices(t *testing.T) {
	const story = `<div id="story"><p>The gulls of the harbour have learned to read maps, a teacher says, and they use them well.</p></div>`
	for _, c := range []struct {
		name, page string
		want       int
	}{
		{"name of the body", `<body class="comment-hidden">` + story + `<p>Courses for gulls, 3 May 2024 16:00</p><p>Every gull in the harbour may come and learn to read a map of the coast.</p>`, 0},
		{"none yet", story + `<div class="comments"><div class="comment">Currently there are no comments. Be the first to</div></div>`, 0},
		{"none yet below a heading", story + `<div class="comments"><div class="comment"><p>Comments on this text</p><p>(No comments)</p></div></div>`, 0},
		{"none yet with a date", story + `<div class="comments"><div class="comment"><p>Comments (0) - Gulls of the harbour 2024</p><p>There are none, so be the first</p></div></div>`, 0},
		{"terms with a date", story + `<div class="comments"><div class="comment">The paper does not share the views of comments. These terms were revised on April 16, 2024.</div></div>`, 0},
		{"close button", story + `<div class="comments"><div class="comment"><p>X</p><p>Rules of the harbour</p><p>Nobody wrote anything yet</p></div></div>`, 0},
		{"name and text", story + `<div class="comments"><div class="comment"><p>Teo</p><p>Mine read the bus timetable as well.</p></div></div>`, 1},
		{"heading, name and text", story + `<div class="comments"><div class="comment"><p>All comments</p><p>Teo</p><p>Mine read the bus timetable as well.</p></div></div>`, 1},
		{"dates of other articles", story + `<div class="comments"><div class="comment">Jun 11, 2024</div><div class="comment">Jul 21, 2021</div></div>`, 0},
		{"text in the article", `<div id="comments"><div class="comment"><p>Teo has 12 points, 17 hours ago, in the harbour</p>` + story + `</div><div class="comment"><p>Ida</p><p>3 May 2024 16:51</p><p>Mine read the bus timetable as well, which is why they are always late for the ferry, and the captain is not amused.</p></div></div>`, 1},
		{"Chinese", story + `<h3>网友评论</h3><div class="pl"><b>骑车的人</b>　2026年3月2日 23:09<br>等我亲眼看到再相信吧。　7人点赞</div>`, 1},
		{"date without a time", story + `<h3>Join the conversation</h3><div class="said"><b>harbour_cat</b> Mar 2, 2026<br>You have clearly not read past the first line.</div>`, 1},
		{"copyright", story + `<h3>Join the conversation</h3><div><p>Copyright 2026 Daily Gull</p><p>All rights to the gulls are reserved by the harbour.</p></div>`, 0},
	} {
		d, mask := read(t, []byte(c.page))
		if got := Find(d, mask, nil); len(got) != c.want {
			t.Errorf("%s: Find = %q", c.name, got)
		}
	}
}
