package batch

import (
	"iter"
	"sync"
)

// part is a part of an archive that is read by itself. Its pages wait until all
// before them are taken.
type part struct {
	until int64      // the offset from which on records are of the next part
	begin chan int64 // of a part whose place is guessed, where it begins
	next  int64      // when it is over, the first record behind it; -1 at the end of the archive

	mu      sync.Mutex
	changed sync.Cond
	pages   []Page
	bytes   int // of those
	over    bool
	left    bool // nobody wants it
}

// partAhead is how much of pages waits in a part.
const partAhead = 4 << 20

func newPart(until int64) *part {
	p := &part{until: until, begin: make(chan int64, 1), next: -1}
	p.changed.L = &p.mu
	return p
}

// begins is where a part begins that was guessed; -1 when there is none.
func (p *part) begins() int64 { return <-p.begin }

// read reads the part of an archive from a place on.
func (p *part) read(a *archive, at Place) {
	next := int64(-1)
	if own := (&archive{in: a.in, file: a.file, at: at, until: p.until, next: -1, yield: p.put}); at.Offset >= 0 {
		if err := own.open(); err != nil {
			own.fail(err)
		} else {
			own.warc(own.raw)
			own.raw.Close()
		}
		next = own.next
	}
	p.mu.Lock()
	p.next, p.over = next, true
	p.changed.Broadcast()
	p.mu.Unlock()
}

// put waits until there is room, and says no when nobody wants the page.
func (p *part) put(page Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.bytes > partAhead && !p.left {
		p.changed.Wait()
	}
	p.pages = append(p.pages, page)
	p.bytes += cap(page.Body)
	p.changed.Broadcast()
	return !p.left
}

// all takes the pages until the part is over.
func (p *part) all() iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for {
			p.mu.Lock()
			for len(p.pages) == 0 && !p.over {
				p.changed.Wait()
			}
			pages := p.pages
			p.pages, p.bytes = nil, 0
			p.changed.Broadcast()
			p.mu.Unlock()
			if len(pages) == 0 {
				return
			}
			for _, page := range pages {
				if !yield(page) {
					return
				}
			}
		}
	}
}

// leave lets go of a part.
func (p *part) leave() {
	p.mu.Lock()
	p.left = true
	p.changed.Broadcast()
	p.mu.Unlock()
}
