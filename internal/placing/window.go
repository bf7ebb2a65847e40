package placing

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lede-news/lede/stories"
)

// Window clusters articles that come in their order. It keeps what an article within the
// window can still be compared with, and the ids of all stories.
type Window struct {
	Clusterer
	eras    []*eraNodes // in order of time
	next    uint32      // number of the next article
	last    int64       // time of the last article
	stories map[int64]*windowStory
	taken   idSet
	found   []uint32 // scratch memory
}

// eraNodes has the articles of an era.
type eraNodes struct {
	era      int64
	first    uint32 // number of the first article
	nodes    []windowNode
	postings *Chains
}

// windowNode is an article. Its id and vector are dropped when it can be found no more.
type windowNode struct {
	time, story int64
	id          string
	vector      *stories.Vector
	listed      int32 // in how many postings it is
}

// windowStory has the latest articles of a story that can be joined, the last one first.
type windowStory struct {
	latest [MaxLatest]uint32
	n      int
}

// NewWindow returns a Window of so many ms.
func NewWindow(window int64) *Window {
	w := &Window{stories: map[int64]*windowStory{}}
	w.Clusterer = Clusterer{Index: w, Freq: new(stories.Frequencies), Window: window}
	return w
}

var (
	errUnsorted = errors.New("the article is earlier than the one before it")
	errTooMany  = errors.New("too many articles")
)

// Add finds the story of the next article that is no copy, or opens one.
func (w *Window) Add(id string, hash Hash, t int64, terms *stories.Terms) (*Placed, error) {
	switch {
	case t < w.last:
		return nil, errUnsorted
	case t != Clamp(t):
		return nil, fmt.Errorf("the time %d is beyond all limits", t)
	case w.next == 1<<32-1:
		return nil, errTooMany
	}
	w.last = t
	w.forget(w.FirstEra(t))
	p, err := w.Place(id, hash, t, t, terms)
	if err != nil {
		return nil, err
	}
	if p.Opens {
		w.taken.add(p.Story)
	}
	e := w.era(t / Era)
	number := w.next
	w.next++
	e.nodes = append(e.nodes, windowNode{time: t, story: p.Story, id: id, vector: p.Vector, listed: int32(len(p.Keys))})
	st := w.stories[p.Story]
	if st == nil {
		st = new(windowStory)
		w.stories[p.Story] = st
	}
	dropped, full := st.latest[MaxLatest-1], st.n == MaxLatest
	copy(st.latest[1:], st.latest[:])
	st.latest[0], st.n = number, min(st.n+1, MaxLatest)
	if full {
		w.release(dropped)
	}
	for _, key := range p.Keys {
		e.postings.Add(key, number)
		if w.found = e.postings.Append(w.found[:0], key, MaxPosting+1); len(w.found) > MaxPosting {
			last := w.found[MaxPosting]
			w.node(last).listed--
			w.release(last)
		}
	}
	return p, nil
}

// era returns the era of the next article.
func (w *Window) era(era int64) *eraNodes {
	if n := len(w.eras); n > 0 && w.eras[n-1].era == era {
		return w.eras[n-1]
	}
	e := &eraNodes{era: era, first: w.next, postings: NewChains()}
	w.eras = append(w.eras, e)
	return e
}

// forget drops the eras before one. Stories without later articles can be joined no more.
func (w *Window) forget(before int64) {
	for len(w.eras) > 0 && w.eras[0].era < before {
		e := w.eras[0]
		w.eras[0] = nil
		w.eras = w.eras[1:]
		end := e.first + uint32(len(e.nodes))
		for i := range e.nodes {
			if st := w.stories[e.nodes[i].story]; st != nil && st.latest[0] < end {
				delete(w.stories, e.nodes[i].story)
			}
		}
	}
}

// node returns an article, or nil if its era is dropped.
func (w *Window) node(number uint32) *windowNode {
	for _, e := range slices.Backward(w.eras) {
		if number >= e.first {
			return &e.nodes[number-e.first]
		}
	}
	return nil
}

// release drops what is kept of an article that neither its terms nor its story lead to.
func (w *Window) release(number uint32) {
	n := w.node(number)
	if n == nil || n.listed > 0 {
		return
	}
	if st := w.stories[n.story]; st != nil && slices.Contains(st.latest[:st.n], number) {
		return
	}
	n.id, n.vector = "", nil
}

// Postings implements Index.
func (w *Window) Postings(keys []uint64, visit func(i int, numbers []uint32)) error {
	for i, key := range keys {
		at := slices.IndexFunc(w.eras, func(e *eraNodes) bool { return e.era == EraOf(key) })
		if at < 0 {
			continue
		}
		if w.found = w.eras[at].postings.Append(w.found[:0], key, MaxPosting); len(w.found) > 0 {
			visit(i, w.found)
		}
	}
	return nil
}

// Member implements Index. An article of an era that was dropped is before all windows.
func (w *Window) Member(number int64) (Member, error) {
	n := w.node(uint32(number))
	if n == nil {
		return Member{Number: number, Time: -1 << 60}, nil
	}
	return Member{Number: number, Time: n.time, Story: n.story, ID: n.id}, nil
}

// Vector implements Index.
func (w *Window) Vector(number int64) (*stories.Vector, error) {
	if n := w.node(uint32(number)); n != nil && n.vector != nil {
		return n.vector, nil
	}
	return nil, fmt.Errorf("article %d is not kept", number) // which is a mistake of this package
}

// Latest implements Index.
func (w *Window) Latest(story int64) (numbers []int64, err error) {
	if st := w.stories[story]; st != nil {
		for _, n := range st.latest[:st.n] {
			numbers = append(numbers, int64(n))
		}
	}
	return numbers, nil
}

// Taken implements Index.
func (w *Window) Taken(story int64) (bool, error) { return w.taken.has(story), nil }

// idSet is a set of ids of stories: a hash table with open addressing. Ids are hashes.
type idSet struct {
	ids  []int64 // id + 1; 0 is free
	used int
}

func (s *idSet) slot(id int64) int {
	for i := int(id); ; i++ {
		if x := s.ids[i&(len(s.ids)-1)]; x == 0 || x == id+1 {
			return i & (len(s.ids) - 1)
		}
	}
}

func (s *idSet) has(id int64) bool { return s.used > 0 && s.ids[s.slot(id)] != 0 }

func (s *idSet) add(id int64) {
	if s.used*4 >= len(s.ids)*3 {
		old := s.ids
		s.ids = make([]int64, max(minSlots, 2*len(old)))
		for _, x := range old {
			if x != 0 {
				s.ids[s.slot(x-1)] = x
			}
		}
	}
	s.ids[s.slot(id)] = id + 1
	s.used++
}
