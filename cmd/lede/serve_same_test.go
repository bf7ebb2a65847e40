package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/serve"
	"github.com/lede-news/lede/site/store"
)

// newService starts the service as lede serve does, without limits of time.
func newService(t *testing.T, opts serve.Options) string {
	t.Helper()
	ex, err := lede.New(lede.WithLimits(lede.Limits{Time: time.Hour}))
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(serve.Handler(ex, opts))
	t.Cleanup(srv.Close)
	return srv.URL
}

// command runs lede and returns its output and whether it succeeded.
func command(t *testing.T, stdin []byte, args ...string) (string, bool) {
	t.Helper()
	var out, messages bytes.Buffer
	code := run(t.Context(), args, bytes.NewReader(stdin), &out, &messages)
	if code != cli.ExitOK && code != cli.ExitFailed {
		t.Fatalf("lede %s: exit status %d: %s", strings.Join(args, " "), code, &messages)
	}
	return out.String(), code == cli.ExitOK
}

// ask sends a page and returns the response and whether it succeeded.
func ask(t *testing.T, address string, page []byte) (string, bool) {
	t.Helper()
	resp, err := http.Post(address, "text/html", bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(got), resp.StatusCode == http.StatusOK
}

// sameOptions are options of lede extract, and of the service.
var sameOptions = []struct {
	flags string
	query string
}{
	{"-f json", ""},
	{"-f json --explain", "explain=true"},
	{"-f json --method coreex --set threshold=0.8", "method=coreex&set=threshold=0.8"},
	{"-f json --favor recall --with comments,captions,tables --no-pictures", "favor=recall&with=comments,captions&with=tables&pictures=false"},
	{"-f json --only-articles --favor precision", "only_articles=true&favor=precision"},
	{"-f json --charset windows-1252", "charset=windows-1252"},
	{"-f json --explain --method twcem --link-text Ferry", "explain=true&method=twcem&link_text=Ferry"},
	{"-f md", "format=md"},
	{"-f text --with links", "format=text&with=links"},
	{"-f html --body-only", "format=html&body_only=true"},
	{"-f styled", "format=styled"},
	{"-f cleaned --no-pictures", "format=cleaned&pictures=false"},
	{"-f json --with cleaned", "with=cleaned"},
}

// TestServeSame checks that the service answers byte for byte what lede extract prints, with
// each of the options on a page of ours.
func TestServeSame(t *testing.T) {
	t.Parallel()
	service := newService(t, serve.Options{Workers: 2})
	own := ownPages(t)
	for i, o := range sameOptions {
		page, address := own[i%len(own)], fmt.Sprintf("https://paper.example/%d", i)
		want, ok := command(t, page, append(append([]string{"extract", "--page-time", "1h", "--url", address}, strings.Fields(o.flags)...), "-")...)
		got, gotOK := ask(t, service+"/v1/extract?url="+url.QueryEscape(address)+"&"+o.query, page)
		if gotOK != ok || ok && got != want {
			t.Errorf("%s, options %s: the service answers %v\n%.3000s\nand the command prints %v\n%.3000s", address, o.flags, gotOK, got, ok, want)
		}
	}
	page := readFile(t, "../../testdata/pages/modern-semantic/source.html")
	want, _ := command(t, page, "links", "--json", "--url", "https://paper.example/", "-")
	want = `{"links":[` + strings.ReplaceAll(strings.TrimSpace(want), "\n", ",") + "]}\n"
	if got, _ := ask(t, service+"/v1/links?url=https://paper.example/", page); got != want || !strings.Contains(want, "},{") {
		t.Errorf("links: the service answers\n%s\nand the command prints\n%s", got, want)
	}
}

// TestServeSameSites checks that the service learns about sites as lede extract does.
func TestServeSameSites(t *testing.T) {
	t.Parallel()
	known, err := store.Open("", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	service := newService(t, serve.Options{Sites: known})
	file := filepath.Join(t.TempDir(), "sites.db")
	for n := range 8 {
		page := fmt.Appendf(nil, `<title>Story %d | The Paper</title><nav><a href="/">Home</a></nav><article><h1>Story %[1]d of the day</h1>%s
			<p>Follow us everywhere and sign up for our letter, which is free and comes each day.</p></article><footer>All rights reserved</footer>`,
			n, strings.Repeat(fmt.Sprintf("<p>The council said on day %d that bridge %d stays closed, and nobody objected to it.</p>", n, n*7), 5))
		address := fmt.Sprintf("https://paper.example/%d", n)
		want, ok := command(t, page, "extract", "--page-time", "1h", "-f", "json", "--explain", "--site-store", file, "--url", address, "-")
		got, gotOK := ask(t, service+"/v1/extract?explain=true&url="+address, page)
		if !ok || !gotOK || got != want {
			t.Fatalf("page %d: the service answers\n%s\nand the command prints\n%s", n, got, want)
		}
		again, _ := ask(t, service+"/v1/extract?memory=use&url="+address, page) // must teach nothing
		if n == 7 && strings.Contains(again, "Follow us") {
			t.Errorf("what all pages of the site have is kept: %s", again)
		}
		if plain, _ := ask(t, service+"/v1/extract?memory=off&url="+address, page); !strings.Contains(plain, "Follow us") {
			t.Errorf("page %d without the site: %s", n, plain)
		}
	}
}
