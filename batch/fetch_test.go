package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// web counts requests. Addresses that contain "gone" cannot be fetched.
type web struct {
	mu       sync.Mutex
	requests map[string]int
	took     func(address string) time.Duration
}

func (w *web) fetch(ctx context.Context, in *Input) error {
	w.mu.Lock()
	if w.requests == nil {
		w.requests = map[string]int{}
	}
	w.requests[in.URL]++
	w.mu.Unlock()
	if w.took != nil {
		select {
		case <-time.After(w.took(in.URL)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if strings.Contains(in.URL, "gone") {
		return errors.New("it is gone")
	}
	in.Body = []byte("<p>" + in.URL)
	in.URL += "?redirected"
	return nil
}

func addresses(from, to int) (list []string) {
	for n := from; n < to; n++ {
		list = append(list, fmt.Sprintf("https://paper.example/%d", n))
	}
	return list
}

// TestLists reads lists with all that may be in them, plain, compressed and from a
// pipe.
func TestLists(t *testing.T) {
	dir := t.TempDir()
	list := "\ufeff# today\r\nhttps://paper.example/0\r\n\r\n  https://paper.example/1  \nhttps://paper.example/gone\n" + strings.Repeat("x", maxAddress+1) + "\nhttps://paper.example/3"
	plain, packed, page := filepath.Join(dir, "l.txt"), filepath.Join(dir, "l.gz"), filepath.Join(dir, "page.html")
	write(t, plain, list)
	if err := os.WriteFile(packed, gzipped([]byte(list)), 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, page, "<p>a file")
	for name, s := range map[string]*Source{
		"plain": {Lists: []string{plain}}, "compressed": {Lists: []string{packed}}, "pipe": {Lists: []string{"-"}, Stdin: strings.NewReader(list)},
	} {
		s.Paths = []string{page, "https://other.example/"}
		w := &web{}
		s.Fetch = w.fetch
		var out bytes.Buffer
		stats, err := Run(t.Context(), s.Inputs(), echo, writeTo(&out), Options{Workers: 3})
		if err != nil || stats.Done != 7 || stats.Failed != 2 {
			t.Fatalf("%s: %v, %+v", name, err, stats)
		}
		got := parseLines(t, out.Bytes())
		for _, id := range append(addresses(0, 2), "https://paper.example/3", "https://other.example/") {
			if l, ok := got[id]; !ok || l.Error != "" || l.URL != id+"?redirected" {
				t.Errorf("%s: %s: %+v", name, id, l)
			}
		}
		if l := got["https://paper.example/gone"]; l.Error != "it is gone" || l.URL != "https://paper.example/gone" {
			t.Errorf("%s: %+v", name, l)
		}
	}
	s := &Source{Paths: []string{"https://paper.example/1"}}
	for in := range s.Inputs() {
		if in.Err == nil {
			t.Error("an address without Fetch is no error")
		}
	}
}

// TestFetchAhead checks that a slow page does not keep others from being fetched, and
// that they come in order.
func TestFetchAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{took: func(address string) time.Duration {
			if strings.HasSuffix(address, "/0") {
				return time.Hour
			}
			return time.Minute
		}}
		began := time.Now()
		s := &Source{Paths: addresses(0, maxAhead), Fetch: w.fetch}
		var ids []string
		_, err := Run(t.Context(), s.Inputs(), echo, func(r *Result) error { ids = append(ids, r.Line.ID); return nil }, Options{Workers: 2, HangTimeout: time.Second})
		if err != nil || !slices.Equal(ids, addresses(0, maxAhead)) {
			t.Errorf("%v: %v", err, ids)
		}
		if took := time.Since(began); took != time.Hour {
			t.Errorf("it took %v", took)
		}
	})
}

// TestResumedFetches stops a run and resumes it. No page with a result is fetched
// again, and none is missing.
func TestResumedFetches(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "l.txt")
	write(t, list, strings.Join(addresses(0, 300), "\n")+"\n")
	path := filepath.Join(dir, "journal")
	sink := &memorySink{}
	ctx, cancel := context.WithCancel(t.Context())
	first, second := &web{}, &web{}
	opts := Options{Workers: 2, Progress: func(s Stats) {
		if s.Done == 100 {
			cancel()
		}
	}}
	in := &Source{Lists: []string{list}, Fetch: first.fetch}
	j := openRun(t, path, in, Begin)
	stats, err := j.Run(ctx, echo, sink, opts)
	if !errors.Is(err, context.Canceled) || stats.Done < 100 || stats.Failed > 0 {
		t.Fatalf("%v, %d done, %d failed", err, stats.Done, stats.Failed)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	in = &Source{Lists: []string{list}, Fetch: second.fetch} // the reader of the first run may not have ended
	j = openRun(t, path, in, Resume)
	if _, err := j.Run(t.Context(), echo, sink, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := sink.ids(t); !slices.Equal(got, addresses(0, 300)) {
		t.Errorf("%d results", len(got))
	}
	for _, address := range addresses(0, stats.Done) {
		if second.requests[address] > 0 {
			t.Errorf("%s was fetched again", address)
		}
	}
	// Another list is another run.
	write(t, list, "https://paper.example/other\n")
	j.Close()
	if _, err := OpenJournal(path, in, []string{"--method=echo"}, Resume); !errors.Is(err, ErrChanged) {
		t.Errorf("with another list: %v", err)
	}
}

func TestListAsPage(t *testing.T) {
	s := &Source{Paths: []string{"-"}, Stdin: strings.NewReader("https://paper.example/1\nhttps://paper.example/2\n")}
	var errs []error
	for in := range s.Inputs() {
		errs = append(errs, in.Err)
	}
	if len(errs) != 1 || !errors.Is(errs[0], ErrSource) || !strings.Contains(errs[0].Error(), "looks like a list of addresses") {
		t.Errorf("%v", errs)
	}
}
