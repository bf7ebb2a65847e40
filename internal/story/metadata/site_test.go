package metadata

import (
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func TestSite(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"og", `<meta property="og:site_name" content="The Daily Gull"><meta name="application-name" content="Gull">`, "The Daily Gull"},
		{"publisher", `<script type="application/ld+json">{"@type":"Article","publisher":{"@type":"Organization","name":"The Daily Gull"}}</script>`, "The Daily Gull"},
		{"application", `<meta name="application-name" content="Gull">`, "Gull"},
		{"host", `<p>x`, "quaycourier.example"},
	} {
		if f := read(t, c.page); f.Site != c.want {
			t.Errorf("%s: site = %q, want %q", c.name, f.Site, c.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"link", `<link rel="canonical" href="/news/cranes?page=1">`, "https://www.quaycourier.example/news/cranes?page=1"},
		{"og:url", `<meta property="og:url" content="https://quaycourier.example/a">`, "https://quaycourier.example/a"},
		{"another host's front page", `<link rel="canonical" href="https://elsewhere.example/"><meta property="og:url" content="/news/cranes">`, "https://www.quaycourier.example/news/cranes"},
		{"own front page", `<link rel="canonical" href="/">`, ""},
		{"base", `<base href="https://cdn.example/x/"><link rel="canonical" href="y">`, "https://cdn.example/x/y"},
		{"no address", `<link rel="canonical" href="javascript:void(0)">`, ""},
	} {
		if f := read(t, c.page); f.Canonical != c.want {
			t.Errorf("%s: canonical = %q, want %q", c.name, f.Canonical, c.want)
		}
	}
}

func TestImages(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"og", `<meta property="og:image" content="//img.example/a.jpg">`, "https://img.example/a.jpg"},
		{"twitter", `<meta name="twitter:image" content="/a.jpg">`, "https://www.quaycourier.example/a.jpg"},
		{"JSON-LD string", `<script type="application/ld+json">{"@type":"Article","image":"/a.jpg"}</script>`, "https://www.quaycourier.example/a.jpg"},
		{"JSON-LD array of objects", `<script type="application/ld+json">{"@type":"Article","image":[{"@type":"ImageObject","url":"/a.jpg","width":"600px"},"/b.jpg"]}</script>`, "https://www.quaycourier.example/a.jpg"},
		{"link", `<link rel="image_src" href="/a.jpg">`, "https://www.quaycourier.example/a.jpg"},
		{"data", `<meta property="og:image" content="data:image/gif;base64,R0lGODlhAQABAAAAACw="><meta name="twitter:image" content="/a.jpg">`, "https://www.quaycourier.example/a.jpg"},
		{"one pixel", `<meta property="og:image" content="/p.gif"><meta property="og:image:width" content="1"><meta name="twitter:image" content="/a.jpg">`, "https://www.quaycourier.example/a.jpg"},
		{"lazy", `<img itemprop="image" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/a.jpg">`, "https://www.quaycourier.example/a.jpg"},
		{"of a recording", `<div itemscope itemtype="https://schema.org/AudioObject"><meta itemprop="thumbnailUrl" content="/a.jpg"></div>`, ""},
		{"none", `<meta property="og:image" content="">`, ""},
	} {
		got := ""
		if f := read(t, c.page); len(f.Images) > 0 {
			got = f.Images[0].URL
		}
		if got != c.want {
			t.Errorf("%s: lead = %q, want %q", c.name, got, c.want)
		}
	}
}

// One source has the address of the image, another its caption.
func TestImagesCaption(t *testing.T) {
	f := read(t, `<meta property="og:image" content="/a.jpg"><meta property="og:image:alt" content="A gull"><script type="application/ld+json">
		{"@type":"Article","image":{"url":"/a.jpg","caption":"A gull &amp;amp; a map","creditText":"Ida Byrne"}}</script>`)
	want := article.Image{URL: "https://www.quaycourier.example/a.jpg", Alt: "A gull", Caption: "A gull & a map", Credit: "Ida Byrne"}
	if len(f.Images) != 1 || f.Images[0] != want {
		t.Errorf("images = %+v, want %+v", f.Images, want)
	}
}

// Without the URL of the page, a relative address is dropped.
func TestImagesWithoutURL(t *testing.T) {
	f := Read(parse(t, `<meta property="og:image" content="/a.jpg">`), Options{Title: dom.None, Body: dom.None})
	if len(f.Images) > 0 {
		t.Errorf("images = %v", f.Images)
	}
}

func TestTags(t *testing.T) {
	f := read(t, `<meta name="keywords" content="gulls, maps ,Gulls,, &quot;sea&quot;">`)
	if want := []string{"gulls", "maps", "sea"}; !slices.Equal(f.Tags, want) {
		t.Errorf("tags = %q, want %q", f.Tags, want)
	}
	var many strings.Builder
	for i := range 100 {
		many.WriteString("t" + string(rune('A'+i%26)) + string(rune('a'+i/26)) + ",")
	}
	if f := read(t, `<meta name="keywords" content="`+many.String()+`">`); len(f.Tags) != 30 {
		t.Errorf("%d tags", len(f.Tags))
	}
}

func TestDescription(t *testing.T) {
	f := read(t, `<meta name="description" content="Longer."><meta property="og:description" content="They &amp;amp; we.">`)
	if f.Description != "They & we." || f.Sources["description"] != "og" || f.Standfirst != "" {
		t.Errorf("description = %q from %q, standfirst = %q", f.Description, f.Sources["description"], f.Standfirst)
	}
}

// Some pages declare their headline as the name of the application.
func TestHeadlineAsApplicationName(t *testing.T) {
	f := read(t, `<title>Cranes stand still at the quay</title><meta name="application-name" content="Cranes stand still at the quay">
<h2>Harbour</h2><h1>Cranes stand still at the quay</h1><p>The harbour was quiet on Monday.`)
	if f.Title != "Cranes stand still at the quay" || strings.Contains(f.Site, "Cranes") {
		t.Errorf("title = %q, site = %q", f.Title, f.Site)
	}
}
