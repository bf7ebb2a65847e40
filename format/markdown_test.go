package format_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func markdown(t testing.TB, blocks ...article.Block) string {
	t.Helper()
	var b strings.Builder
	if err := format.Markdown(&b, &article.Article{Body: blocks}, format.Options{}); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func para(spans ...article.Span) article.Block {
	return article.Block{Kind: article.Paragraph, Spans: spans}
}

func textBlock(s string) article.Block { return para(article.Span{Text: s}) }

// escapes are texts that a Markdown parser would take for markup without escapes.
var escapes = []struct{ in, want string }{
	{"plain words.", "plain words."},
	{"5 * 3 * 2", `5 \* 3 \* 2`},
	{"**not strong**", `\*\*not strong\*\*`},
	{"_not_ emphasis", `\_not\_ emphasis`},
	{"snake_case_name", "snake_case_name"},
	{"a__b", `a\_\_b`},
	{"été_là", "été_là"},
	{"`code`", "\\`code\\`"},
	{"~~gone~~ ~1", `&#126;&#126;gone&#126;&#126; &#126;1`},
	{"[sic]", `\[sic\]`},
	{"[a](b)", `\[a\](b)`},
	{"[a]: http://x.example", `\[a\]: http://x.example`},
	{"![a](b)", `!\[a\](b)`},
	{"- [x] done", `\- \[x\] done`},
	{"[^1]", `\[^1\]`},
	{"<b>bold</b>", `&lt;b>bold&lt;/b>`},
	{"<!-- note -->", `&lt;!-- note -->`},
	{"1 < 2 > 1", `1 &lt; 2 > 1`},
	{"AT&T & co", "AT&T & co"},
	{"&amp; &#35; &#x23; &copy;", `&amp;amp; &amp;#35; &amp;#x23; &amp;copy;`},
	{"&;&no such;", "&;&no such;"},
	{"&lt;img src=x&gt; &amp;lt;", `&amp;lt;img src=x&amp;gt; &amp;amp;lt;`},
	{"&#60 &#x3c", `&amp;#60 &amp;#x3c`},
	{"text {: onclick=x }", `text \{: onclick=x }`},
	{"https://x.example/?a&lt;b", `https&#58;//x.example/?a&amp;lt;b`},
	{"a&&b;", `a&&amp;b;`},
	{`C:\new`, `C:\\new`},
	{"ends in \\\nnext", "ends in &#92;\\\nnext"},
	{"# 1 in the charts", `\# 1 in the charts`},
	{"#hashtag", `\#hashtag`},
	{"in the # middle", "in the # middle"},
	{"> quoted", `\> quoted`},
	{"- said", `\- said`},
	{"-5 degrees", "-5 degrees"},
	{"--- rule", `\--- rule`},
	{"+ plus", `\+ plus`},
	{"+1 for that", "+1 for that"},
	{"* star", `\* star`},
	{"1986. A great year", `1986\. A great year`},
	{"1) first", `1\) first`},
	{"3.", `3\.`},
	{"3.5 percent", "3.5 percent"},
	{"1234567890. too long for a list", "1234567890. too long for a list"},
	{"title\n===", "title\\\n&#61;=="},
	{"title\n---", "title\\\n\\---"},
	{"a | b\n--- | ---", "a | b\\\n\\--- | ---"},
	{"a\n|---|", "a\\\n&#124;---|"},
	{"a\n:-:", "a\\\n&#58;-:"},
	{"term\n: meaning", "term\\\n&#58; meaning"},
	{"```go", "\\`\\`\\`go"},
	{"~~~", `&#126;&#126;&#126;`},
	{"    not code", "not code"},
	{"one \n two", "one\\\ntwo"},
	{"one\n\ntwo", "one\\\n\\\ntwo"},
	{"two  spaces", "two spaces"},
	{"\u00a0hard\u00a0space\u00a0", "hard\u00a0space"},
	{"see https://x.example/a.", "see https://x.example/a."},
	{"see https://x.example/a_b.", "see <https://x.example/a_b>."},
	{"(https://x.example/a_(b))", "(<https://x.example/a_(b)>)"},
	{"(https://x.example/a_b)", "(<https://x.example/a_b>)"},
	{"見てhttps://x.example/a_bね", "見て<https://x.example/a_b>ね"},
	{"www.x.example/_a_", `www\.x.example/\_a\_`},
	{"ftp://x.example/*", `ftp&#58;//x.example/\*`},
	{"http://[x", `http&#58;//\[x`},
	{"desk@x.example", "desk@x.example"},
	{"Wow!", "Wow!"},
}

func TestMarkdownEscapes(t *testing.T) {
	for _, c := range escapes {
		if got := markdown(t, textBlock(c.in)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		checkParagraph(t, c.in)
	}
}

func TestMarkdownSpans(t *testing.T) {
	const b, i, m, sub, sup, del = article.Strong, article.Emphasis, article.Monospace, article.Subscript, article.Superscript, article.Strike
	type S = article.Span
	for name, c := range map[string]struct {
		in   []S
		want string
	}{
		"strong":                     {[]S{{Text: "a", Mark: b}}, "**a**"},
		"both":                       {[]S{{Text: "a", Mark: b | i}}, "***a***"},
		"strong in emphasis":         {[]S{{Text: "a ", Mark: i}, {Text: "b", Mark: b | i}, {Text: " c", Mark: i}}, "*a **b** c*"},
		"emphasis ends with strong":  {[]S{{Text: "a ", Mark: i}, {Text: "b", Mark: b | i}}, "*a **b***"},
		"strong starts with both":    {[]S{{Text: "a", Mark: b | i}, {Text: " b", Mark: b}}, "***a* b**"},
		"spaces go outside":          {[]S{{Text: "a"}, {Text: " b ", Mark: b}, {Text: "c"}}, "a **b** c"},
		"hard spaces go outside":     {[]S{{Text: "a"}, {Text: "\u00a0b\u00a0", Mark: i}, {Text: "c"}}, "a\u00a0*b*\u00a0c"},
		"line breaks go outside":     {[]S{{Text: "a\n", Mark: b}, {Text: "b"}}, "**a**\\\nb"},
		"blank strong":               {[]S{{Text: "a"}, {Text: " ", Mark: b}, {Text: "b"}}, "a b"},
		"blank link":                 {[]S{{Text: "a"}, {Text: " ", Href: "/x"}, {Text: "b"}}, "a b"},
		"inside a word":              {[]S{{Text: "un"}, {Text: "be", Mark: i}, {Text: "lievable"}}, "un*be*lievable"},
		"quotation in a word":        {[]S{{Text: "a"}, {Text: `"b"`, Mark: b}, {Text: "c"}}, `a<strong>"b"</strong>c`},
		"CJK punctuation":            {[]S{{Text: "は"}, {Text: "「強い。」", Mark: b}, {Text: "と"}}, "は<strong>「強い。」</strong>と"},
		"symbol beside a letter":     {[]S{{Text: "a"}, {Text: "€5", Mark: b}}, "a<strong>€5</strong>"},
		"neighbours":                 {[]S{{Text: "a", Mark: b}, {Text: "b", Mark: i}}, "<strong>a</strong><em>b</em>"},
		"strike":                     {[]S{{Text: "a", Mark: del}}, "~~a~~"},
		"strike after a tilde":       {[]S{{Text: "~", Mark: del}}, `~~&#126;~~`},
		"sub and sup":                {[]S{{Text: "H"}, {Text: "2", Mark: sub}, {Text: "O m"}, {Text: "2", Mark: sup}}, "H<sub>2</sub>O m<sup>2</sup>"},
		"code":                       {[]S{{Text: "a*b", Mark: m}}, "`a*b`"},
		"code with backticks":        {[]S{{Text: "a``b`", Mark: m}}, "``` a``b` ```"},
		"code in lines":              {[]S{{Text: "a\nb", Mark: m}}, "`a`\\\n`b`"},
		"code is innermost":          {[]S{{Text: "a", Mark: m}, {Text: "b", Mark: m | b}}, "`a`**`b`**"},
		"link":                       {[]S{{Text: "a]", Href: "http://x.example/a b"}}, `[a&#93;](http://x.example/a%20b)`},
		"link with brackets":         {[]S{{Text: "a", Href: `http://x.example/(a\)`}}, `[a](http://x.example/\(a\\\))`},
		"link with square brackets":  {[]S{{Text: "a", Href: "http://x.example/[a]"}}, `[a](http://x.example/&#91;a&#93;)`},
		"link with an entity":        {[]S{{Text: "a", Href: "http://x.example/?a&copy;&b"}}, `[a](http://x.example/?a&amp;copy;&b)`},
		"link on its own URL":        {[]S{{Text: "http://x.example/a_b", Href: "http://x.example/a_b"}}, "<http://x.example/a_b>"},
		"link with marks":            {[]S{{Text: "a ", Href: "/x"}, {Text: "b", Href: "/x", Mark: b}}, "[a **b**](/x)"},
		"link in strong":             {[]S{{Text: "a ", Mark: b}, {Text: "b", Mark: b, Href: "/x"}, {Text: " c", Mark: b}}, "**a [b](/x) c**"},
		"strong never cuts a link":   {[]S{{Text: "a ", Mark: b}, {Text: "b ", Mark: b, Href: "/x"}, {Text: "c", Href: "/x"}}, "**a** [**b** c](/x)"},
		"refused link":               {[]S{{Text: "a", Href: "javascript:alert(1)"}, {Text: "b"}}, "ab"},
		"entity made by refusal":     {[]S{{Text: "&", Href: "javascript:a"}, {Text: "amp;"}}, `&amp;amp;`},
		"list made by hoisting":      {[]S{{Text: "1."}, {Text: " a", Mark: b}}, `1\. **a**`},
		"picture made of a link":     {[]S{{Text: "Wow!"}, {Text: "a", Href: "/x"}}, `Wow\![a](/x)`},
		"URL before a delimiter":     {[]S{{Text: "www.x.example"}, {Text: "a", Mark: b}}, `www\.x.example**a**`},
		"definition made of code":    {[]S{{Text: "]: a", Mark: m, Href: "/x"}}, `[<code>&#93;: a</code>](/x)`},
		"picture in a link":          {[]S{{Text: "![a](b)", Href: "/x"}}, `[!&#91;a&#93;(b)](/x)`},
		"link on a URL with &lt;":    {[]S{{Text: "http://x.example/?a&lt;", Href: "http://x.example/?a&lt;"}}, `[http&#58;//x.example/?a&amp;lt;](http://x.example/?a&amp;lt;)`},
		"URL in a link":              {[]S{{Text: "http://x.example/a_b", Href: "/x"}}, `[http&#58;//x.example/a_b](/x)`},
		"hard space in a span":       {[]S{{Text: "\u00a0", Mark: b}, {Text: "a"}, {Text: "\u00a0", Mark: i}}, "a"},
		"same look in several spans": {[]S{{Text: "a", Mark: b}, {Text: "b", Mark: b}}, "**ab**"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := markdown(t, para(c.in...)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func item(bs ...article.Block) []article.Block { return bs }

func TestMarkdownBlocks(t *testing.T) {
	list := func(items ...[]article.Block) article.Block { return article.Block{Kind: article.List, Items: items} }
	numbered := func(start int, items ...[]article.Block) article.Block {
		return article.Block{Kind: article.List, Ordered: true, Start: start, Items: items}
	}
	quote := func(bs ...article.Block) article.Block { return article.Block{Kind: article.Quote, Blocks: bs} }
	code := func(s string) article.Block { return article.Block{Kind: article.Code, Code: s} }
	rule := article.Block{Kind: article.Rule}
	for name, c := range map[string]struct {
		in   []article.Block
		want string
	}{
		"heading":                          {item(article.Block{Kind: article.Heading, Level: 4, Spans: []article.Span{{Text: "C # #"}}}), `#### C \# \#`},
		"heading of no level":              {item(article.Block{Kind: article.Heading, Spans: []article.Span{{Text: "a\nb"}}}), "## a b"},
		"heading of level 9":               {item(article.Block{Kind: article.Heading, Level: 9, Spans: []article.Span{{Text: "C#"}}}), "###### C#"},
		"tight list":                       {item(list(item(textBlock("a")), item(textBlock("b")))), "- a\n- b"},
		"captioned table alone in an item": {item(list(item(article.Block{Kind: article.Table, Spans: []article.Span{{Text: "T"}}, Rows: [][]article.Cell{{{Blocks: item(textBlock("a"))}}}}))), "- *T*\n\n  |  |\n  | --- |\n  | a |"},
		"nested list":                      {item(list(item(textBlock("a"), list(item(textBlock("b")))), item(textBlock("c")))), "- a\n  - b\n- c"},
		"list in numbered":                 {item(numbered(99, item(textBlock("a"), list(item(textBlock("b")))), item(textBlock("c")))), "99. a\n    - b\n100. c"},
		"later list needs a gap":           {item(list(item(textBlock("a"), numbered(2, item(textBlock("b")))))), "- a\n\n  2. b"},
		"item of two paragraphs":           {item(list(item(textBlock("a"), textBlock("b")), item(textBlock("c")))), "- a\n\n  b\n\n- c"},
		"item that is a list":              {item(list(item(list(item(textBlock("a")))))), "- - a"},
		"item that is a rule":              {item(list(item(rule))), "- ***"},
		"item with code":                   {item(list(item(code("a\n\n\tb")))), "-   <!-- -->\n\n        a\n\n        \tb"},
		"item with text and code":          {item(list(item(textBlock("a"), code("<b>")), item(textBlock("c")))), "-   a\n\n        <b>\n\n-   c"},
		"code in a quote":                  {item(quote(code("a\n\nb"))), ">     a\n>\n>     b"},
		"code with elements":               {item(textBlock("a"), code("<b>\n\n</b>")), "a\n\n    <b>\n\n    </b>"},
		"code with links":                  {item(code("[a](b)"), code("[a]: b")), "    [a](b)\n\n<!-- -->\n\n    [a]: b"},
		"code after a list":                {item(list(item(textBlock("a"))), code("<b>")), "- a\n\n<!-- -->\n\n    <b>"},
		"code with comparisons":            {item(code("a[i] < b[j]")), "```\na[i] < b[j]\n```"},
		"empty items":                      {item(numbered(1, item(), item(textBlock(" ")), item(textBlock("a")))), "1. a"},
		"empty item after text":            {item(textBlock("p"), numbered(10, item(list()), item(textBlock("a")))), "p\n\n10. a"},
		"empty list":                       {item(list(), textBlock("a")), "a"},
		"two lists":                        {item(list(item(textBlock("a"))), list(item(textBlock("b"))), list(item(textBlock("c")))), "- a\n\n+ b\n\n- c"},
		"two numbered lists":               {item(numbered(1, item(textBlock("a"))), numbered(1, item(textBlock("b")))), "1. a\n\n1) b"},
		"negative start":                   {item(numbered(-3, item(textBlock("a")))), "0. a"},
		"start beyond CommonMark":          {item(numbered(1<<40, item(textBlock("a")))), "999999998. a"},
		"quote in a quote":                 {item(quote(textBlock("a"), quote(textBlock("b")), textBlock("c"))), "> a\n>\n> > b\n>\n> c"},
		"two quotes":                       {item(quote(textBlock("a")), quote(textBlock("b"))), "> a\n\n> b"},
		"list in a quote":                  {item(quote(list(item(textBlock("a"), textBlock("b"))))), "> - a\n>\n>   b"},
		"quote in a list":                  {item(list(item(quote(textBlock("a"))), item(textBlock("b")))), "- > a\n- b"},
		"lines in a quote":                 {item(quote(textBlock("a\n> b"))), "> a\\\n> \\> b"},
		"code":                             {item(code("\na\n\n")), "```\na\n```"},
		"code with fences":                 {item(code("````")), "`````\n````\n`````"},
		"blank code":                       {item(code(" \n ")), ""},
		"code of a bad language":           {item(article.Block{Kind: article.Code, Code: "a", Lang: "x`y"}), "```\na\n```"},
		"rule":                             {item(textBlock("a"), rule), "a\n\n***"},
		"nothing in a picture":             {item(article.Block{Kind: article.Picture}, article.Block{Kind: article.Video}), ""},
		"picture": {item(article.Block{Kind: article.Picture, Image: &article.Image{URL: "/a (1).png", Alt: "x] y", Caption: "c", Credit: "d"}}),
			"![x&#93; y](/a%20\\(1\\).png)\\\n*c (d)*"},
		"refused picture": {item(article.Block{Kind: article.Picture, Image: &article.Image{URL: "data:text/html,x", Alt: "a"}}), "*a*"},
		"post": {item(article.Block{Kind: article.Embed, Embed: &article.Post{URL: "https://x.example/1", Author: "Ann (@ann)", Date: article.Date{Time: time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC)}, Text: "a\n# b"}}),
			"> a\\\n> \\# b\n>\n> — [Ann (@ann) · 2024-05-01 09:00 UTC](https://x.example/1)"},
		"post without words": {item(article.Block{Kind: article.Embed, Embed: &article.Post{URL: "https://x.example/1"}}), "> — <https://x.example/1>"},
		"video": {item(article.Block{Kind: article.Video, Video: &article.Media{URL: "/v", Title: "t", Caption: "t"}}),
			"[t](/v)"},
		"still of a refused video": {item(article.Block{Kind: article.Video, Video: &article.Media{URL: "blob:x", Title: "t", Poster: "/p"}}),
			"![t](/p)"},
		"unknown kind": {item(article.Block{Kind: 200, Spans: []article.Span{{Text: "a"}}}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := markdown(t, c.in...); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestMarkdownTables(t *testing.T) {
	cell := func(bs ...article.Block) article.Cell { return article.Cell{Blocks: bs} }
	head := func(s string) article.Cell {
		return article.Cell{Header: true, Blocks: []article.Block{textBlock(s)}}
	}
	for name, c := range map[string]struct {
		rows [][]article.Cell
		want string
	}{
		"header":    {[][]article.Cell{{head("a"), head("b")}, {cell(textBlock("1")), cell(textBlock("2"))}}, "| a | b |\n| --- | --- |\n| 1 | 2 |"},
		"no header": {[][]article.Cell{{head("a"), cell(textBlock("b"))}}, "|  |  |\n| --- | --- |\n| a | b |"},
		"pipes":     {[][]article.Cell{{head(`a|b\|c`)}}, `| a\|b\\\|c |` + "\n| --- |"},
		"code with pipes": {[][]article.Cell{{cell(article.Block{Kind: article.Code, Code: "a|b\nc"})}},
			"|  |\n| --- |\n| `a\\|b`<br>`c` |"},
		"code with a backslash and a pipe": {[][]article.Cell{{cell(para(article.Span{Text: `a\|b`, Mark: article.Monospace}))}},
			"|  |\n| --- |\n| <code>a\\\\\\|b</code> |"},
		"lines": {[][]article.Cell{{cell(textBlock("a\nb"), textBlock("c"))}}, "|  |\n| --- |\n| a<br>b<br>c |"},
		"cell over columns": {[][]article.Cell{{head("a"), head("b"), head("c")}, {{ColSpan: 2, Blocks: item(textBlock("x"))}, cell(textBlock("y"))}},
			"| a | b | c |\n| --- | --- | --- |\n| x |  | y |"},
		"cell over rows": {[][]article.Cell{{{RowSpan: 2, Blocks: item(textBlock("x"))}, cell(textBlock("1"))}, {cell(textBlock("2"))}, {cell(textBlock("3"))}},
			"|  |  |\n| --- | --- |\n| x | 1 |\n|  | 2 |\n| 3 |"},
		"table in a table": {[][]article.Cell{{cell(article.Block{Kind: article.Table, Rows: [][]article.Cell{{cell(textBlock("a")), cell(textBlock("b"))}}})}},
			"|  |\n| --- |\n| a, b |"},
		"picture and video": {[][]article.Cell{{
			cell(article.Block{Kind: article.Picture, Image: &article.Image{URL: "/p", Alt: "a|b", Caption: "c"}}),
			cell(article.Block{Kind: article.Video, Video: &article.Media{URL: "/v", Title: "t"}}),
		}}, "|  |  |\n| --- | --- |\n| ![a\\|b](/p)<br>*c* | [t](/v) |"},
		"lists and quotes": {[][]article.Cell{{
			cell(article.Block{Kind: article.List, Ordered: true, Start: 4, Items: [][]article.Block{item(textBlock("a"))}}),
			cell(article.Block{Kind: article.Quote, Blocks: item(textBlock("b"))}),
		}}, "|  |  |\n| --- | --- |\n| 4. a | b |"},
		"empty": {[][]article.Cell{{cell()}, {}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := markdown(t, article.Block{Kind: article.Table, Rows: c.rows}); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
