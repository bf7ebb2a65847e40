package sink

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestAppendDays checks that a folder gets a file for each day.
func TestAppendDays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stories")
	synctest.Test(t, func(t *testing.T) { // the time begins at midnight, 2000-01-01
		g := newGrower(dir + "/")
		for range 4 {
			g.open(t)
			for range 3 {
				g.put(t, 2)
				g.record(t)
				g.finish(t)
				time.Sleep(11 * time.Hour)
			}
			g.close(t)
		}
		if _, err := Open(dir, g.opts); err != nil {
			t.Error(err)
		}
		if len(g.marks) > 3 {
			t.Errorf("marks: %v", g.marks)
		}
	})
	var got []string
	for _, name := range namesIn(t, dir) {
		if !strings.HasPrefix(name, "2000-01-0") {
			continue
		}
		got = append(got, formats[0].ids(t, filepath.Join(dir, name))...)
	}
	if !slices.Equal(got, wantIDs(24)) {
		t.Errorf("ids %v in %v", got, namesIn(t, dir))
	}
}

// TestAppendRounds checks that Parquet gets a file for each round, also with shards and
// when a round is interrupted.
func TestAppendRounds(t *testing.T) {
	dir := t.TempDir()
	shard, err := ParseShard("hash:2")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		g := newGrower(filepath.Join(dir, "stories.parquet"))
		g.opts.Shard = shard
		g.open(t)
		for range 2 { // two in the same second
			g.put(t, 10)
			g.record(t)
			g.finish(t)
			g.finish(t) // nothing to do
		}
		time.Sleep(time.Hour)
		g.put(t, 10)
		g.record(t)
		g.put(t, 5)
		g.crash(t)
		g.next -= 5
		time.Sleep(time.Hour)
		g.open(t)
		g.put(t, 10)
		g.record(t)
		g.finish(t)
		g.record(t)
		if len(g.marks) > 0 {
			t.Errorf("marks %v", g.marks)
		}
		if err := g.s.Write(result(t, 99)); err != nil {
			t.Fatal(err)
		}
		if err := g.s.Finish(); err == nil {
			t.Error("no error for results that are not committed")
		}
		g.close(t)
	})
	want := []string{"stories-20000101T000000Z-0.parquet", "stories-20000101T000000Z-1.parquet",
		"stories-20000101T000001Z-0.parquet", "stories-20000101T000001Z-1.parquet",
		"stories-20000101T010000Z-0.parquet", "stories-20000101T010000Z-1.parquet"}
	if got := namesIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("files %v", got)
	}
	got := parquetIDs(t, dir)
	ids := wantIDs(40)
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(ids))) {
		t.Errorf("ids %v", got)
	}
}

const (
	childEnv     = "LEDE_SINK_CHILD"
	childResults = 60
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// state is what the child has recorded.
type state struct {
	Results int
	Marks   map[string]int64
}

func readState(file string) (s state, err error) {
	s.Marks = map[string]int64{}
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &s)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return s, err
}

// child writes results until there are childResults, and a line for each step.
func child(path string) error {
	file := filepath.Join(filepath.Dir(filepath.Dir(path)), "state.json")
	recorded, err := readState(file)
	if err != nil {
		return err
	}
	var shard Shard
	if strings.Contains(path, "shards") {
		shard = Shard{kind: bySite}
	}
	random := rand.New(rand.NewPCG(uint64(recorded.Results), 17))
	g := grower{marks: recorded.Marks}
	s, err := Open(path, Options{Append: true, Marks: recorded.Marks, Shard: shard})
	if err != nil {
		return err
	}
	for n := recorded.Results; n < childResults; {
		for range 1 + random.IntN(4) {
			l := batch.Line{ID: fmt.Sprintf("id%d", n), URL: fmt.Sprintf("https://paper%d.example/%d", n%5, n), Text: strings.Repeat("Words. ", n)}
			r, err := batch.NewResult(l, nil, "")
			if err == nil {
				err = s.Write(r)
			}
			if f, ok := s.(*files); ok && err == nil && random.IntN(3) == 0 {
				for name, o := range f.outputs { // as it is when the buffer is full
					err = errors.Join(err, f.flush(name, o, false))
				}
			}
			if err != nil {
				return err
			}
			fmt.Println("written")
			n++
		}
		marks, err := s.Commit()
		if err != nil {
			return err
		}
		fmt.Println("committed")
		g.apply(marks)
		b, _ := json.Marshal(state{n, g.marks})
		if err := errors.Join(os.WriteFile(file+".new", b, 0o644), os.Rename(file+".new", file)); err != nil {
			return err
		}
		fmt.Println("recorded")
		if random.IntN(2) == 0 || n >= childResults {
			if err := s.Finish(); err != nil {
				return err
			}
			fmt.Println("finished")
		}
	}
	return errors.Join(s.Finish(), s.Close()) // a complete run may have been killed before Finish
}

// TestKill kills a program that appends at random moments. LEDE_KILLS is how often, for
// each kind of output.
func TestKill(t *testing.T) {
	for i, name := range []string{"out.jsonl", "out.csv.gz", "out.sqlite", "out.parquet", "days/", "shards.jsonl.zst"} {
		t.Run(name, func(t *testing.T) {
			kills, outputs := testkit.Kills(10, 3), 0
			random := rand.New(rand.NewPCG(uint64(i), 17))
			for kills > 0 {
				home := t.TempDir()
				path := filepath.Join(home, "out", name)
				if strings.HasSuffix(name, "/") {
					path += "/" // which Join removes
				}
				for {
					lines := 1 << 30
					if kills > 0 {
						lines = random.IntN(25)
					}
					if testkit.RunKilled(t, lines, childEnv+"="+path) {
						break
					}
					kills--
				}
				s, err := readState(filepath.Join(home, "state.json"))
				if name == "days/" {
					s, err = readState(filepath.Join(home, "out", "state.json"))
				}
				if err != nil || s.Results < childResults {
					t.Fatalf("%d results: %v", s.Results, err)
				}
				checkKilled(t, filepath.Join(home, "out"), name, s.Results)
				outputs++
			}
			t.Logf("%d complete outputs, no result lost, none twice", outputs)
		})
	}
}

// checkKilled checks that an output has every result once, and that nothing is left.
func checkKilled(t *testing.T, dir, name string, n int) {
	t.Helper()
	var ids []string
	switch name {
	case "out.parquet":
		ids = parquetIDs(t, dir)
	case "days/":
		dir = filepath.Join(dir, "days")
		for _, file := range namesIn(t, dir) {
			ids = append(ids, idsOf(t, filepath.Join(dir, file), noDecompression)...)
		}
	case "shards.jsonl.zst":
		for _, file := range namesIn(t, dir) {
			ids = append(ids, formats[2].ids(t, filepath.Join(dir, file))...)
		}
		slices.SortFunc(ids, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	default:
		ids = looseIDs(t, filepath.Join(dir, name), name)
		if files := namesIn(t, dir); len(files) != 1 {
			t.Errorf("left behind: %v", files)
		}
	}
	if want := wantIDs(n); !slices.Equal(ids, want) {
		t.Errorf("%d results, want %d: %v", len(ids), n, ids)
	}
	for _, file := range namesIn(t, dir) {
		if strings.HasSuffix(file, ".begun") || strings.HasSuffix(file, ".lock") || strings.HasSuffix(file, ".partial") {
			t.Errorf("left behind: %s", file)
		}
	}
}
