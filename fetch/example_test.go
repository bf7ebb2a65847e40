package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/lede-news/lede/fetch"
)

func ExampleClient_Get() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<h1>Bridge reopens</h1>")
	}))
	defer site.Close()

	// The site is on this machine, which the guard would refuse.
	client := fetch.New(fetch.Options{AllowPrivate: true})
	page, err := client.Get(context.Background(), site.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Status, page.ContentType, page.Charset)
	fmt.Printf("%s\n", page.Body)
	// Output:
	// 200 text/html utf-8
	// <h1>Bridge reopens</h1>
}

func ExampleClient_Do() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "story.html", time.Time{}, strings.NewReader("<p>Rain fell.</p>"))
	}))
	defer srv.Close()

	client := fetch.New(fetch.Options{AllowPrivate: true}) // the server is on this machine
	first, err := client.Get(context.Background(), srv.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := client.Do(context.Background(), fetch.Request{URL: srv.URL, ETag: first.Header.Get("ETag")})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(first.Status, again.Status)
	// Output: 200 304
}

func ExampleClient_Get_refused() {
	client := fetch.New(fetch.Options{})
	_, err := client.Get(context.Background(), "http://127.0.0.1/admin")
	fmt.Println(err)
	fmt.Println(errors.Is(err, fetch.ErrPrivateAddress))
	// Output:
	// http://127.0.0.1/admin: 127.0.0.1 is a loopback address, which is not allowed
	// true
}
