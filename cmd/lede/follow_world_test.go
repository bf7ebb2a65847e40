package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/warc"
)

// followWorld is a press on a loopback server, which child processes use as a proxy.
// Its clock stands still until it is turned.
type followWorld struct {
	press  *newsroom.Press
	sites  []*newsroom.PressSite // those that are followed
	server *httptest.Server
	clock  atomic.Int64 // Unix nanoseconds
	end    time.Time    // the clock is never turned further

	mu       sync.Mutex
	requests int         // of the process so far
	watch    func(n int) // called at each request, with its number; may be nil
}

// newFollowWorld returns a press of which n sites are followed. Sites that ask for
// seconds between requests are left out.
func newFollowWorld(t *testing.T, n int) *followWorld {
	t.Helper()
	today := time.Now().UTC().Truncate(24 * time.Hour)
	w := &followWorld{end: today.AddDate(0, 0, -1)}
	begin := today.AddDate(0, 0, -60)
	w.press = newsroom.NewPress(17, newsroom.PressOptions{Sites: 5 * n, Start: begin.AddDate(0, 0, -2), Archive: 14 * 24 * time.Hour, StoriesPerDay: 2})
	for _, s := range w.press.Sites() {
		if s.CrawlDelay() == 0 && len(w.sites) < n {
			w.sites = append(w.sites, s)
		}
	}
	w.clock.Store(begin.UnixNano())
	handler := w.press.Handler(w.now)
	w.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.count()
		handler.ServeHTTP(out, r)
	}))
	t.Cleanup(w.server.Close)
	return w
}

func (w *followWorld) now() time.Time { return time.Unix(0, w.clock.Load()).UTC() }

func (w *followWorld) count() {
	w.mu.Lock()
	w.requests++
	n, watch := w.requests, w.watch
	w.mu.Unlock()
	if watch != nil {
		watch(n)
	}
}

// expect prepares for a new process. watch is called at each of its requests.
func (w *followWorld) expect(watch func(n int)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests, w.watch = 0, watch
}

// tool returns a command that runs lede with the press as its proxy.
func (w *followWorld) tool(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := tool(t, args...)
	cmd.Env = append(os.Environ(), "HTTP_PROXY="+w.server.URL, "http_proxy="+w.server.URL, "NO_PROXY=", "no_proxy=")
	return cmd
}

// follow returns the arguments of lede follow for the sites. Names are not resolved
// with --allow-private: there is no network but the proxy.
func (w *followWorld) follow(args ...string) []string {
	list := []string{"follow", "--allow-private", "--delay", "10ms", "--budget", "0", "--since", "90d", "--quiet"}
	for _, s := range w.sites {
		list = append(list, s.Address())
	}
	return append(list, args...)
}

// run runs lede follow to its end and returns the number of its requests.
func (w *followWorld) run(t *testing.T, args ...string) int {
	t.Helper()
	w.expect(nil)
	if b, err := w.tool(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("lede %s: %v\n%s", strings.Join(args, " "), err, b)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests
}

// turn turns the clock. The times that the process has kept in the state become
// those of the press, so that the same time passes for both.
func (w *followWorld) turn(t *testing.T, state string, by time.Duration) {
	t.Helper()
	shift := time.Since(w.now()).Milliseconds()
	if w.clock.Add(int64(by)) > w.end.UnixNano() {
		t.Fatal("the days of the press are over")
	}
	db, err := sql.Open("sqlite", state)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var update []string
	for _, c := range []string{"sites.visited", "sites.next", "sources.visited", "sources.read", "sources.next", "pages.seen", "pages.fetched", "pages.next"} {
		table, column, _ := strings.Cut(c, ".")
		update = append(update, "UPDATE "+table+" SET "+column+" = "+column+" - ?1 WHERE "+column+" > ?2")
	}
	if _, err := db.Exec(strings.Join(update, ";"), shift, w.end.UnixMilli()); err != nil {
		t.Fatal(err)
	}
}

// pressStory is a story of a site of the press.
type pressStory struct {
	site string
	id   int
}

// story returns the story at an address.
func (w *followWorld) story(t *testing.T, address string) pressStory {
	t.Helper()
	for _, s := range w.sites {
		if id, ok := s.Lookup(address); ok {
			return pressStory{s.Name, id}
		}
	}
	t.Fatalf("%s is not a story", address)
	return pressStory{}
}

// changes returns how often a story was changed by now.
func (w *followWorld) changes(s pressStory) int {
	for _, site := range w.sites {
		if site.Name == s.site {
			return len(site.Published(w.now())[s.id].Changed)
		}
	}
	return 0
}

// readLines reads the records of an output of lede follow.
func readLines(t *testing.T, out string) []batch.Line {
	t.Helper()
	if filepath.Ext(out) == ".sqlite" {
		return readDatabase(t, out)
	}
	return parseLines(t, readFile(t, out))
}

func parseLines(t *testing.T, b []byte) (lines []batch.Line) {
	t.Helper()
	for line := range bytes.Lines(b) {
		var l batch.Line
		if err := json.Unmarshal(line, &l); err != nil || line[len(line)-1] != '\n' {
			t.Fatalf("%v: %q", err, line)
		}
		lines = append(lines, l)
	}
	return lines
}

func readDatabase(t *testing.T, file string) (lines []batch.Line) {
	t.Helper()
	queryRows(t, file, "SELECT id, url, title, text, changed FROM articles ORDER BY record", func(rows *sql.Rows) error {
		var l batch.Line
		err := rows.Scan(&l.ID, &l.URL, &l.Title, &l.Text, &l.Changed)
		lines = append(lines, l)
		return err
	})
	return lines
}

// queryRows calls read for each row of a query of a SQLite file.
func queryRows(t *testing.T, file, query string, read func(*sql.Rows) error) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// archivedPages returns the addresses of the pages in a folder of web archives, which
// must be sound.
func archivedPages(t *testing.T, dir string) (addresses []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := warc.NewReader(f, warc.Options{OnError: func(err *warc.Error) { t.Errorf("%s: %v", file, err) }})
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if rec.Type == "response" {
				p, err := rec.Page()
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				addresses = append(addresses, p.URL)
			}
		}
		if s := r.Stats(); s.Damaged > 0 {
			t.Errorf("%s: %+v", file, s)
		}
	}
	return addresses
}

// checkWithWarcio checks a folder of web archives with another implementation, if
// scripts/test.sh has installed it.
func checkWithWarcio(t *testing.T, dir string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	for _, python := range []string{"../../bin/warcio/bin/python", "python3"} {
		if exec.Command(python, "-c", "import warcio").Run() != nil {
			continue
		}
		if b, err := exec.Command(python, append([]string{"-m", "warcio.cli", "check"}, files...)...).CombinedOutput(); err != nil {
			t.Errorf("warcio: %v: %s", err, b)
		}
		return
	}
	t.Log("warcio is not installed; scripts/test.sh installs it")
}
