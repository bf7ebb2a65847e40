package dom

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/words"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"inline keeps words whole", "<p>un<b>believ</b>able", "unbelievable"},
		{"tail text", "<p>One <b>two</b> three <i>four</i>, five.", "One two three four, five."},
		{"tail of nested inline", "<p>a<b>b<i>c</i>d</b>e", "abcde"},
		{"white space collapses", "<p>  One\n\t two  ", "One two"},
		{"space inside inline", "<p>One<b> two</b> three", "One two three"},
		{"blocks are lines", "<div>One<div>Two</div>Three</div>", "One\nTwo\nThree"},
		{"unclosed p", "<p>One<p>Two<p>Three", "One\nTwo\nThree"},
		{"unclosed li", "<ul><li>One<li>Two</ul>Three", "One\nTwo\nThree"},
		{"br", "One<br>Two<br/><br>Three", "One\nTwo\nThree"},
		{"hr", "One<hr>Two", "One\nTwo"},
		{"cells", "<table><tr><td>One<td>Two<tr><th>Three</table>", "One\nTwo\nThree"},
		{"definition list", "<dl><dt>One<dd>Two</dl>", "One\nTwo"},
		{"nbsp", "One&nbsp;two&nbsp; three", "One two three"},
		{"soft hyphen", "sepa&shy;rate", "separate"},
		{"zero width space", "One&#8203;two", "Onetwo"},
		{"byte order mark inside", "One\ufefftwo", "Onetwo"},
		{"zero width non-joiner stays", "می\u200cخواهم", "می\u200cخواهم"},
		{"ideographic space", "東京\u3000大阪", "東京 大阪"},
		{"thin spaces", "12\u2009000\u202fkm", "12 000 km"},
		{"entities", "R&amp;D &lt;b&gt; &eacute;t&eacute; &#x4e2d;", "R&D <b> été 中"},
		{"entity without end", "fish &amp chips &copy 2024", "fish & chips © 2024"},
		{"ruby", "<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp></ruby>", "東 とう"},
		{"custom elements separate words", "One<x-card>Two</x-card>Three", "One Two Three"},
		{"buttons separate words", "One<button>Two</button>Three", "One Two Three"},
		{"drop cap", "<p><span class=cap>T</span>he town", "The town"},
		{"drop cap and next span", "<p><span>T</span><span>he town</span>", "The town"},
		{"adjacent spans", "<span>By</span><span>Ann</span>", "By Ann"},
		{"adjacent links with icons", "<a href=a>Share</a><a href=b><i class=icon></i>Tweet</a>", "Share Tweet"},
		{"empty element does not separate", "<a href=a>link</a><span></span>ed", "linked"},
		{"capital after a word", "<b>Plan</b><b>B</b>", "Plan B"},
		{"number after a word", "<b>Page</b><b>1</b>", "Page 1"},
		{"words without a space", "<h1><span>National demo</span>The ninth of July</h1>", "National demo The ninth of July"},
		{"words before an element", "National demo<b>The ninth</b>", "National demo The ninth"},
		{"a name in two parts", "<b>Mac</b>Donald had a farm", "MacDonald had a farm"},
		{"a brand in two parts", "<b>Sky</b>Scanner", "SkyScanner"},
		{"letters of a word", "<b>L</b><i>ede</i>", "Lede"},
		{"formula", "<b>CO</b><b>2</b>", "CO2"},
		{"ordinal", "<b>1</b><i>st</i>", "1st"},
		{"punctuation after inline", "<b>One</b><i>, two</i>", "One, two"},
		{"sub and sup", "H<sub>2</sub>O m<sup>2</sup>", "H2O m2"},
		{"wbr", "super<wbr>cali", "supercali"},
		{"picture between words", "One<img src=a.png>two", "One two"},
		{"picture at punctuation", "One<img src=a.png>.", "One."},
		{"script between letters", "un<script>x()</script>seen", "unseen"},
		{"comment between letters", "un<!-- x -->seen", "unseen"},
		{"video separates words", "One<video></video>two", "One two"},
		{"hidden space does not separate", "un<span hidden> </span>seen", "unseen"},
		{"pre keeps lines and indents", "<pre>\nif a:\n    b()\n\n\tc()</pre>", "if a:\n    b()\n    c()"},
		{"pre with highlighted code", "<pre><b>if</b> <i>a</i>:\n  <u>b</u>\n<u>c</u></pre>", "if a:\n  b\nc"},
		{"pre keeps columns", "<pre>a   b</pre>", "a   b"},
		{"textarea", "<textarea>\nOne\nTwo</textarea>", "One\nTwo"},
		{"control characters", "One\x01\x02 two\x7f", "One two"},
		{"nul", "O\x00ne", "One"},
		{"line separator", "One\u2028two", "One two"},
		{"emoji", "Go 👩\u200d👧 go", "Go 👩\u200d👧 go"},
		{"title is not text", "<title>T</title>Body", "Body"},
		{"options", "<select><option>One<option>Two</select>", "One\nTwo"},
		{"svg", "One<svg><text>no</text><title>no</title></svg>two", "One two"},
		{"text after body", "<body>One</body></html>Two", "OneTwo"},
		{"text in table", "<table>One<tr><td>Two</table>", "One\nTwo"},
		{"form controls", "Name<input value=x>Age", "Name Age"},
		{"iframe", "One<iframe>no</iframe>two", "One two"},
		{"math", "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>", "x = 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if got := d.Text(0); got != c.want {
				t.Errorf("%q\n got %q\nwant %q", c.page, got, c.want)
			}
			if err := checkTree(d); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       Counts
	}{
		{"sentence", "<p>It’s 5 o’clock, isn't it?", Counts{Chars: 25, Words: 5, Punct: 2, Stops: 1, Digits: 1, Paras: 1, Texts: 1}},
		{"hyphens and underscores", "<p>well-known snake_case — x", Counts{Chars: 25, Words: 3, Paras: 1, Texts: 1}},
		{"word across elements", "<p>un<b>seen</b>", Counts{Chars: 6, Words: 1, Format: 1, Paras: 1, Texts: 2}},
		{"links", "<p><a href=x>One two</a> <a>three</a>", Counts{Chars: 12, Words: 3, LinkChars: 7, LinkWords: 2, Links: 1, Paras: 1, Texts: 2}},
		{"han", "<p>今天，天气好。", Counts{Chars: 7, Words: 5, Punct: 2, Stops: 1, Paras: 1, Texts: 1}},
		{"hangul", "<p>오늘 날씨", Counts{Chars: 5, Words: 2, Paras: 1, Texts: 1}},
		{"persian", "<p>می\u200cخواهم", Counts{Chars: 8, Words: 1, Paras: 1, Texts: 1}},
		{"hidden does not count", "<p hidden>One <a href=x>two</a><p>x", Counts{Chars: 1, Words: 1, Paras: 1, Texts: 1}},
		{"pictures and breaks", "<p><img src=a><br><amp-img src=b></amp-img>", Counts{Images: 2, Breaks: 1, Paras: 1}},
		{"devanagari", "<p>नमस्ते दुनिया।", Counts{Chars: 14, Words: 2, Punct: 1, Stops: 1, Paras: 1, Texts: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			got := d.Counts(d.First(Body))
			got.Elements = 0
			if got != c.want {
				t.Errorf("%q\n got %+v\nwant %+v", d.AllText(), got, c.want)
			}
		})
	}
}

func TestLinkDensity(t *testing.T) {
	d := mustParse(t, "<p id=x><a href=y>four</a>four</p><p></p>")
	if got := d.LinkDensity(d.First(P)); got != 0.5 || d.Counts(d.First(P)).LinkDensity() != 0.5 {
		t.Errorf("link density %v", got)
	}
	if d.LinkDensity(d.Next(d.First(P))) != 0 || (Counts{}).LinkDensity() != 0 {
		t.Error("link density without text")
	}
}

func TestTextIsSubstring(t *testing.T) {
	d := mustParse(t, "<div><p>One <b>two</b></p><p>Three</p></div>")
	if got := d.Text(d.First(Div)); got != "One two\nThree" {
		t.Errorf("div %q", got)
	}
	if got := d.Text(d.First(B)); got != "two" {
		t.Errorf("b %q", got)
	}
	if !strings.Contains(d.AllText(), d.Text(d.First(P))) {
		t.Error("not a substring")
	}
}

func TestRaw(t *testing.T) {
	d := mustParse(t, "<title>A &amp; B</title><script>if (a < b) {}</script><noscript><img src=x></noscript><p>One <b> two</b>")
	for tag, want := range map[Tag]string{Title: "A & B", Script: "if (a < b) {}", Noscript: "<img src=x>", P: "One  two", B: " two"} {
		if got := d.Raw(d.First(tag)); got != want {
			t.Errorf("%v: %q, want %q", tag, got, want)
		}
	}
}

// TestCount compares the counts of random texts with those of a loop over the
// characters.
func TestCount(t *testing.T) {
	parts := []string{
		"a", "Bc", "word", " ", " ", "  ", "\n", "\t", "1", "23", ".", ",", "!", "-", "'", "’", "é", "ж", "中", "。", "，", "\u00a0", "\u00ad",
		"\u200b", "\u200d", "👩", "€", "/", "(", "\x01", "\xff", "٣", strings.Repeat("a1, ", 9000),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text strings.Builder
		for range rng.IntN(12) {
			text.WriteString(parts[rng.IntN(len(parts)-1)])
		}
		if rng.IntN(500) == 0 {
			text.WriteString(parts[len(parts)-1])
			text.WriteString("中 a")
		}
		for _, pre := range []bool{false, true} {
			var fast, slow textWriter
			var got, want Counts
			fast.buf, slow.buf = []byte("x"), []byte("x")
			fast.inWord, slow.inWord = true, true
			from, wantFrom := fast.write(text.String(), pre, &got), slow.writeSlowly(text.String(), pre, &want)
			if got != want || string(fast.buf) != string(slow.buf) || from != wantFrom || fast.next != slow.next {
				t.Fatalf("%q, pre %v: %q from %d with %+v, want %q from %d with %+v",
					text.String(), pre, fast.buf, from, got, slow.buf, wantFrom, want)
			}
			if fast.next == noSeparator && fast.inWord != slow.inWord {
				t.Fatalf("%q, pre %v: in a word: %v, want %v", text.String(), pre, fast.inWord, slow.inWord)
			}
		}
	}
}

// writeSlowly is write, one character at a time.
func (t *textWriter) writeSlowly(s string, pre bool, c *Counts) int {
	start := -1
	for i := 0; i < len(s); {
		k, n := classAt(s, i)
		at := i
		i += n
		switch {
		case k == words.Ignored:
			continue
		case k == words.Space && pre:
			t.keepSpace(s[at], start >= 0, c)
			continue
		case k == words.Space:
			t.space()
			continue
		case start < 0:
			start = t.begin(s[at:], k)
		case t.next != noSeparator:
			c.Chars += t.flush()
		}
		t.buf = append(t.buf, s[at:i]...)
		c.Chars++
		if (k == words.Letter || k == words.Digit) && !t.inWord || k == words.Ideograph {
			c.Words++
		}
		t.inWord = k == words.Letter || k == words.Digit || k == words.Joiner && t.inWord
		if k == words.Digit {
			c.Digits++
		}
		if k == words.Stop || k == words.Comma {
			c.Punct++
		}
		if k == words.Stop {
			c.Stops++
		}
	}
	if start < 0 {
		start = len(t.buf)
	}
	return start
}
