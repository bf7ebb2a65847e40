package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/lede-news/lede/stories"
	"github.com/lede-news/lede/stories/store"
)

// timeSorter sorts articles by time. They are in a temporary file; what decides about the
// order is in memory.
type timeSorter struct {
	file *os.File
	size int64
	list []sortedArticle
}

type sortedArticle struct {
	rank   store.Rank
	at     int64 // in the file
	length int32
}

func newTimeSorter(folder string) (*timeSorter, error) {
	f, err := os.CreateTemp(folder, ".lede-stories-*")
	if err != nil {
		return nil, fmt.Errorf("cannot sort the articles: %w", err)
	}
	_ = os.Remove(f.Name()) // so that nothing is left if lede is killed; Windows refuses
	return &timeSorter{file: f}, nil
}

func (s *timeSorter) add(a *stories.Article) error {
	record, err := json.Marshal(a)
	if err == nil {
		record = s2.Encode(nil, record)
		_, err = s.file.Write(record)
	}
	if err != nil {
		return fmt.Errorf("cannot sort the articles: %w", err)
	}
	s.list = append(s.list, sortedArticle{store.NewRank(a), s.size, int32(len(record))})
	s.size += int64(len(record))
	return nil
}

// each calls yield with the articles in order.
func (s *timeSorter) each(yield func(*stories.Article) error) error {
	slices.SortStableFunc(s.list, func(a, b sortedArticle) int { return a.rank.Compare(&b.rank) })
	for _, x := range s.list {
		record := make([]byte, x.length)
		_, err := s.file.ReadAt(record, x.at)
		if err == nil {
			record, err = s2.Decode(nil, record)
		}
		a := new(stories.Article)
		if err == nil {
			err = json.Unmarshal(record, a)
		}
		if err != nil {
			return fmt.Errorf("cannot sort the articles: %w", err)
		}
		if err := yield(a); err != nil {
			return err
		}
	}
	return nil
}

// close removes the file.
func (s *timeSorter) close() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}

// inOrder calls prepare with every value that read yields, on several goroutines, and
// take with the results, in the order of the values, on the caller's goroutine. A few
// values for each worker are in memory at a time. It returns the first error of read or
// take. When it returns, read and prepare have returned.
func inOrder[T, P any](ctx context.Context, workers int, read func(yield func(T) error) error, prepare func(T) P, take func(P) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var running sync.WaitGroup
	defer running.Wait()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	waiting, slots := make(chan chan P, 4*workers), make(chan struct{}, workers)
	running.Go(func() {
		defer close(waiting)
		err := read(func(value T) error {
			done := make(chan P, 1)
			select {
			case waiting <- done:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			slots <- struct{}{}
			running.Go(func() {
				done <- prepare(value)
				<-slots
			})
			return nil
		})
		if err != nil {
			stop(err)
		}
	})
	for done := range waiting {
		if err := take(<-done); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
