package metadata

import (
	"strings"
	"testing"
)

func TestAuthors(t *testing.T) {
	ld := func(author string) string {
		return `<script type="application/ld+json">{"@type":"Article","headline":"Gulls","author":` + author + `}</script><h1>Gulls learn to read maps</h1>`
	}
	const head = `<title>Gulls learn to read maps</title><h1>Gulls learn to read maps</h1>`
	for _, c := range []struct{ name, page, want string }{
		{"string", ld(`"Mara Ostrow"`), "Mara Ostrow"},
		{"object", ld(`{"@type":"Person","name":"Mara Ostrow"}`), "Mara Ostrow"},
		{"array", ld(`[{"name":"Mara Ostrow"},"Teo Lindqvist"]`), "Mara Ostrow; Teo Lindqvist"},
		{"names in an array", ld(`{"name":["Mara Ostrow","Teo Lindqvist"]}`), "Mara Ostrow; Teo Lindqvist"},
		{"two parts of a name", ld(`{"givenName":"Mara","familyName":"Ostrow"}`), "Mara Ostrow"},
		{"wrong types", ld(`[null, 7, [], {"name":{}}, {"name":"Mara Ostrow"}]`), "Mara Ostrow"},
		{"meta", head + `<meta name="author" content="Mara Ostrow">`, "Mara Ostrow"},
		{"an address is no name", head + `<meta property="article:author" content="https://social.example/mara"><meta name="dc.creator" content="Mara Ostrow">`, "Mara Ostrow"},
		{"several metas", head + `<meta name="citation_author" content="Ostrow, Mara"><meta name="citation_author" content="Lindqvist, Teo">`, "Mara Ostrow; Teo Lindqvist"},
		{"the case of letters", ld(`["Mara Ostrow","MARA OSTROW"]`), "Mara Ostrow"},
		{"person over the house", `<meta property="og:site_name" content="Daily Gull">` + ld(`"Daily Gull"`) + `<p class="byline">By Mara Ostrow</p>`, "Mara Ostrow"},
		{"the house if nobody else", `<meta property="og:site_name" content="Daily Gull">` + ld(`"Daily Gull"`), "Daily Gull"},
		{"nobody", ld(`"admin"`), ""},
		{"rel", head + `<a rel="author" href="/people/mara">Mara Ostrow</a>`, "Mara Ostrow"},
		{"microdata", head + `<span itemprop="author" itemscope><b>Story by</b> <span itemprop="name">Mara Ostrow</span></span>`, "Mara Ostrow"},
		{"microdata of a comment", head + `<div itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Angry Reader</span></div>`, ""},
		{"class", head + `<div class="article-byline">By Mara Ostrow | 3 May 2024</div>`, "Mara Ostrow"},
		{"row", head + `<div>By Mara Ostrow</div>`, "Mara Ostrow"},
		{"a menu is no byline", head + `<a href="/x">By Company Size</a>`, ""},
		{"far below", head + strings.Repeat(body, 5) + `<p class="author">Angry Reader</p>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := names(read(t, c.page+body)); got != c.want {
				t.Errorf("authors = %q, want %q", got, c.want)
			}
		})
	}
}

func TestSplitNames(t *testing.T) {
	for _, c := range []struct{ byline, want string }{
		{"By Mara Ostrow", "Mara Ostrow"},
		{"BY MARA OSTROW AND TEO LINDQVIST", "MARA OSTROW; TEO LINDQVIST"},
		{"By Mara Ostrow, Teo Lindqvist and Ida Byrne", "Mara Ostrow; Teo Lindqvist; Ida Byrne"},
		{"Mara Ostrow, Teo Lindqvist, and Ida Byrne", "Mara Ostrow; Teo Lindqvist; Ida Byrne"},
		{"Von Mara Ostrow und Teo Lindqvist", "Mara Ostrow; Teo Lindqvist"},
		{"Par Mara Ostrow et Teo Lindqvist", "Mara Ostrow; Teo Lindqvist"},
		{"Por Mara Ostrow y Teo Lindqvist", "Mara Ostrow; Teo Lindqvist"},
		{"di Mara Ostrow e Teo Lindqvist", "Mara Ostrow; Teo Lindqvist"},
		{"Door Mara Ostrow en Teo Lindqvist", "Mara Ostrow; Teo Lindqvist"},
		{"Автор: Мара Остров", "Мара Остров"},
		{"Της Μάρας Όστροβ", "Μάρας Όστροβ"},
		{"作者：王小明", "王小明"},
		{"José Ortega y Gasset", "José Ortega y Gasset"},
		{"Mara Ostrow, Senior Reporter", "Mara Ostrow"},
		{"Mara Ostrow, MD, Ph.D.", "Mara Ostrow, MD, Ph.D."},
		{"Mara Ostrow (mara@gull.example)", "Mara Ostrow"},
		{"Mara Ostrow mara@gull.example", "Mara Ostrow"},
		{"Mara Ostrow | The Daily Gull", "Mara Ostrow"},
		{"https://gull.example/mara", ""},
		{"Reuters", "Reuters"},
		{"Reuters, dpa", "Reuters; dpa"},
		{"Email the author", ""},
		{"", ""},
	} {
		if got := strings.Join(splitNames(c.byline, false), "; "); got != c.want {
			t.Errorf("splitNames(%q) = %q, want %q", c.byline, got, c.want)
		}
	}
}

func TestSplitVisibleNames(t *testing.T) {
	for _, c := range []struct{ byline, want string }{
		{"By Mara Ostrow, Berlin", "Mara Ostrow"},
		{"By Mara Ostrow in Berlin", "Mara Ostrow"},
		{"Mara de la Cruz", "Mara de la Cruz"},
		{"Updated 3 May 2024", ""},
		{"read more about this", ""},
		{"Share", ""},
	} {
		if got := strings.Join(splitNames(c.byline, true), "; "); got != c.want {
			t.Errorf("splitNames(%q) = %q, want %q", c.byline, got, c.want)
		}
	}
}
