package batch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lede-news/lede/warc"
)

// readAll reads a source and returns what is known of its pages, each in a line. It does not
// use Run, which takes some time to begin.
func readAll(t *testing.T, in *Source) (lines []string, stats Stats) {
	t.Helper()
	for p := range in.Inputs() {
		text := []byte("no text")
		err := p.Err
		if err == nil {
			err = p.finish()
		}
		if r, bad := p.Open(); err == nil && bad == nil {
			text, err = io.ReadAll(r)
			r.Close()
		}
		lines = append(lines, fmt.Sprintf("%s %s %v %d %+v %s", p.ID, p.URL, err, p.Lost, p.found, text))
		stats.Done++
		stats.Lost += p.Lost
		stats.addTally(p.tally)
	}
	in.Rest(&stats)
	if stats.Records+stats.Damaged != stats.Done+stats.Skipped {
		t.Errorf("%v %+v: %d records and %d damaged ranges, but %d pages and %d skipped records",
			in.Paths, in.Range, stats.Records, stats.Damaged, stats.Done, stats.Skipped)
	}
	return lines, stats
}

// readRanges reads the tasks of archives each by itself, ranges again whose beginning was
// found wrongly, and returns the lines of all, and how many ranges were read again.
func readRanges(t *testing.T, paths []string, split int64) (lines []string, sum Stats, again int) {
	t.Helper()
	var archives []Archive
	for _, path := range paths {
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, Archive{path, fi.Size()})
	}
	next := int64(-1)
	for _, task := range Plan(archives, split) {
		in := &Source{Paths: []string{task.Path}, Name: task.Name, Origin: task.Path, MaxBytes: 1 << 16, Range: Range{From: task.From, Until: task.Until}}
		part, stats := readAll(t, in)
		if task.From > 0 && !stats.Follows(next, task.Until) {
			in.Range = Range{From: next, Until: task.Until, Exact: true}
			part, stats = readAll(t, in)
			again++
			if !stats.Follows(next, task.Until) {
				t.Fatalf("%+v, read from %d: begin %d, next %d", task, next, stats.Begin, stats.Next)
			}
		}
		if stats.Begin >= 0 {
			next = stats.Next
		}
		lines = append(lines, part...)
		sum.Done += stats.Done
		sum.Records += stats.Records
		sum.Skipped += stats.Skipped
		sum.Damaged += stats.Damaged
		sum.Lost += stats.Lost
	}
	return lines, sum, again
}

// checkRanges checks that the ranges of an archive have the pages of the archive.
func checkRanges(t *testing.T, path string, splits ...int64) (again int) {
	t.Helper()
	for _, readers := range []int{1, 3} {
		whole := sourceInParts(path, readers, 1000)
		want, all := readAll(t, whole)
		for _, split := range splits {
			got, sum, n := readRanges(t, []string{path}, split)
			if diff := firstDiff(got, want); diff != "" {
				t.Fatalf("in ranges of %d bytes: %s", split, diff)
			}
			if sum.Records != all.Records || sum.Skipped != all.Skipped || sum.Damaged != all.Damaged || sum.Lost != all.Lost {
				t.Errorf("in ranges of %d bytes: %+v, want %+v", split, sum, all)
			}
			again += n
		}
	}
	return again
}

func TestRanges(t *testing.T) {
	for _, compression := range []warc.Compression{warc.Gzip, warc.Zstd, warc.Uncompressed} {
		whole, entries := longArchive(t, compression)
		found, _ := followed(t, compression)
		ext := []string{".warc.gz", ".warc.zst", ".warc"}[compression]
		at := func(i int) int64 { return entries[i] }
		for name, content := range map[string][]byte{
			"whole":    whole,
			"damaged":  zeros(whole, at(4)+200, at(8)-10),
			"begins":   zeros(whole, 0, at(2)+10),
			"gap":      append(bytes.Clone(whole[:at(6)+300]), whole[at(9):]...),
			"noise":    slices.Concat(whole[:at(6)], bytes.Repeat([]byte("noise"), 2000), whole[at(6):]),
			"cut":      whole[:at(14)+300],
			"ends":     append(bytes.Clone(whole[:at(9)]), bytes.Repeat([]byte("noise"), 2000)...),
			"nothing":  bytes.Repeat([]byte("this is no archive "), 500),
			"empty":    {},
			"followed": found,
		} {
			t.Run(name+ext, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a"+ext)
				write(t, path, string(content))
				checkRanges(t, path, 300, 1111, 5000, int64(len(content))/2+1)
			})
		}
	}
	plain, _ := longArchive(t, warc.Uncompressed)
	t.Run("in one piece", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.warc.gz")
		write(t, path, string(gzipped(plain)))
		checkRanges(t, path, 300, 5000)
	})
}

// TestRangesAtEveryOffset divides an archive at every byte, or with -short at every third.
func TestRangesAtEveryOffset(t *testing.T) {
	step := int64(1)
	if testing.Short() {
		step = 3
	}
	for _, compression := range []warc.Compression{warc.Gzip, warc.Uncompressed} {
		content := warcOf(t, compression)
		path := filepath.Join(t.TempDir(), []string{"a.warc.gz", "", "a.warc"}[compression])
		write(t, path, string(content))
		want, _ := readAll(t, source(path))
		for from := int64(1); from < int64(len(content)); from += step {
			first := &Source{Paths: []string{path}, Range: Range{Until: from}}
			second := &Source{Paths: []string{path}, Range: Range{From: from}}
			got, stats := readAll(t, first)
			rest, after := readAll(t, second)
			if !after.Follows(stats.Next, 0) {
				t.Fatalf("at %d: the second range begins at %d, and the first says %d", from, after.Begin, stats.Next)
			}
			if diff := firstDiff(append(got, rest...), want); diff != "" {
				t.Fatalf("at %d: %s", from, diff)
			}
		}
	}
}

// TestRangesWithRecordsInPages has pages that show WARC records, which ranges that begin
// in them take for records at first.
func TestRangesWithRecordsInPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc")
	write(t, path, string(recordsInPages(t)))
	if again := checkRanges(t, path, 1000, 7000, 30_000); again == 0 {
		t.Error("no range began at a shown record: the test is too easy")
	}
}

// TestTasks compares the tasks of several archives with one run over all.
func TestTasks(t *testing.T) {
	dir := t.TempDir()
	contents := map[string][]byte{
		"a/crawl.warc": warcOf(t, warc.Uncompressed), "b/crawl.warc": warcOf(t, warc.Uncompressed), "c.warc.gz": warcOf(t, warc.Gzip),
		"d.tar": tarOf(t), "e.tar.gz": gzipped(tarOf(t)), "f.zip": zipOf(t), "g.jsonl": linesOf(t), "h.jsonl.gz": gzipped(linesOf(t)),
		"broken.tar": tarOf(t)[:5000], "broken.zip": zipOf(t)[:900], "broken.jsonl": append(linesOf(t), "\n{\n\n"...), "page.html": []byte(story(1)),
	}
	var paths []string
	for name, content := range contents {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, string(content))
		paths = append(paths, path)
	}
	slices.Sort(paths)
	want, all := readAll(t, &Source{Paths: paths, MaxBytes: 1 << 16})
	for _, split := range []int64{0, 400, 1 << 20} {
		got, sum, _ := readRanges(t, paths, split)
		if diff := firstDiff(got, want); diff != "" {
			t.Fatalf("split %d: %s", split, diff)
		}
		if sum.Records != all.Records || sum.Skipped != all.Skipped || sum.Damaged != all.Damaged {
			t.Errorf("split %d: %+v, want %+v", split, sum, all)
		}
	}
	for name, content := range contents { // alone, and as a copy
		path, copied := filepath.Join(dir, name), filepath.Join(t.TempDir(), "copy"+filepath.Base(name))
		write(t, copied, string(content))
		want, _ := readAll(t, source(path))
		for _, origin := range []string{path, "file://" + path} {
			got, _ := readAll(t, &Source{Paths: []string{copied}, Origin: origin})
			if diff := firstDiff(got, want); diff != "" {
				t.Errorf("a copy of %s: %s", name, diff)
			}
		}
	}
}

// TestCountsResumed checks that the counts of a run do not depend on where it was
// interrupted.
func TestCountsResumed(t *testing.T) {
	for name, content := range map[string][]byte{
		"a.warc": warcOf(t, warc.Uncompressed), "a.warc.gz": warcOf(t, warc.Gzip), "a.tar": tarOf(t), "a.zip": zipOf(t), "a.jsonl": linesOf(t),
	} {
		path := filepath.Join(t.TempDir(), name)
		write(t, path, string(content))
		_, want := readAll(t, source(path))
		var positions []position
		var sums []tally
		sum := tally{}
		for p := range source(path).Inputs() {
			sum.add(p.tally)
			positions, sums = append(positions, p.next), append(sums, sum)
		}
		for i, at := range positions {
			got := sums[i]
			in := source(path)
			for p := range in.from(at) {
				got.add(p.tally)
			}
			got.add(in.ending.Load().tally)
			if got.records != want.Records || got.skipped != want.Skipped || got.damaged != want.Damaged {
				t.Errorf("%s, resumed after page %d: %+v, want %+v", name, i, got, want)
			}
		}
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		archives []Archive
		split    int64
		want     []Task
	}{
		{nil, 0, nil},
		{[]Archive{{"s3a://b/a.warc.gz", 25}}, 10, []Task{
			{0, 0, "s3a://b/a.warc.gz", "", 0, 10}, {1, 0, "s3a://b/a.warc.gz", "", 10, 20}, {2, 0, "s3a://b/a.warc.gz", "", 20, 0},
		}},
		{[]Archive{{"a.warc", 20}, {"a.tar", 20}, {"b.warc", 10}, {"c.warc", -1}}, 10, []Task{
			{0, 0, "a.warc", "a.warc", 0, 10}, {1, 0, "a.warc", "a.warc", 10, 0}, {2, 1, "a.tar", "a.tar", 0, 0},
			{3, 2, "b.warc", "b.warc", 0, 0}, {4, 3, "c.warc", "c.warc", 0, 0},
		}},
		{[]Archive{{"hdfs://n/1/a.warc", 20}, {"hdfs://n/2/a.warc", 20}, {"file:///data/b.warc", 1}, {"file:/data/c.warc", 1}}, 0, []Task{
			{0, 0, "hdfs://n/1/a.warc", "1/a.warc", 0, 0}, {1, 1, "hdfs://n/2/a.warc", "2/a.warc", 0, 0},
			{2, 2, "/data/b.warc", "b.warc", 0, 0}, {3, 3, "/data/c.warc", "c.warc", 0, 0},
		}},
	} {
		if got := Plan(c.archives, c.split); !slices.Equal(got, c.want) {
			t.Errorf("Plan(%v, %d):\ngot  %v\nwant %v", c.archives, c.split, got, c.want)
		}
	}
}

// FuzzRanges checks that ranges have the pages of the archive, whatever it contains.
func FuzzRanges(f *testing.F) {
	t := new(testing.T)
	for kind, seed := range [][]byte{warcOf(t, warc.Gzip), warcOf(t, warc.Uncompressed), warcOf(t, warc.Zstd)} {
		f.Add(byte(kind), uint16(700), seed)
	}
	found, _ := followed(t, warc.Uncompressed)
	f.Add(byte(1), uint16(900), found[:20_000])
	f.Fuzz(func(t *testing.T, kind byte, split uint16, content []byte) {
		path := filepath.Join(t.TempDir(), []string{"a.warc.gz", "a.warc", "a.warc.zst"}[kind%3])
		write(t, path, string(content))
		want, all := readAll(t, &Source{Paths: []string{path}, MaxBytes: 1 << 16})
		got, sum, _ := readRanges(t, []string{path}, max(int64(split), int64(len(content))/50, 20))
		if diff := firstDiff(got, want); diff != "" {
			t.Fatal(diff)
		}
		if sum.Records != all.Records || sum.Skipped != all.Skipped || sum.Damaged != all.Damaged || sum.Lost != all.Lost {
			t.Errorf("%+v, want %+v", sum, all)
		}
	})
}
