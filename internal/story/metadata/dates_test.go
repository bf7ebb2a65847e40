package metadata

import (
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
)

func TestFindDate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2024-05-03T15:47:42.389+02:00", "2024-05-03T15:47:42+02:00"},
		{"2024-05-03T15:47:42Z", "2024-05-03T15:47:42Z"},
		{"2024-05-03 15:47:42 -0500", "2024-05-03T15:47:42-05:00"},
		{"2024-05-03T15:47:42", "2024-05-03"}, // no zone
		{"20240503T154742Z", "2024-05-03T15:47:42Z"},
		{"20240503", "2024-05-03"},
		{"2024/5/3", "2024-05-03"},
		{"Fri, 03 May 2024 15:47:42 GMT", "2024-05-03T15:47:42Z"},
		{"May 3, 2024 3:47 p.m. EDT", "2024-05-03T15:47:00-04:00"},
		{"May 3rd, 2024", "2024-05-03"},
		{"12:10 am, 3 May 2024", "2024-05-03"},
		{"May 3, 2024 12:10 AM UTC", "2024-05-03T00:10:00Z"},
		{"Published on Sept. 3 2024", "2024-09-03"},
		{"3. März 2024, 9.05 Uhr", "2024-03-03"},
		{"3 de mayo de 2024", "2024-05-03"},
		{"1er août 2024", "2024-08-01"},
		{"3 maggio 2024", "2024-05-03"},
		{"3 de março de 2024", "2024-03-03"},
		{"3 mei 2024", "2024-05-03"},
		{"3 maja 2024", "2024-05-03"},
		{"3 мая 2024 г.", "2024-05-03"},
		{"3 Μαΐου 2024", "2024-05-03"},
		{"3 ΜΑΪΟΥ 2024", "2024-05-03"},
		{"2012年1月5日 10:30", "2012-01-05"},
		{"2024년 5월 3일", "2024-05-03"},
		{"3 مايو 2024", "2024-05-03"},
		{"٣ مايو ٢٠٢٤", "2024-05-03"},
		{"3 كانون الثاني 2024", "2024-01-03"},
		{"3 במאי 2024", "2024-05-03"},
		{"3 Mayıs 2024", "2024-05-03"},
		{"3. května 2024", "2024-05-03"},
		{"2012. január 5.", "2012-01-05"},
		{"03.04.2012", "2012-04-03"},
		{"03/04/2012", "2012-04-03"},
		{"04/23/2012", "2012-04-23"},
		{"23/04/12", "2012-04-23"},
		{"1714751262", "2024-05-03T15:47:42Z"},
		{"1714751262000", "2024-05-03T15:47:42Z"},
		{"Παρασκευή 3 Μάη 2024", "2024-05-03"},
		{"30 Δεκέμβρη 2011", "2011-12-30"},
		{"03/05/24-10:18", "2024-05-03"},
		{"2024. 5. 3.", "2024-05-03"},
		{"2024.05.03 오후 3:10", "2024-05-03"},
		{"ngày 3 tháng 5 năm 2024", "2024-05-03"},
		{"Thứ sáu, 03/05/2024, 17:47", "2024-05-03"},
		{"3 tháng 5, 2024", "2024-05-03"},
		{"३ मई २०२४, १८:२१", "2024-05-03"},
		{"शुक्रवार, 3 मई 2024", "2024-05-03"},
		{"১৪ জুন ২০২৪", "2024-06-14"},
		{"1404/12/11", ""}, // on Persian pages only
		{"31 February 2024", ""},
		{"3 May 1789", ""},
		{"May 2024", ""},
		{"version 1.2.3", ""},
		{"content_25340717.htm", ""},
		{"call 0171-555-0100", ""},
		{"no date", ""},
	} {
		d, _ := (&dateParser{}).parse(c.text)
		if d.String() != c.want {
			t.Errorf("%q = %q, want %q", c.text, d, c.want)
		}
	}
	for text, want := range map[string]string{
		"۱۴۰۴/۱۲/۱۱": "2026-03-02", "2026/03/02": "2026-03-02", "1404/13/11": "",
		"۱ فروردین ۱۴۰۳": "2024-03-20",
		"۱ فروردین ۱۴۰۴": "2025-03-21",
		"۱۱ اسفند ۱۴۰۴":  "2026-03-02",
		"1 فروردین 1371": "1992-03-21",
		"1 فروردین 1375": "1996-03-20",
		"1 فروردین 1395": "2016-03-20",
		"1 فروردین 1399": "2020-03-20",
		"30 اسفند 1399":  "2021-03-20",
		"1 مهر 1402":     "2023-09-23",
		"31 مهر 1402":    "",
	} {
		if d, _ := (&dateParser{persian: true}).parse(text); d.String() != want {
			t.Errorf("%q on a Persian page = %q, want %q", text, d, want)
		}
	}
	for _, text := range []string{"3 พฤษภาคม 2567", "๓ พฤษภาคม พ.ศ. ๒๕๖๗", "03/05/2567", "3 พฤษภาคม 2024"} {
		if d, _ := (&dateParser{thai: true}).parse(text); d.String() != "2024-05-03" {
			t.Errorf("%q on a Thai page = %q", text, d)
		}
	}
	if d, _ := (&dateParser{monthFirst: true}).parse("03/04/2012"); d.String() != "2012-03-04" {
		t.Errorf("03/04/2012 with month first = %q", d)
	}
}

func TestPublished(t *testing.T) {
	const head = `<title>Gulls learn to read maps</title><h1>Gulls learn to read maps</h1>`
	for _, c := range []struct{ name, url, page, want, source string }{
		{"meta", "", `<meta name="parsely-pub-date" content="2024-05-03T10:00:00Z">` + head, "2024-05-03T10:00:00Z", "meta"},
		{"time of day from another source", "", `<script type="application/ld+json">{"@type":"Article","datePublished":"2024-05-03"}</script><meta property="article:published_time" content="2024-05-03T10:00:00Z">` + head, "2024-05-03T10:00:00Z", "og"},
		{"time near the headline", "", `<time datetime="2020-01-01">then</time>` + body + body + head + `<time datetime="2024-05-03">today</time>` + body, "2024-05-03", "time"},
		{"time of a modification", "", head + `<p>Updated <time datetime="2024-06-01">June</time></p><p>Published <time datetime="2024-05-03">May</time></p>`, "2024-05-03", "time"},
		{"microdata", "", head + `<span itemprop="datePublished" content="2024-05-03">May</span>`, "2024-05-03", "microdata"},
		{"URL", "/2024/05/03/gulls", head, "2024-05-03", "url"},
		{"URL without separators", "/news/20240503/gulls", head, "2024-05-03", "url"},
		{"URL with hyphens", "/gulls-2024-05-03", head, "2024-05-03", "url"},
		{"URL with short numbers", "/2024/5/3/gulls", head, "2024-05-03", "url"},
		{"URL with other numbers", "/gulls/12345678/99", head, "", ""},
		{"printed after the headline", "", head + `<div>Friday, 3 May 2024</div>`, "2024-05-03", "html"},
		{"printed before the headline", "", `<div>3 May 2024</div>` + head, "2024-05-03", "html"},
		{"printed in America", "", `<html lang="en-US">` + head + `<div>05/03/2024</div>`, "2024-05-03", "html"},
		{"printed at the end", "", head + body + body + body + `<div class="pub-date">3 May 2024</div>`, "2024-05-03", "html"},
		{"year last", "", `<meta name="date" content="Fri May 03 16:00:00 EDT 2024">` + head, "2024-05-03T16:00:00-04:00", "meta"},
		{"time of a related story that is marked", "", head + `<time datetime="2024-05-03">Friday</time>` + body + `<div class="related"><time class="published" datetime="2023-01-01">then</time></div>`, "2024-05-03", "time"},
		{"parsely-page", "", `<meta name="parsely-page" content='{"title":"Gulls","pub_date":"2024-05-03T10:00:00Z","author":"Mara Ostrow"}'>` + head, "2024-05-03T10:00:00Z", "meta"},
		{"time of a related story above that of the story", "", head + `<aside><time datetime="2023-01-01">then</time></aside><time datetime="2024-05-03">Friday</time>`, "2024-05-03", "time"},
		{"header above the headline and a related story below", "", `<time datetime="2024-05-03">Friday</time>` + head + `<div class="related-stories"><time datetime="2023-01-01">then</time></div>`, "2024-05-03", "time"},
		{"date in the text, and a declared one", "", `<meta property="article:published_time" content="2024-05-03T10:00:00Z">` + head + `<p>3 May 2024</p><p>On 1 March 2023 the gulls left.</p>`, "2024-05-03T10:00:00Z", "og"},
		{"date of a related story, and a declared one", "", `<meta property="article:published_time" content="2024-05-03T10:00:00Z">` + head + `<aside><p>1 March 2023</p></aside>`, "2024-05-03T10:00:00Z", "og"},
		{"date in a sentence, and a declared one", "", `<meta property="article:published_time" content="2024-05-03T10:00:00Z">` + head + `<p>On 1 March 2023 the gulls left the harbour.</p>`, "2024-05-03T10:00:00Z", "og"},
		{"custom name", "", `<meta name="acme-published-date" content="2024-05-03">` + head, "2024-05-03", "meta"},
		{"save time, and printed earlier", "", `<meta property="article:published_time" content="2024-06-01T10:00:00Z"><meta property="article:modified_time" content="2024-06-01T10:00:00Z">` + head + `<p>May 3, 2024</p>`, "2024-05-03", "html"},
		{"build time, and printed earlier", "", `<meta property="article:published_time" content="2024-06-01T10:00:00Z"><meta property="article:modified_time" content="2024-06-02T10:00:00Z">` + head + `<p>May 3, 2024</p>`, "2024-05-03", "html"},
		{"build time, and the address confirms it", "/2024/06/gulls", `<meta property="article:published_time" content="2024-06-01T10:00:00Z">` + head + `<p>May 3, 2024</p>`, "2024-06-01T10:00:00Z", "og"},
		{"the day before in another zone", "", `<meta property="article:published_time" content="2024-05-04T01:00:00Z">` + head + `<p>May 3, 2024</p>`, "2024-05-04T01:00:00Z", "og"},
		{"forum with the date when a member joined", "", `<script type="application/ld+json">{"@type":"DiscussionForumPosting","datePublished":"2024-06-01T10:00:00Z"}</script>` + head + `<dl><dt>Joined</dt><dd>May 3, 2014</dd></dl>`, "2024-06-01T10:00:00Z", "json-ld"},
		{"forum without a type", "", `<meta property="article:published_time" content="2024-06-01T10:00:00Z">` + head + `<dl><dt>Joined</dt><dd>May 3, 2014</dd></dl>`, "2024-06-01T10:00:00Z", "og"},
		{"abbreviation with the date", "", head + `<abbr itemprop="datePublished" title="2024-05-03T10:00:00Z">10:00</abbr>`, "2024-05-03T10:00:00Z", "microdata"},
		{"day first in the URL", "/news/03-05-2024", head, "2024-05-03", "url"},
		{"line above the time of another story", "", head + `<p>Ann Lee · 3 May 2024</p><p><time datetime="2020-01-01">then</time></p>`, "2024-05-03", "html"},
		{"sentence that begins with a date", "", `<p>3 May 2024</p>` + head + `<p>On 6 August 2019, the gulls of the harbour were counted for the first time, and the results were put in a drawer until somebody found them while looking for the key of the tower.</p>`, "2024-05-03", "html"},
		{"labelled after the date", "", head + strings.Repeat(body, 5) + `<p>Der Beitrag wurde am 3. Mai 2024 um 10 Uhr veröffentlicht</p><p>1 January 2024</p>`, "2024-05-03", "html"},
		{"save time, and printed later", "", `<meta property="article:published_time" content="2024-05-03T10:00:00Z"><meta property="article:modified_time" content="2024-05-03T10:00:00Z">` + head + `<p>June 1, 2024</p>`, "2024-05-03T10:00:00Z", "og"},
		{"save time, and updated earlier", "", `<meta property="article:published_time" content="2024-05-03T10:00:00Z"><meta property="article:modified_time" content="2024-05-03T10:00:00Z">` + head + `<p>Updated May 1, 2024</p>`, "2024-05-03T10:00:00Z", "og"},
		{"only modified", "", `<meta property="article:modified_time" content="2024-05-03T10:00:00Z">` + head, "2024-05-03T10:00:00Z", "og"},
		{"labelled at the end", "", head + strings.Repeat(body, 5) + `<p>Last updated: 3 May 2024</p>`, "2024-05-03", "html"},
		{"labelled in the middle of a line", "", head + strings.Repeat(body, 5) + `<p>Ann | 12 comments | posted on 3 May 2024</p><p>1 January 2024</p>`, "2024-05-03", "html"},
		{"the only date at the end", "", head + strings.Repeat(body, 5) + `<p>3 May 2024</p><p>May 3, 2024</p>`, "2024-05-03", "html"},
		{"list of stories below the body", "", head + strings.Repeat(body, 5) + `<p id="last">The gulls went home.</p><p>Other news</p><p>03.05.2024</p><p>Terns</p><p>04.05.2024</p>`, "", ""},
		{"two dates at the end", "", head + strings.Repeat(body, 5) + `<p>3 May 2024</p><p>4 May 2024</p>`, "", ""},
		{"English without a country", "", `<html lang="en">` + head + `<div>05/03/2024</div>`, "2024-05-03", "html"},
		{"British", "", `<html lang="en-GB">` + head + `<div>03/05/2024</div>`, "2024-05-03", "html"},
		{"the year 1", "", `<meta name="date" content="0001-01-01T00:00:00Z">` + head, "", ""},
		{"the epoch in seconds", "", `<meta name="date" content="0000000000">` + head, "", ""},
		{"tomorrow in another zone", "", `<meta name="date" content="2025-01-01T12:00:00Z">` + head, "2025-01-01T12:00:00Z", "meta"},
		{"the day after tomorrow", "", `<meta name="date" content="2025-01-03">` + head, "", ""},
		{"before the web", "", `<meta name="date" content="1970-01-01">` + head, "", ""},
		{"in the future", "", `<meta name="date" content="2031-01-01">` + head, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{URL: "https://gull.example" + c.url, Title: dom.None, Body: dom.None, Now: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}
			d := parse(t, c.page+body)
			for n := range dom.Node(d.Len()) {
				if d.Attr(n, "id") == "last" {
					o.End = n
				}
			}
			f := Read(d, o)
			if f.Published.String() != c.want || f.Sources["published"] != c.source {
				t.Errorf("published = %q from %q, want %q from %q", f.Published, f.Sources["published"], c.want, c.source)
			}
		})
	}
}

func TestModified(t *testing.T) {
	const head = `<meta property="article:published_time" content="2024-05-03T10:00:00Z"><h1>Gulls learn to read maps</h1>`
	if f := read(t, head+`<meta property="og:updated_time" content="2024-05-04T10:00:00Z">`); f.Modified.String() != "2024-05-04T10:00:00Z" {
		t.Errorf("modified = %q", f.Modified)
	}
	if f := read(t, head+`<meta property="og:updated_time" content="2024-05-01T10:00:00Z">`); !f.Modified.IsZero() {
		t.Errorf("modified %q before it was published", f.Modified)
	}
}
