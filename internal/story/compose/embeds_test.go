package compose

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

const tweet = `<blockquote class="twitter-tweet"><p>Open.</p>&mdash; Ann Lee (@annlee) <a href="https://x.com/annlee/status/1835338330998726989">2024</a></blockquote>`

// selectParagraphs returns a mask of the paragraphs whose class is "story".
func selectParagraphs(d *dom.Document) []bool {
	mask := make([]bool, d.Len())
	for n := range d.All(d.Root(), dom.P) {
		if d.HasClass(n, "story") {
			for m := n; m < d.End(n); m++ {
				mask[m] = true
			}
		}
	}
	return mask
}

// A method may drop a post, but the story quotes it.
func TestEmbedThatIsNotSelected(t *testing.T) {
	const a, b = "<p class=story>He wrote:</p>", "<p class=story>Then he left.</p>"
	far := "<ul>" + strings.Repeat("<li><a href=/x>Other news</a>", 60) + "</ul>"
	for _, c := range []struct {
		name, page string
		want       bool
	}{
		{"between paragraphs", a + "<div><div>" + tweet + "</div></div>" + b, true},
		{"at the end of the container", "<div>" + a + tweet + "</div><div>" + far + "</div>", true},
		{"before the first paragraph", "<div>" + tweet + a + b + "</div>", true},
		{"after a list of links", "<div>" + a + b + "</div>" + far + tweet, false},
		{"in another part of the page", "<div>" + a + b + "</div><div>" + tweet + "</div>", false},
		{"nothing selected", "<div>" + tweet + "</div>", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, c.page)
			got := false
			for _, b := range Blocks(d, selectParagraphs(d), Options{URL: pageURL}).Article() {
				got = got || b.Kind == article.Embed
			}
			if got != c.want {
				t.Errorf("post in the article: %v, want %v", got, c.want)
			}
		})
	}
}

// The words of a post are not those of the paper.
func TestEmbedIsNotText(t *testing.T) {
	d := parse(t, "<p>He wrote:</p>"+tweet+"<p>Then he left.</p>")
	blocks := Blocks(d, all(d), Options{URL: pageURL})
	if got, want := article.Text(blocks.Article()), "He wrote:\nThen he left."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParsePost(t *testing.T) {
	for _, addr := range []string{
		"https://twitter.com/ann/status/1", "https://x.com/i/web/status/1", "http://twitter.com/#!/ann/status/1", "https://www.instagram.com/ann/reel/Abc/",
		"https://www.tiktok.com/@ann/photo/1", "https://m.facebook.com/story.php?story_fbid=1&id=2", "https://www.facebook.com/watch/?v=1",
		"https://bsky.app/profile/ann.example/post/1", "https://www.threads.com/@ann/post/1", "https://old.reddit.com/r/a/comments/b/c/",
		"https://t.me/s/ann/1", "https://www.linkedin.com/posts/ann-1", "https://www.linkedin.com/embed/feed/update/urn:li:share:1",
	} {
		if n, _ := parsePost(addr); n == nil {
			t.Errorf("%s is no post", addr)
		}
	}
	for _, addr := range []string{
		"", "https://twitter.com", "https://twitter.com/ann", "https://twitter.com/ann/status/", "https://twitter.com/ann/status/x1", "https://nottwitter.com/ann/status/1",
		"https://twitter.com@evil.example/ann/status/1", "https://x.com.evil.example/ann/status/1", "ftp://x.com/ann/status/1", "https://www.instagram.com/p",
		"https://www.facebook.com/ann", "https://www.facebook.com/photo.php", "https://bsky.app/profile/ann", "https://www.reddit.com/r/a/", "https://t.me/ann",
		"https://t.me/ann/x", "https://www.linkedin.com/in/ann", "https://x.com:80:80/ann/status/1", "https://x.com/%zz/status/1",
	} {
		if n, p := parsePost(addr); n != nil {
			t.Errorf("%s is a post: %+v", addr, p)
		}
	}
}

// FuzzEmbeds gives posts of any markup and address.
func FuzzEmbeds(f *testing.F) {
	f.Add("twitter-tweet", "https://x.com/ann/status/1835338330998726989", "<p>Open.</p>— Ann (@ann) ")
	f.Add("instagram-media", "https://www.instagram.com/p/ByxilPNJK3M/", "<p>A post shared by Ann (@ann)</p>")
	f.Add("", "https://bsky.app/profile/a/post/3l3l3l3l3l32s", "—")
	f.Fuzz(func(t *testing.T, class, addr, markup string) {
		page := `<p>a</p><blockquote class="` + class + `" data-href="` + addr + `">` + markup + `<a href="` + addr + `">b</a></blockquote><iframe src="` + addr + `"></iframe><p>c`
		d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
		if err != nil {
			t.Skip(err)
		}
		body := article.Article{Body: Blocks(d, all(d), Options{URL: pageURL}).Article()}
		for b := range body.Blocks() {
			if b.Kind != article.Embed {
				continue
			}
			if b.Embed.URL != "" && !strings.HasPrefix(b.Embed.URL, "http") || b.Embed.URL == "" && b.Embed.Text == "" {
				t.Errorf("%q gives %+v", page, b.Embed)
			}
		}
	})
}
