package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	lab "github.com/lede-news/lede/internal/lab/command"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"lede": patientMain, "lede-lab": func() { cli.RunMain(lab.New()) }, "lede-deadly": deadlyMain, "lede-measured": measuredMain, "lede-parent": parentMain,
	})
}

// patientMain runs lede without the limits of time for a page that are the
// defaults: a busy machine needs longer.
func patientMain() {
	cmd, _, err := newRoot().Find(os.Args[1:])
	given := slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "--page-time") })
	if err == nil && cmd.HasParent() && cmd.Flags().Lookup("page-time") != nil && !given {
		os.Args = slices.Insert(os.Args, slices.Index(os.Args, cmd.Name())+1, "--page-time=1h")
	}
	main()
}

// TestScripts runs testdata/script/*.txtar. $SITE is a server on loopback with the
// newsroom and pages that fail.
func TestScripts(t *testing.T) {
	concurrent := []string{"damaged", "eval", "pages", "site"}
	srv := httptest.NewServer(testSite())
	t.Cleanup(srv.Close)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"lines": writeArgs, "waitfor": waitForLine},
		Setup: func(env *testscript.Env) error {
			// What has no goroutines of its own is not run again for the race detector.
			script := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			if testkit.Race && testing.Short() && !strings.HasPrefix(script, "batch") && !slices.Contains(concurrent, script) {
				env.T().Skip("does one thing at a time; run without the race detector")
			}
			env.Setenv("SITE", srv.URL)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "chromium" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			_, ok := testkit.FindChromium()
			return ok, nil
		},
		UpdateScripts: os.Getenv("UPDATE") != "",
	})
}

// writeArgs writes its arguments to a file, each on a line, for files with the address
// of the server.
func writeArgs(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(args[1:], "\n")+"\n"), 0o644))
}

// waitForLine is the script command "waitfor FILE REGEXP". It waits until a line of
// the file matches.
func waitForLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor file regexp")
	}
	line, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && line.Match(text) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%s does not match %q: %v\n%s", args[0], args[1], err, text)
		}
	}
}

func testSite() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/marston-gazette/", servePaper)
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/alone/private/story-2.html", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/picture", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("\x89PNG"))
	})
	mux.HandleFunc("/koi8", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=koi8-r")
		_, _ = w.Write([]byte("<p>\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2.</p>"))
	})
	mux.HandleFunc("/app", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!DOCTYPE html><title>Ferry</title><div id="root"></div><script src="/app.js"></script>`))
	})
	mux.HandleFunc("/feed.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/feed+json")
		_, _ = w.Write([]byte(`{"version": "https://jsonfeed.org/version/1.1", "items": []}`))
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(strings.Repeat("<p>Too much of a good thing.</p>", 10_000)))
	})
	mux.HandleFunc("/cut/{how}", serveCutOff)
	mux.HandleFunc("/parts/", part)
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /alone/private/\n"))
	})
	mux.HandleFunc("/alone/story-1.html", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<title>Ferry</title><h1>Ferry returns</h1>" + strings.Repeat("<p>The ferry is back in service after a winter in the dock.</p>", 5) +
			`<a href="private/story-2.html">A story that is not for programs</a> <a href="story-3.html">A story that is gone</a> <a href="http://localhost/story-4.html">A story elsewhere</a>`))
	})
	return mux
}

// servePaper serves the home page and the stories of a synthetic paper in a folder.
func servePaper(w http.ResponseWriter, r *http.Request) {
	const folder = "/marston-gazette"
	paper, _ := newsroom.New(1).Site("marston-gazette")
	page := paper.Index("")
	for i := 0; i < 40 && folder+page.Path != r.URL.Path; i++ {
		page = paper.Page(i)
	}
	if folder+page.Path != r.URL.Path {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(bytes.ReplaceAll(page.HTML, []byte(`HREF="/`), []byte(`HREF="`+folder+"/")))
}

// serveCutOff serves the first half of a story: as if the connection broke, as
// compressed data that ends early, or as a part that nobody asked for.
func serveCutOff(w http.ResponseWriter, r *http.Request) {
	page := []byte("<title>Ferry</title><h1>Ferry returns</h1>" + strings.Repeat("<p>The ferry is back in service after a winter in the dock, and the town is glad of it.</p>", 20))
	half := page[:len(page)/2]
	w.Header().Set("Content-Type", "text/html")
	switch r.PathValue("how") {
	case "closed":
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	case "gzip":
		var z bytes.Buffer
		zw := gzip.NewWriter(&z)
		_, _ = zw.Write(half)
		_ = zw.Flush() // but no end
		w.Header().Set("Content-Encoding", "gzip")
		half = z.Bytes()
	case "range":
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(half)-1, len(page)))
		w.WriteHeader(http.StatusPartialContent)
	}
	_, _ = w.Write(half)
}

// part serves a page of /parts/NAME/N: the stories "long" of three pages, "circle" of
// two that link to each other, "broken", whose second page is gone, and "same", which
// shows the same page for every number.
func part(w http.ResponseWriter, r *http.Request) {
	name, number, _ := strings.Cut(strings.Trim(strings.TrimPrefix(r.URL.Path, "/parts/"), "/"), "/")
	if number == "" || name == "same" {
		number = "1"
	}
	last := map[string]string{"long": "3", "circle": "2", "broken": "2", "same": "1"}[name]
	if name == "broken" && number == "2" || number > last && name != "same" {
		http.NotFound(w, r)
		return
	}
	page := func(n int) string { return fmt.Sprintf(` <a href="/parts/%s/%d/">%d</a>`, name, n, n) }
	nav := page(1) + page(2) + page(3)
	if name != "same" && number == last {
		nav = page(1) + page(2)
	}
	fmt.Fprintf(w, `<!DOCTYPE html><title>The long way round the bay</title><article><h1>The long way round the bay</h1>
<p>By Ida Fenn</p><p>A walk of three days along the coast, told by somebody who had never walked further than to the kiosk.</p>
<p>On day %[1]s the path went up and down number %[1]s of the hills, and the rain of day %[1]s was colder than that of the day before.</p>
<p>Nobody was on the beach on day %[1]s but a man with a dog, who said that day %[1]s was the best of the whole year so far.</p>
<p>The author has written three books about the sea and lives in Sandmouth with two cats and a boat.</p></article><p>Pages:%s</p>`, number, nav)
}

// TestHelpHasExamples checks that every subcommand has an example in its help.
func TestHelpHasExamples(t *testing.T) {
	root := newRoot()
	for _, c := range slices.Concat(root.Commands(), lab.New().Commands(), []*cobra.Command{root}) {
		if c.Example == "" && c.Name() != "help" && c.Name() != "completion" {
			t.Errorf("lede %s has no example", c.Name())
		}
		for _, sub := range c.Commands() {
			if sub.Example == "" && c.Name() == "newsroom" {
				t.Errorf("lede %s %s has no example", c.Name(), sub.Name())
			}
		}
	}
}
