package compose

import (
	"strings"
	"testing"
)

// BenchmarkBlocks sets a story of some 2,000 words with all kinds of blocks.
func BenchmarkBlocks(b *testing.B) {
	const part = `<h2>Heading <a href="/x">linked</a></h2>
<p>The council of <b>Marston</b> met on Monday and decided, after a <a href="/debate">long debate</a>, to build the bridge.</p>
<figure><img src="a.jpg"><figcaption>The bridge. <span class="credit">Ann Lee</span></figcaption></figure>
<ul><li>One thing<ul><li>and another</li></ul></li><li>The last thing of all</li></ul>
<blockquote><p>We will see, said the mayor.</p></blockquote>
<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2023</td><td>5</td></tr></table>`
	d := parse(b, strings.Repeat(part, 50))
	mask := all(d)
	b.SetBytes(int64(50 * len(part)))
	b.ReportAllocs()
	for b.Loop() {
		Blocks(d, mask, Options{URL: pageURL, Pictures: true})
	}
}
