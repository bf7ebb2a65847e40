// Package testkit has helpers for the tests of several packages: the corpora
// beside the repository, and Chromium.
package testkit

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Shared returns the path of a file in the folder named shared that is beside
// the repository, or beside one of the folders around it, as for a Git worktree.
// The file need not exist.
func Shared(elem ...string) string {
	beside := filepath.Dir(root())
	for dir := beside; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "corpora")); err == nil {
			beside = dir
			break
		}
	}
	return filepath.Join(append([]string{beside, "shared"}, elem...)...)
}

// root finds the repository from the folder of the test's package.
func root() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "internal", "lab", "testkit")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			panic("testkit: the test does not run inside the repository")
		}
		dir = up
	}
}

// Step returns how many pages, of many, a test goes on from one that it looks at:
// short with -short, 1 in the long form ("make long"), and usual otherwise.
func Step(usual, short int) int {
	switch {
	case testing.Short():
		return short
	case os.Getenv("LEDE_LONG") != "":
		return 1
	}
	return usual
}

// Corpus returns the folder of a corpus, or skips the test.
func Corpus(tb testing.TB, name string) string {
	tb.Helper()
	dir := Shared("corpora", name)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no corpus %s in ../shared/corpora beside the repository", name)
	}
	return dir
}

// Corpora returns the names of all corpora, or skips the test if there are none.
func Corpora(tb testing.TB) []string {
	tb.Helper()
	var names []string
	dirs, _ := filepath.Glob(Shared("corpora", "*", "gold.jsonl"))
	for _, dir := range dirs {
		names = append(names, filepath.Base(filepath.Dir(dir)))
	}
	if len(names) == 0 {
		tb.Skip("no corpora in ../shared/corpora beside the repository")
	}
	return names
}

// CorpusFiles returns the pages of the named corpora, every step-th of them, or
// skips the test if there are none. The name "*" stands for all corpora. For a
// benchmark with -short it returns a hundredth of them, to see that it runs.
func CorpusFiles(tb testing.TB, step int, names ...string) []string {
	tb.Helper()
	if _, ok := tb.(*testing.B); ok && testing.Short() {
		step *= 100
	}
	var all, some []string
	for _, name := range names {
		files, _ := filepath.Glob(Shared("corpora", name, "pages", "*.html.gz"))
		all = append(all, files...)
	}
	if len(all) == 0 {
		tb.Skip("no corpora in ../shared/corpora beside the repository")
	}
	for i := 0; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some
}

// CorpusPages returns the contents of CorpusFiles.
func CorpusPages(tb testing.TB, step int, names ...string) [][]byte {
	tb.Helper()
	files := CorpusFiles(tb, step, names...)
	pages := make([][]byte, len(files))
	for i, f := range files {
		pages[i] = Gunzip(tb, f)
	}
	return pages
}

// Gunzip returns the contents of a gzip file.
func Gunzip(tb testing.TB, path string) []byte {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

const (
	waitTime = 3 * time.Minute // for busy machines: what fails is not there at all
	pollTime = 20 * time.Millisecond
)

// WaitFor waits until a condition holds. It ends the test if that takes more
// than three minutes.
func WaitFor(tb testing.TB, description string, condition func() bool) {
	tb.Helper()
	for end := time.Now().Add(waitTime); !condition(); time.Sleep(pollTime) {
		if time.Now().After(end) {
			tb.Fatalf("waiting for %s: timeout after %v", description, waitTime)
		}
	}
}

// SkipRace skips a test in the short form of the race detector: one whose processes have the
// goroutines of others that are not skipped, and do nothing else concurrently.
func SkipRace(t testing.TB) {
	if Race && testing.Short() {
		t.Skip("has no goroutines of its own; run without the race detector")
	}
}
