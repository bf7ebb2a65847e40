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
			if got := Find(d, story); !slices.Equal(got, want) {
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
		for _, c := range Find(d, story) {
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
		if got := Find(d, story); len(got) > 0 {
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
				Find(d, story)
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
		if got := Find(d, mask); len(got) != c.want {
			t.Errorf("Find(%s) = %q", c.box, got)
		}
	}
}
