package site_test

import (
	"context"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/site"
)

func TestPageSite(t *testing.T) {
	for _, c := range []struct{ name, address, html, want string }{
		{"by its address", "https://www.quay.example/gulls", `<link rel="canonical" href="https://pier.example/gulls">`, "quay.example"},
		{"by its canonical link", "", `<link rel="stylesheet" href="https://cdn.example/a.css"><link rel="Canonical" href="https://pier.example/gulls">`, "pier.example"},
		{"by OpenGraph", "gulls.html", `<link rel="canonical" href="/gulls"><meta property="og:url" content="http://pier.example:8080/gulls">`, "pier.example:8080"},
		{"nobody says", "", `<p>Gulls</p>`, ""},
		{"a strange address", "file:///gulls.html", `<meta property="og:url" content="javascript:alert(1)">`, ""},
	} {
		d, err := dom.Parse(context.Background(), []byte(c.html), dom.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		if got := site.NewPage(d).Site(c.address); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
