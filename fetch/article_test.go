package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
)

const story = `<!DOCTYPE html><title>Bridge reopens</title><nav><a href="/">Home</a></nav>
<article><h1>Bridge reopens</h1>
<p>The bridge over the Orla was opened again on Monday, three years after the flood had taken its middle arch.</p>
<p>The mayor crossed it first, on foot, and <a href="more.html">the baker</a> came second with a basket of rolls.</p></article>`

func ExampleClient_Article() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, story)
	}))
	defer site.Close()

	// The site is on this machine, which the guard would refuse.
	client := fetch.New(fetch.Options{AllowPrivate: true})
	a, err := client.Article(context.Background(), site.URL, lede.WithFavor(lede.FavorPrecision))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Title)
	fmt.Println(len(a.Body), a.Body[0].Kind == lede.Paragraph)
	// Output:
	// Bridge reopens
	// 2 true
}

func TestArticle(t *testing.T) {
	requests := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/town/story", http.StatusFound)
		case "/cut":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "100000")
			fmt.Fprint(w, story)
		case "/greek":
			w.Header().Set("Content-Type", "text/html; charset=iso-8859-7")
			fmt.Fprint(w, strings.ReplaceAll(story, "Orla", "\xcf\xf1\xeb\xe1"))
		case "/links":
			fmt.Fprint(w, `<a href="/a">One</a> <a href="/b">Two</a>`)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, story)
		}
	}))
	defer site.Close()
	client := fetch.New(fetch.Options{AllowPrivate: true})
	get := func(path string, opts ...lede.Option) *lede.Article {
		t.Helper()
		a, err := client.Article(t.Context(), site.URL+path, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := get("/moved"); a.URL != site.URL+"/town/story" || a.Partial || a.Body[1].Spans[1].Href != site.URL+"/town/more.html" {
		t.Errorf("after a redirect: %s, partial %v, %+v", a.URL, a.Partial, a.Body[1].Spans)
	}
	if a := get("/", lede.WithURL("https://paper.example/x")); a.URL != "https://paper.example/x" {
		t.Errorf("the caller's address is ignored: %s", a.URL)
	}
	if a := get("/cut"); !a.Partial || a.PartialReason != article.PartialClosed {
		t.Error("a body that broke off passes for a whole article")
	}
	if a := get("/greek"); !strings.Contains(a.Text(), "Ορλα") {
		t.Errorf("the charset of the header is ignored: %s", a.Text())
	}
	if _, err := client.Article(t.Context(), site.URL+"/links"); !errors.Is(err, lede.ErrNoContent) || !strings.Contains(err.Error(), "/links") {
		t.Errorf("%v, want %v with the address", err, lede.ErrNoContent)
	}
	before := requests
	if _, err := client.Article(t.Context(), site.URL, lede.WithMethod("magic")); !errors.Is(err, lede.ErrUnknownMethod) || requests != before {
		t.Errorf("%v after %d requests, want %v before any", err, requests-before, lede.ErrUnknownMethod)
	}
	if _, err := fetch.Article(t.Context(), site.URL); !errors.Is(err, fetch.ErrPrivateAddress) {
		t.Errorf("%v, want %v", err, fetch.ErrPrivateAddress)
	}
}
