package main

import (
	"bytes"
	"database/sql"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestFollowKill kills lede follow with SIGKILL at random moments, over days of a
// press, and runs it again. After each complete run no story is lost and none is
// written twice, and output, archive, state and index of stories agree. LEDE_KILLS is the
// number of kills, 100 with LEDE_LONG.
func TestFollowKill(t *testing.T) {
	kills := testkit.Kills(t, 6)
	if os.Getenv("LEDE_LONG") != "" && os.Getenv("LEDE_KILLS") == "" {
		kills = 100
	}
	w := newFollowWorld(t, 4)
	begin := w.clock.Load()
	ref := &reference{w: w, dir: t.TempDir()}
	outputs := []string{"out.jsonl", "out.sqlite"}
	done := 0
	for i, name := range outputs {
		if part := (kills*(i+1))/len(outputs) - kills*i/len(outputs); part > 0 {
			t.Run(name, func(t *testing.T) {
				w.clock.Store(begin)
				k := followKiller{w: w, dir: t.TempDir(), random: rand.New(rand.NewPCG(uint64(i), 17)), left: part}
				k.out = filepath.Join(k.dir, "out", name)
				k.more = []string{"--stories", k.index()}
				for day := 0; ; day++ {
					requests, want := ref.at(t, day)
					k.day(t, requests)
					k.check(t, want)
					if k.left == 0 && day > 0 {
						break
					}
					w.turn(t, k.state(), 24*time.Hour)
				}
				checkWithWarcio(t, k.archive())
				t.Logf("%d kills, %d of them after the first commit of a run; %d complete runs, %d records, nothing lost, nothing twice", k.done, k.later, k.runs, k.records)
				done += k.done
			})
		}
	}
	t.Logf("%d kills", done)
}

// reference is what runs without kills find.
type reference struct {
	w        *followWorld
	dir      string
	requests []int
	stories  []map[pressStory]int
}

// at returns the number of requests of a day, and the stories so far with their
// numbers of versions.
func (r *reference) at(t *testing.T, day int) (requests int, stories map[pressStory]int) {
	t.Helper()
	out, state := filepath.Join(r.dir, "out.jsonl"), filepath.Join(r.dir, "follow.db")
	if day == len(r.stories) {
		if day > 0 {
			today := r.w.clock.Load()
			r.w.clock.Add(-int64(24 * time.Hour))
			r.w.turn(t, state, 24*time.Hour)
			r.w.clock.Store(today)
		}
		r.requests = append(r.requests, r.w.run(t, r.w.follow("--state", state, "--out", out)...))
		found := map[pressStory]int{}
		for _, l := range readLines(t, out) {
			found[r.w.story(t, l.URL)]++
		}
		r.stories = append(r.stories, found)
	}
	return r.requests[day], r.stories[day]
}

// followDirs are the files of lede follow.
type followDirs struct{ state, out, archive string }

func newFollowDirs(dir string) followDirs {
	return followDirs{filepath.Join(dir, "follow.db"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "archive")}
}

func (d followDirs) args() []string {
	return []string{"--state", d.state, "--out", d.out, "--warc", d.archive}
}

// check checks that output, archive and state are those of complete runs.
func (d followDirs) check(t *testing.T, w *followWorld, want map[pressStory]int) {
	t.Helper()
	k := followKiller{w: w, dir: filepath.Dir(d.state), out: d.out}
	if k.state() != d.state || k.archive() != d.archive {
		t.Fatal("the files are elsewhere")
	}
	k.check(t, want)
}

// followKiller runs and kills lede follow.
type followKiller struct {
	w                                *followWorld
	dir, out                         string
	random                           *rand.Rand
	left, done, later, runs, records int
	more                             []string // arguments
}

func (k *followKiller) state() string   { return filepath.Join(k.dir, "follow.db") }
func (k *followKiller) archive() string { return filepath.Join(k.dir, "archive") }
func (k *followKiller) index() string   { return filepath.Join(k.dir, "stories.db") }

// day runs lede follow, and kills it at random moments, until a run is complete.
func (k *followKiller) day(t *testing.T, requests int) {
	t.Helper()
	for {
		cmd := k.w.tool(t, k.w.follow(append([]string{"--state", k.state(), "--out", k.out, "--warc", k.archive()}, k.more...)...)...)
		var said bytes.Buffer
		cmd.Stderr = &said
		before := k.sizes()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		watching := k.aim(cmd, requests, ended)
		err := cmd.Wait()
		close(ended)
		<-watching
		if err == nil {
			k.runs++
			return
		}
		if cmd.ProcessState.ExitCode() >= 0 { // it was not killed
			t.Fatalf("%v: %s", err, said.String())
		}
		k.left--
		k.done++
		if !maps.Equal(before, k.sizes()) {
			k.later++
		}
	}
}

// aim chooses the moment of the next kill: when a request arrives, or just after the
// outputs have grown, in the middle of a commit. watching is closed when the
// process is no longer watched.
func (k *followKiller) aim(cmd *exec.Cmd, requests int, ended <-chan struct{}) (watching chan struct{}) {
	watching = make(chan struct{})
	if k.left == 0 {
		k.w.expect(nil)
		close(watching)
		return watching
	}
	if k.random.IntN(2) == 0 {
		limit := 1 + k.random.IntN(requests)
		k.w.expect(func(n int) {
			if n == limit {
				_ = cmd.Process.Kill() // it may have ended
			}
		})
		close(watching)
		return watching
	}
	k.w.expect(nil)
	commits, pause := 1+k.random.IntN(2), time.Duration(k.random.IntN(3000))*time.Microsecond
	before := k.sizes()
	go func() {
		defer close(watching)
		for {
			select {
			case <-ended:
				return
			case <-time.After(time.Millisecond):
			}
			if now := k.sizes(); !maps.Equal(now, before) {
				before = now
				commits--
			}
			if commits == 0 {
				time.Sleep(pause)
				_ = cmd.Process.Kill()
				return
			}
		}
	}()
	return watching
}

// sizes returns the sizes of the outputs, which grow with each commit.
func (k *followKiller) sizes() map[string]int64 {
	sizes := map[string]int64{}
	_ = filepath.WalkDir(filepath.Join(k.dir, "out"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
			return nil // it may have been removed since
		}
		if fi, err := d.Info(); err == nil {
			sizes[path] = fi.Size()
		}
		return nil
	})
	return sizes
}

// check checks what a complete run has left.
func (k *followKiller) check(t *testing.T, want map[pressStory]int) {
	t.Helper()
	got, ids := map[pressStory]int{}, map[string]bool{}
	lines := readLines(t, k.out)
	k.records = len(lines)
	for _, l := range lines {
		if l.Title == "" || l.Text == "" || l.Error != "" {
			t.Errorf("record %+v", l)
		}
		s := k.w.story(t, l.URL)
		if l.Changed != ids[l.ID] || l.Changed != (got[s] > 0) {
			t.Errorf("%s is written again, or changed before it was written: changed %v", l.ID, l.Changed)
		}
		ids[l.ID] = true
		if got[s]++; got[s] > 1+k.w.changes(s) {
			t.Errorf("%d versions of %s, which was changed %d times", got[s], l.URL, k.w.changes(s))
		}
	}
	for s := range want {
		if got[s] == 0 {
			t.Errorf("story %d of %s is lost", s.id, s.site)
		}
	}
	archived := map[pressStory]int{}
	for _, address := range archivedPages(t, k.archive()) {
		archived[k.w.story(t, address)]++
	}
	if !maps.Equal(got, archived) {
		t.Errorf("%d stories in the output, %d in the archive, or not as often", len(got), len(archived))
	}
	k.checkState(t, ids)
	if len(k.more) > 0 {
		k.checkIndex(t, ids)
	}
	k.checkFiles(t)
}

// checkState compares the state with the ids in the output. The state has the address of a
// story that led to it, which may be that of its page for phones.
func (k *followKiller) checkState(t *testing.T, ids map[string]bool) {
	t.Helper()
	known, written := map[pressStory]int{}, map[pressStory]int{}
	for id := range ids {
		written[k.w.story(t, id)]++
	}
	queryRows(t, k.state(), "SELECT url FROM pages WHERE hash IS NOT NULL", func(rows *sql.Rows) error {
		var address string
		err := rows.Scan(&address)
		known[k.w.story(t, address)]++
		return err
	})
	if !maps.Equal(written, known) {
		t.Errorf("%d stories in the output, %d in the state, or different ones", len(written), len(known))
	}
	queryRows(t, k.state(), "SELECT sum(stories), (SELECT count(*) FROM pages WHERE state = 0 AND hash IS NULL AND tries = 0) FROM sites", func(rows *sql.Rows) error {
		var stories, queued int
		err := rows.Scan(&stories, &queued)
		if stories != len(ids) || queued > 0 {
			t.Errorf("%d stories in the output, %d are counted; %d are still queued", len(ids), stories, queued)
		}
		return err
	})
}

// checkIndex compares the index of stories with the ids in the output.
func (k *followKiller) checkIndex(t *testing.T, ids map[string]bool) {
	t.Helper()
	indexed := map[string]bool{}
	queryRows(t, k.index(), "SELECT id FROM articles", func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		indexed[id] = true
		return err
	})
	if !maps.Equal(ids, indexed) {
		t.Errorf("%d stories in the output, %d in the index, or different ones", len(ids), len(indexed))
	}
}

// checkFiles checks that nothing is left that a complete run does not leave.
func (k *followKiller) checkFiles(t *testing.T) {
	t.Helper()
	for _, dir := range []string{k.dir, k.archive(), filepath.Dir(k.out)} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			bad := []string{".begun", ".partial", "-journal"}
			if slices.ContainsFunc(bad, func(end string) bool { return strings.HasSuffix(e.Name(), end) }) {
				t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
			}
		}
	}
}
