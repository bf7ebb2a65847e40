package serve_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/serve"
)

func ExampleHandler() {
	ex, err := lede.New()
	if err != nil {
		log.Fatal(err)
	}
	srv := httptest.NewServer(serve.Handler(ex, serve.Options{}))
	defer srv.Close()

	resp, err := http.Get(srv.URL + "/healthz")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 200 OK
}
