package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

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
