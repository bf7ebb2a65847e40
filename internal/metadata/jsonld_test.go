package metadata

import (
	"strings"
	"testing"
	"time"
)

func TestJSONLDOddities(t *testing.T) {
	const good = `"@type":"NewsArticle","headline":"Gulls learn to read maps"`
	for _, c := range []struct{ name, script string }{
		{"plain", `{` + good + `}`},
		{"array", `[{"@type":"WebSite","name":"x"},{` + good + `}]`},
		{"graph", `{"@graph":[{` + good + `}]}`},
		{"graph that is an object", `{"@graph":{` + good + `}}`},
		{"types in an array", `{"@type":["Thing","NewsArticle"],"headline":"Gulls learn to read maps"}`},
		{"prefix", `{"@type":"http://schema.org/NewsArticle","schema:headline":"Gulls learn to read maps"}`},
		{"HTML comment", "<!--\n{" + good + "}\n-->"},
		{"CDATA", "//<![CDATA[\n{" + good + "}\n//]]>"},
		{"CDATA in a comment", "/* <![CDATA[ */ {" + good + "} /* ]]> */"},
		{"commas at the end", `{` + good + `,"a":[1,2,],}`},
		{"commas missing", "{\"a\":\"b\"\n" + good + "}"},
		{"raw line breaks", "{\"@type\":\"NewsArticle\",\"headline\":\"Gulls learn\n to read maps\"}"},
		{"raw quotes", `{"description":"They "read" them",` + good + `}`},
		{"escapes", `{"@type":"NewsArticle","headline":"Gulls \u006cearn to re\u0061d\u0020maps"}`},
		{"entities", `{"@type":"NewsArticle","headline":"Gulls&nbsp;learn&#32;to read maps"}`},
		{"entities all over", `{&quot;@type&quot;:&quot;NewsArticle&quot;,&quot;headline&quot;:&quot;Gulls learn to read maps&quot;}`},
		{"keys without quotes", `{"a":1, b:2, ` + good + `}`},
		{"no end", `{` + good + `,"articleBody":"and so`},
		{"two in one script", `{"@type":"Person","name":"x"}{` + good + `}`},
		{"comment inside", `{ // a note
			` + good + `}`},
		{"wrong types around", `{"author":7,"datePublished":{},"image":[[]],"publisher":null,` + good + `}`},
		{"byte order mark", "\ufeff{" + good + "}"},
		{"deep after it", `{` + good + `,"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`},
		{"deep before it", `{"x":` + strings.Repeat(`{"y":`, 5000) + `1` + strings.Repeat("}", 5000) + `,` + good + `}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, `<script type="application/ld+json">`+c.script+`</script><p>x`)
			if f.Title != "Gulls learn to read maps" {
				t.Errorf("title = %q", f.Title)
			}
		})
	}
}

func TestJSONLDSeveralScripts(t *testing.T) {
	f := read(t, `<title>Gulls learn to read maps</title>
		<script type="application/ld+json">not json at all {</script>
		<script type="application/ld+json">{"@type":"NewsArticle","headline":"Another story","datePublished":"2020-01-01"}</script>
		<script type="application/ld+json; charset=utf-8">{"@type":"NewsArticle","headline":"Gulls learn to read maps","datePublished":"2024-05-03"}</script><p>x`)
	if f.Published.String() != "2024-05-03" {
		t.Errorf("published = %q: not that of the story", f.Published)
	}
}

// What a story mentions or is followed by does not count as the story.
func TestJSONLDOthersStories(t *testing.T) {
	f := read(t, `<script type="application/ld+json">{"@type":"ItemList","itemListElement":[
		{"@type":"NewsArticle","headline":"Another story","author":"Somebody Else"}]}</script><h1>Gulls learn to read maps</h1>`)
	if len(f.Authors) != 0 {
		t.Errorf("authors = %v", f.Authors)
	}
}

// Whatever stands in a script, reading it takes time in proportion to its size.
func TestJSONIsLinear(t *testing.T) {
	for _, piece := range []string{`{"a":`, `[`, `"`, `" `, `\`, `{"`, `/*`, `,`, `{"a":"b" `, "\"\n", `{"@id":"a","a":[`} {
		start := time.Now()
		parseJSON("{" + strings.Repeat(piece, jsonBytes/len(piece)))
		if took := time.Since(start); took > time.Minute {
			t.Errorf("a script of %q took %v", piece, took)
		}
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		`a\"b`: `a"b`, `a\/b`: `a/b`, `\u00e9`: "é", `\ud83d\ude00`: "😀", `\ud83d`: "\uFFFD", `\u12`: " 12", `a\`: `a\`, `a\nb`: "a b",
	} {
		if got := unescape(in); got != want {
			t.Errorf("unescape(%q) = %q, want %q", in, got, want)
		}
	}
}
