package main

import (
	"bytes"
	"errors"
	"maps"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
)

// trapLines are what lede follow says about each trap of a press, in one line. With
// --allow-private a redirect to loopback ends at a closed port.
var trapLines = map[string]string{
	"trap-calendar":    `no story among \d+ pages: `,
	"trap-session":     ``,
	"trap-redirects":   `none of 3 pages could be fetched: .*redirect loop`,
	"trap-soft404":     `no story among 10 pages: the page says that there is none`,
	"trap-gzip":        `none of 2 pages could be fetched: .*larger than 20971520 bytes`,
	"trap-bigmap":      `.*/sitemap\.xml: (only a part was read|not done after)`,
	"trap-mapcircle":   `no stories in 7 sitemaps, `,
	"trap-charset":     ``,
	"trap-bigrobots":   `.*robots\.txt is too large`,
	"trap-hangs":       `robots\.txt cannot be fetched: .*not done after`,
	"trap-drips":       `not done after`,
	"trap-scripts":     `.*the page has no links without scripts; try --render`,
	"trap-403":         `answered 403 Forbidden`,
	"trap-429":         `answered 429 Too Many Requests`,
	"trap-forbids":     `not allowed by robots\.txt`,
	"trap-robots500":   `robots\.txt cannot be fetched: .*answered 500 `,
	"trap-empty":       `no feed, no sitemap and no links to stories were found`,
	"trap-redirectout": `no page could be fetched yet: .*http://127\.0\.0\.1:9/`,
}

// TestFollowTraps visits all traps at once. Each has one line on standard error, which
// the table of --status repeats.
func TestFollowTraps(t *testing.T) {
	press := newsroom.NewPress(1, newsroom.PressOptions{Sites: 1, Traps: true})
	server := httptest.NewServer(press.Handler(time.Now))
	t.Cleanup(server.Close)
	w := &followWorld{press: press, server: server}
	traps := slices.Sorted(maps.Keys(press.Traps()))
	state := filepath.Join(t.TempDir(), "follow.db")
	args := append([]string{"follow", "--allow-private", "--delay", "1ms", "--timeout", "6s", "--since", "3650d", "--state", state, "--out", "-"}, traps...)
	cmd := w.tool(t, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	exit := (*exec.ExitError)(nil)
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%v, want exit status 1", err)
	}
	table, err := w.tool(t, "follow", "--state", state, "--status").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range traps {
		name := strings.TrimSuffix(strings.TrimPrefix(address, "http://www."), ".example/")
		want, ok := trapLines[name]
		lines := linesWith(said.String(), "lede: "+address)
		row := linesWith(string(table), address+" ")
		switch {
		case !ok:
			t.Errorf("nothing is known about %s", address)
		case want == "" && len(lines) > 0, want != "" && len(lines) != 1:
			t.Errorf("%s: %d lines: %q", address, len(lines), lines)
		case want != "" && !regexp.MustCompile("^lede: "+regexp.QuoteMeta(address)+":? "+want).MatchString(lines[0]):
			t.Errorf("%q, want %s", lines[0], want)
		case len(row) != 1 || want != "" && !strings.HasSuffix(row[0], strings.TrimLeft(strings.TrimPrefix(lines[0], "lede: "+address), ": ")):
			t.Errorf("%s: %q in the table", address, row)
		}
	}
	last := linesWith(said.String(), "lede: ")
	if want := " of 18 sites, "; !strings.Contains(last[len(last)-1], want) {
		t.Errorf("no summary at the end: %s", said.String())
	}
	stories := parseLines(t, out.Bytes())
	for _, l := range stories {
		if !strings.Contains(l.URL, "trap-session") && !strings.Contains(l.URL, "trap-charset") {
			t.Errorf("%s was written as a story", l.URL)
		}
	}
	if len(stories) < 5 {
		t.Errorf("%d stories", len(stories))
	}
}

// linesWith returns the lines of a text that begin with a prefix.
func linesWith(text, prefix string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			list = append(list, strings.TrimSuffix(line, "\n"))
		}
	}
	return list
}
