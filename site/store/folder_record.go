package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/lede-news/lede/site"
)

// sheet is a profile in memory with the files that it was read from.
type sheet struct {
	mu sync.RWMutex
	reading
}

type reading struct {
	p      *site.Profile // nil when it must be loaded
	card   stamp         // of SITE.json
	number int64         // of the log that goes with it
	log    stamp         // of SITE.log
	head   string        // of SITE.log; empty when there is none, or none that counts
	end    int64         // of its last line that is in p
	stale  bool          // SITE.log is from before a fold, or cannot be read
	lines  int           // in it
}

// stamp tells whether a file was changed. The zero stamp is of no file.
type stamp struct{ fs.FileInfo }

func (s stamp) there() bool { return s.FileInfo != nil }

func (s stamp) bytes() int64 {
	if s.FileInfo == nil {
		return 0
	}
	return s.Size()
}

// same tells whether a file is still the one that it was. A file that was put
// in its place is another, even with the same size in the same tick of the
// clock.
func (s stamp) same(t stamp) bool {
	if s.FileInfo == nil || t.FileInfo == nil {
		return s.FileInfo == t.FileInfo
	}
	return s.Size() == t.Size() && s.ModTime().Equal(t.ModTime()) && os.SameFile(s.FileInfo, t.FileInfo)
}

func stampAt(path string) (stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{}, nil
	}
	return stamp{info}, err
}

// wound is a part of a site's files that cannot be read: the card, the whole
// log, or a line of it.
type wound struct {
	path string
	line []byte // nil for the whole file
	err  error
}

// refresh brings the profile up to what the files have. It takes no lock: a
// fold puts the new card in its place before it takes away the log, so that
// who finds the same card before and after reading the log has read what
// belongs together.
func (r *reading) refresh(f files) (bad []wound, err error) {
	for range 100 {
		var card stamp
		if card, err = stampAt(f.card); err != nil {
			break
		}
		if r.p == nil || !card.same(r.card) {
			*r = reading{}
			if bad, err = r.loadCard(f); errors.Is(err, errChanged) {
				continue
			} else if err != nil {
				break
			}
		}
		var more []wound
		more, err = r.loadLog(f)
		if errors.Is(err, errOtherLog) {
			*r, bad = reading{}, nil
			continue
		}
		if err != nil {
			break
		}
		bad = append(bad, more...)
		if card, err = stampAt(f.card); err != nil {
			break
		}
		if card.same(r.card) {
			return bad, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: %s changes all the time", ErrBusy, f.card)
	}
	*r = reading{}
	return nil, err
}

// errChanged means that the card was written to while it was read.
var errChanged = errors.New("changed while it was read")

// Editors write a file in several steps. One that was touched this recently is
// read again for some time before it is taken for broken.
const (
	justNow   = 2 * time.Second
	editPause = 20 * time.Millisecond
	editTries = 25
)

// loadCard reads SITE.json, or begins an empty profile.
func (r *reading) loadCard(f files) (bad []wound, err error) {
	for try := 0; ; try++ {
		before, err := stampAt(f.card)
		if err != nil {
			return nil, err
		}
		if !before.there() {
			*r = reading{p: site.New(f.name)}
			return nil, nil
		}
		b, err := os.ReadFile(f.card)
		if err != nil {
			return nil, err
		}
		if after, err := stampAt(f.card); err != nil || !after.same(before) {
			return nil, errors.Join(errChanged, err)
		}
		p, number, err := decodeCard(b)
		if err == nil && p.Name() != f.name {
			err = fmt.Errorf("it is the profile of %q; the file for that is %s.json", p.Name(), fileName(p.Name()))
		}
		switch {
		case err == nil:
			*r = reading{p: p, card: before, number: number}
			return nil, nil
		case errors.Is(err, site.ErrVersion):
			return nil, fmt.Errorf("%s: %w", f.card, err)
		case time.Since(before.ModTime()) < justNow && try < editTries:
			time.Sleep(editPause)
		default:
			if !errors.Is(err, ErrCorrupt) {
				err = fmt.Errorf("%w: %w", ErrCorrupt, err)
			}
			*r = reading{p: site.New(f.name), card: before}
			return []wound{{path: f.card, err: err}}, nil
		}
	}
}

// loadLog adds the pages in SITE.log that are new.
func (r *reading) loadLog(f files) (bad []wound, err error) {
	if now, err := stampAt(f.log); err != nil || now.same(r.log) && (r.head != "" || r.stale || !now.there()) {
		return nil, err
	}
	part, err := readLog(f.log, r.head, r.end)
	if errors.Is(err, ErrCorrupt) {
		r.log, r.stale = part.stamp, true
		return []wound{{path: f.log, err: err}}, nil
	}
	if err != nil {
		return nil, err
	}
	r.log = part.stamp
	if part.head == "" {
		return nil, nil // no log, or one whose first line is not ended
	}
	if part.info.number < r.number {
		r.stale = true
		return nil, nil
	}
	r.number = part.info.number
	r.head, r.end = part.head, part.end
	for _, line := range part.lines {
		r.lines++
		o, err := decodeLine(line)
		switch {
		case err == nil:
			r.p.Add(o)
		case errors.Is(err, ErrCorrupt):
			bad = append(bad, wound{f.log, line, err})
		default:
			return nil, fmt.Errorf("%s: %w", f.log, err)
		}
	}
	return bad, nil
}

func (r *sheet) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading = reading{}
}

func (r *sheet) view(look func(*site.Profile)) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.p == nil {
		return false
	}
	look(r.p)
	return true
}
