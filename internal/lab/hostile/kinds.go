package hostile

import "strings"

// story is a short article, so that a page has one to extract.
var story = `<h1>The council builds a bridge</h1>` + strings.Repeat("<p>The council of Marston met on Monday and decided, after a long debate, to build the bridge over the river.</p>\n", 12)

// Kinds returns kinds of hostile pages. Each has a short article, before or after what is
// hostile about it.
func Kinds() []Recipe {
	var list []Recipe
	add := func(name string, parts ...Part) { list = append(list, Recipe{name, parts}) }
	once := func(s string) Part { return Part{Piece: s} }
	fill := func(s string) Part { return Part{Piece: s, Share: 1} }
	nest := func(open, close string) Part { return Part{Piece: open, Close: close, Share: 1} }
	// body is a kind whose pieces follow the article, head one whose pieces come before it.
	body := func(name, piece string) { add(name, once(story), fill(piece)) }
	head := func(name, piece string) { add(name, fill(piece), once("<body>"+story)) }

	// The tokenizer.
	body("unclosed tags", "<div><span>x")
	body("only <", "<")
	body("only <a", "<a")
	body("only </", "</")
	body("only &", "&")
	body("entities", "&amp;&eacute;&#x4e2d;&notit;")
	body("entities without an end", "&CounterClockwiseContourIntegra")
	body("NULs", "<p>a\x00b\x00")
	body("invalid UTF-8", "<p>\xff\xfea \xc3\x28 \xe2\x82 word")
	body("bytes of no charset", "\x82\x81")
	body("mojibake", "<p>wiÄ™cej Ã©tÃ© â€œx â€” ")
	body("comments", "<!-- x -->")
	body("comments without an end", "<!-- -- --")
	body("declarations", "<!x><?php ?>")
	body("CDATA in SVG", "<svg><![CDATA[x]]></svg>")
	body("scripts with <!--", "<script><!-- <script> x </script> --></script>")
	body("textarea with </", "<textarea></x</textarea>")
	body("carriage returns", "\r\n\rx")
	add("one tag of many attributes", once(story+"<div "), fill(`a{i}="x" `), once(">x</div>"))
	add("one tag of equal attributes", once(story+"<div "), fill(`a="x" `), once(">x</div>"))
	body("many attributes", `<p a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 data-{i}=9>x`)
	add("one attribute", once(story+`<a href="`), fill("x&amp;y "), once(`">x</a>`))
	add("title without an end", fill("<title>x "), once(story))

	// The tree.
	body("nested div", "<div>")
	add("nested div, closed", once(story), nest("<div>x", "</div>"))
	add("nested inline elements", once(story), nest("<i>x", "</i>"))
	body("misnested formatting", "<b><i><u><a href=x></b></i></u></a>x")
	body("formatting in a table", "<table><b><i><tr>x<td><font></table>")
	body("table with text between cells", "<table>x<tr>y<td>z</td>w</tr></table>")
	add("one table", once(story+"<table>"), fill("<tr><td>x<td>{i}"), once("</table>"))
	add("one table with misnested formatting", once(story+"<table>"), fill("<tr><b><td>x</b><i></td></i>"), once("</table>"))
	add("nested tables", once(story), nest("<table><tr><td>x", "</table>"))
	body("formatting that is left open", "<p><font size={i}>x")
	add("formatting bomb", once("<p>"+strings.Repeat("<b class=x><i id=y>", 100)), fill("<p>x"), once(story))
	body("nested lists", "<ul><li>x")
	body("forms", "<form><input><select><option>x</select></form>")
	body("templates", "<template><p>x</template>")
	body("frames", "<frameset><frame>")
	body("stray end tags", "</p></br></div></b>x")
	body("SVG", `<svg><g><path d="M0 0"/></g></svg>x`)
	add("nested SVG", once(story), nest("<svg><g>", "</g></svg>"))
	body("noscript", "<noscript><p>x</p></noscript>")

	// Text and blocks.
	body("tiny blocks", "<p>x")
	body("tiny blocks with classes", `<p class="c{i}">x`)
	body("line breaks", "x<br>")
	body("empty lines", "x<br><br>")
	body("empty elements", "<span></span>")
	body("words in elements", "<b>x</b><i>y</i>")
	body("headings", "<h2>{i} Monday</h2>")
	body("list items", "<li>{i} word")
	body("quotes", "<blockquote><p>x said.</p></blockquote>")
	body("definition list", "<dl><dt>{i}<dd>x</dl>")
	body("code", "<pre>x\n\n  y</pre>")
	add("one word", once(story+"<p>"), fill("wordword{i}"))
	add("one paragraph", once(story+"<p>"), fill("The council of {i} met. "))
	add("one paragraph of single letters", once(story+"<p>"), fill("a "))
	add("white space", once(story+"<p>"), fill(" \n\t"))
	add("Chinese", once(story+"<p>"), fill("中文字、新闻。"))
	add("Arabic", once(story+"<p>"), fill("الأخبار "))
	add("emoji", once(story+"<p>"), fill("👩‍👩‍👧‍👦 "))
	add("combining marks", once(story+"<p>"), fill("e\u0301\u0302\u0303"))
	add("zero width spaces", once(story+"<p>"), fill("a\u200b\u00ad"))
	body("hidden elements", `<div style="display:none" hidden aria-hidden=true><p>The text of a hidden paragraph.</p></div>`)
	body("equal paragraphs", "<p>The council of Marston met on Monday and decided to build the bridge.</p>")
	body("repeated teasers", `<div class="teaser"><a href="/{i}"><img src="/{i}.jpg"></a><h3><a href="/{i}">A headline {i}</a></h3></div>`)

	// Names.
	add("one class attribute", once(story+`<div class="`), fill("xq{i} "), once(`"><p>The council met.</p></div>`))
	body("distinct classes", `<div class="a{i} b{i} c-{i}_d">x</div>`)
	body("long ids", `<p id="`+strings.Repeat("comment-sidebar-", 10)+`{i}">x`)
	body("names that mean something", `<div class="comment related sidebar ad share author date">x</div>`)
	body("custom elements", "<x-{i}>x</x-{i}>")
	body("inline styles", `<p style="color:red;display:block;position:absolute;clip:rect(0 0 0 0)">x`)
	head("style sheets", "<style>.c{i}{position:absolute;clip:rect(0 0 0 0)} .d{i}{display:none}</style>")
	add("one style sheet", once("<style>"), fill(".c{i},.d{i} .e>f{position:absolute;width:1px;clip:rect(0 0 0 0)}\n"), once("</style>"+story))

	// Links and pictures.
	body("links", "<a href=/{i}>x</a> ")
	body("links with long queries", `<a href="/x?`+strings.Repeat("utm_source=a&amp;b[]=%20&amp;", 12)+`i={i}">next page {i}</a> `)
	body("links to next pages", `<a href="?page={i}" rel="next" class="next">Next {i} »</a> `)
	body("pictures", `<img src="/{i}.jpg" srcset="/a{i}.jpg 1x, /b{i}.jpg 2x" width=720 height=480 alt="x">`)
	body("figures", `<figure><img src="/{i}.jpg" width=720><figcaption>Caption {i}. Photograph: Ann Quay</figcaption></figure>`)
	add("one srcset", once(story+`<img srcset="`), fill("/a{i}.jpg {i}w, "), once(`" src="/a.jpg" width=720 height=480>`))
	body("posts", `<blockquote class="twitter-tweet"><p>x</p>— A (@a) <a href="https://twitter.com/a/status/{i}">May 1, 2024</a></blockquote>`)
	body("videos", `<iframe src="https://www.youtube.com/embed/{i}"></iframe><video src="/{i}.mp4"></video>`)

	// Metadata.
	head("meta", `<meta name="author" content="Ann Quay {i}"><meta property="article:published_time" content="2024-05-01">`)
	head("different meta", `<meta name="x{i}" content="x">`)
	head("alternate links", `<link rel="alternate" hreflang="en" href="/{i}"><link rel="canonical" href="/{i}">`)
	head("JSON-LD scripts", `<script type="application/ld+json">{"@type":"NewsArticle","headline":"x {i}","author":{"name":"Ann Quay"}}</script>`)
	add("long JSON-LD", once(`<script type="application/ld+json">[`), fill(`{"@type":"NewsArticle","headline":"The council {i}","datePublished":"2024-05-01","author":[{"@type":"Person","name":"Ann Quay {i}"}]},`), once(`{}]</script>`+story))
	add("deep JSON-LD", once(`<script type="application/ld+json">`), nest(`{"@graph":[`, `]}`), once(`</script>`+story))
	add("JSON-LD with escapes", once(`<script type="application/ld+json">{"@type":"NewsArticle","articleBody":"`), fill(`\u00e9\n\"&quot;`), once(`"}</script>`+story))
	add("broken JSON-LD", once(`<script type="application/ld+json">`), fill(`{"a":[{"b":"c,`), once(`</script>`+story))
	add("long title", once("<title>"), fill("The council {i} | "), once("</title>"+story))
	add("long description", once(`<meta name="description" content="`), fill("The council {i} met. "), once(`">`+story))
	body("microdata", `<div itemscope itemtype="https://schema.org/NewsArticle"><span itemprop="author">Ann Quay</span><time itemprop="datePublished" datetime="2024-05-01">x</time></div>`)
	body("dates", "<p>Monday, {i} May 2024, 10:30 Uhr")
	body("times", `<time datetime="2024-05-01T10:{i}">1 May 2024</time> `)
	body("numbers", "<p>12.05.2024 10:30 2024-05-12 05/12/24")
	body("bylines", `<p class="byline">By Ann Quay, Bo Lund and Cy Marsh, Staff Writer {i}</p>`)
	body("lines that begin with by", "<p>By Ann Quay")
	body("names", "<p>Ann Quay, Bo Lund, Cy Marsh, Di Orr")
	body("comments of readers", `<div class="comment" id="comment-{i}"><b>Ann Quay</b> says: <time>1 May 2024</time><p>I do not agree.</p><a href="#">Reply</a></div>`)
	body("live blog", `<article><time>10:{i}</time><h2>News {i}</h2><p>The council met.</p></article>`)
	body("languages", `<p lang="x{i}">Der Rat der Stadt и совет город el consejo`)
	return list
}
