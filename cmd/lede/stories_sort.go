package main

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/lede-news/lede/internal/placing"
	"github.com/lede-news/lede/stories"
)

// timeSorter sorts any number of articles by time in bounded memory. Sorted runs are
// written to a temporary file and merged.
type timeSorter struct {
	folder string // of the temporary file
	limit  int    // bytes of articles in memory

	list  []*placing.Article
	bytes int
	count int
	file  *os.File
	size  int64
	runs  []int64 // where they end in the file
}

// sortMemory is how many bytes of articles are sorted in memory.
const sortMemory = 64 << 20

func (s *timeSorter) add(a *stories.Article) error {
	s.list = append(s.list, placing.NewArticle(a))
	s.count++
	const overhead = 200
	if s.bytes += len(a.Text) + len(a.Title) + len(a.URL) + len(a.ID) + overhead; s.bytes < s.limit {
		return nil
	}
	return s.spill()
}

// spill writes the articles in memory to the file.
func (s *timeSorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.folder, ".lede-stories-*"); err != nil {
			return fmt.Errorf("cannot sort the articles: %w", err)
		}
		_ = os.Remove(s.file.Name()) // so that nothing is left if lede is killed; Windows refuses
	}
	slices.SortFunc(s.list, (*placing.Article).Compare)
	out := &offsetWriter{s.file, s.size}
	w := s2.NewWriter(out, s2.WriterBlockSize(runBlock), s2.WriterConcurrency(1))
	var record []byte
	for _, a := range s.list {
		record = appendArticle(record[:0], a.Article)
		var length [binary.MaxVarintLen64]byte
		_, _ = w.Write(length[:binary.PutUvarint(length[:], uint64(len(record)))]) // Close returns the error
		_, _ = w.Write(record)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("cannot sort the articles: %w", err)
	}
	s.size = out.at
	s.runs = append(s.runs, s.size)
	clear(s.list)
	s.list, s.bytes = s.list[:0], 0
	return nil
}

// runBlock is how many bytes of a run are in memory when runs are merged.
const runBlock = 64 << 10

// offsetWriter writes to a file from an offset.
type offsetWriter struct {
	file *os.File
	at   int64
}

func (w *offsetWriter) Write(p []byte) (int, error) {
	n, err := w.file.WriteAt(p, w.at)
	w.at += int64(n)
	return n, err
}

// all returns the articles in order. It can be called once.
func (s *timeSorter) all() iter.Seq2[*stories.Article, error] {
	return func(yield func(*stories.Article, error) bool) {
		if s.file == nil {
			slices.SortFunc(s.list, (*placing.Article).Compare)
			for i, a := range s.list {
				s.list[i] = nil
				if !yield(a.Article, nil) {
					return
				}
			}
			return
		}
		if err := s.merge(func(a *stories.Article) bool { return yield(a, nil) }); err != nil {
			yield(nil, fmt.Errorf("cannot sort the articles: %w", err))
		}
	}
}

func (s *timeSorter) merge(yield func(*stories.Article) bool) error {
	if len(s.list) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.list = nil
	var h runHeap
	from := int64(0)
	for _, end := range s.runs {
		r := &sortedRun{r: bufio.NewReader(s2.NewReader(io.NewSectionReader(s.file, from, end-from), s2.ReaderMaxBlockSize(runBlock)))}
		from = end
		if err := r.next(); err != nil {
			return err
		}
		h = append(h, r)
	}
	heap.Init(&h)
	for len(h) > 0 {
		if !yield(h[0].first.Article) {
			return nil
		}
		switch err := h[0].next(); {
		case err == io.EOF:
			heap.Pop(&h)
		case err != nil:
			return err
		default:
			heap.Fix(&h, 0)
		}
	}
	return nil
}

// close removes the temporary file.
func (s *timeSorter) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if bad := os.Remove(s.file.Name()); !errors.Is(bad, os.ErrNotExist) {
		err = errors.Join(err, bad)
	}
	return err
}

// sortedRun is a part of the articles in order.
type sortedRun struct {
	r     *bufio.Reader
	first *placing.Article
}

func (r *sortedRun) next() error {
	n, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err
	}
	record := make([]byte, n)
	if _, err := io.ReadFull(r.r, record); err != nil {
		return err
	}
	a, err := readArticle(record)
	if err == nil {
		r.first = placing.NewArticle(a)
	}
	return err
}

// runHeap has the run with the earliest article first.
type runHeap []*sortedRun

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return h[i].first.Compare(h[j].first) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*sortedRun)) }

func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// appendArticle appends an article in binary form.
func appendArticle(b []byte, a *stories.Article) []byte {
	for _, t := range []time.Time{a.Published, a.FirstSeen} {
		nano := int64(math.MinInt64)
		if !t.IsZero() {
			nano = t.UnixNano()
		}
		b = binary.BigEndian.AppendUint64(b, uint64(nano))
	}
	for _, s := range []string{a.ID, a.URL, a.Site, a.Title, a.Lang, a.Text} {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

func readArticle(b []byte) (*stories.Article, error) {
	a := new(stories.Article)
	r := bytes.NewReader(b)
	for _, t := range []*time.Time{&a.Published, &a.FirstSeen} {
		var nano int64
		if err := binary.Read(r, binary.BigEndian, &nano); err != nil {
			return nil, err
		}
		if nano != math.MinInt64 {
			*t = time.Unix(0, nano).UTC()
		}
	}
	text := string(b) // the strings of an article are parts of one
	for _, s := range []*string{&a.ID, &a.URL, &a.Site, &a.Title, &a.Lang, &a.Text} {
		n, err := binary.ReadUvarint(r)
		if err != nil || n > uint64(r.Len()) {
			return nil, io.ErrUnexpectedEOF
		}
		at := len(b) - r.Len()
		*s = text[at : at+int(n)]
		if _, err := r.Seek(int64(n), io.SeekCurrent); err != nil {
			return nil, err
		}
	}
	return a, nil
}
