// Package store keeps the profiles of sites from one run to the next.
//
// There are three stores behind one interface: one in memory, one SQLite file
// for any number of sites and processes, and a folder of JSON for people who
// want to read and edit what was learned. [Open] chooses by the path.
//
// All of them keep a profile as a snapshot and a log: a page appends its
// observation, which is small, and every so many pages the log is folded into
// the snapshot. A page is in the log, in one piece, when Add returns, so that a
// crash of the process loses the page in work and no other. A crash of the
// whole machine may also lose the last seconds, but breaks nothing;
// [Options.Sync] closes that gap for the price of a sync a page.
//
// Several processes may use a file or folder at once. Their pages go into one
// log, in one order, so that all of them arrive at the same profile, whoever
// folds it. A process sees what others have added when it next asks.
//
// A record that cannot be read is reported, kept aside for people to look at,
// and learned anew from the pages to come. It never stops a run.
package store

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"

	"github.com/lede-news/lede/site"
)

// Store keeps profiles by the name of their site. It is safe for concurrent
// use.
type Store interface {
	// View calls look with the profile of a site, which is empty for a site that
	// is not known. It copies nothing and is the way to read a profile for every
	// page. The function may neither keep nor change the profile, nor call the
	// store.
	View(ctx context.Context, name string, look func(*site.Profile)) error

	// Profile gives a copy of the profile of a site, the caller's to keep and
	// change. It is empty for a site that is not known.
	Profile(ctx context.Context, name string) (*site.Profile, error)

	// Add learns from a page. When it returns without an error the page is
	// stored; with one it is not, and may be added again.
	Add(ctx context.Context, name string, o *site.Observation) (site.Event, error)

	// Put stores profiles in place of those that are there under their names;
	// Merge adds them to those. It is all or nothing where the store can: a
	// folder may be left with some of them.
	Put(ctx context.Context, profiles ...*site.Profile) error
	Merge(ctx context.Context, profiles ...*site.Profile) error

	// Forget removes all that is known of a site; ErrNotFound when that is
	// nothing.
	Forget(ctx context.Context, name string) error

	// Sites lists what is there, sorted by name. The store may be used, and
	// changed, between two of them.
	Sites(ctx context.Context) iter.Seq2[Info, error]

	// Close ends the use of the store. Nothing that Add has taken waits for it.
	Close() error
}

// Info is one line of the list of sites.
type Info struct {
	Name  string
	Pages int   // read, those that were read again included where they are still in the log
	Bytes int64 // of the stored form, log included
}

// Options say how to open a store.
type Options struct {
	// ReadOnly opens for look-ups only: nothing is written, not even a lock, so
	// that it works on a disk that cannot be written to. Put, Merge, Add and
	// Forget answer ErrReadOnly.
	ReadOnly bool

	// Sync makes every page safe against a crash of the whole machine, not only
	// of the process. It costs a sync of the disk for each page.
	Sync bool

	// Report is told what the store found broken and mended: errors that wrap
	// ErrCorrupt and say where the broken record is kept. It may be called from
	// several goroutines at once. Nil means that nobody wants to know.
	Report func(error)

	// CacheBytes is how much of the profiles, by their stored size, is kept in
	// memory; 0 means 64 MiB. A profile in memory takes a few times as much.
	CacheBytes int64
}

const defaultCache = 64 << 20

var (
	// ErrNotFound means that nothing is stored under that name.
	ErrNotFound = errors.New("no such site in the store")
	// ErrReadOnly means that the store was opened for look-ups only, or that its
	// disk cannot be written to.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrFull means that the disk has no room. What was stored before is there.
	ErrFull = errors.New("the disk of the store is full")
	// ErrBusy means that another process kept the store locked for too long.
	ErrBusy = errors.New("the store is locked by another process")
	// ErrNotStore means that the file is something else.
	ErrNotStore = errors.New("not a store of site profiles")
	// ErrCorrupt means that a record, or the whole file, cannot be read.
	ErrCorrupt = site.ErrCorrupt
	// ErrEmptyName means that a site has no name.
	ErrEmptyName = errors.New("a site needs a name")
)

// Open opens the store at path, and makes it where there is none: in memory for
// "" and ":memory:"; a folder of JSON where the path is a folder or ends in a
// slash; else one SQLite file.
func Open(path string, opts Options) (Store, error) {
	if opts.CacheBytes == 0 {
		opts.CacheBytes = defaultCache
	}
	if opts.Report == nil {
		opts.Report = func(error) {}
	}
	if path == "" || path == ":memory:" {
		return newMemory(opts), nil
	}
	info, err := os.Stat(path)
	slash := strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(os.PathSeparator))
	switch {
	case err == nil && info.IsDir():
		return openFolder(path, opts)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("store %s: %w: name a file or a folder", path, ErrNotStore)
	case slash:
		return openFolder(path, opts)
	default:
		return openSQLite(path, opts)
	}
}

// Copy puts every profile of one store into another, in place of those that
// are there, and says how many. It stops at the first error.
func Copy(ctx context.Context, to, from Store) (n int, err error) {
	const batch = 256 // profiles in memory at once
	var profiles []*site.Profile
	flush := func() error {
		err := to.Put(ctx, profiles...)
		if err == nil {
			n += len(profiles)
		}
		profiles = profiles[:0]
		return err
	}
	for info, err := range from.Sites(ctx) {
		if err != nil {
			return n, err
		}
		p, err := from.Profile(ctx, info.Name)
		if err != nil {
			return n, err
		}
		if profiles = append(profiles, p); len(profiles) == batch {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	return n, flush()
}

// clone copies a profile by way of its stored form.
func clone(p *site.Profile) (*site.Profile, error) {
	b, err := p.MarshalBinary()
	if err != nil {
		return nil, err
	}
	c := new(site.Profile)
	return c, c.UnmarshalBinary(b)
}

// profileOf is the Profile of every store, by way of its View.
func profileOf(ctx context.Context, s Store, name string) (p *site.Profile, err error) {
	var cloned error
	if err := s.View(ctx, name, func(q *site.Profile) { p, cloned = clone(q) }); err != nil {
		return nil, err
	}
	return p, cloned
}

// cache holds what was read last, up to a number of bytes. It is only a hint:
// every user checks an entry against the store before it is believed, so that
// an entry that was pushed out while in use does no harm.
type cache[E any] struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	items map[string]*list.Element
	order list.List // of *cached[E], the last used first
}

type cached[E any] struct {
	name  string
	bytes int64
	value E
}

// entryCost is what an entry takes besides its profile.
const entryCost = 512

func newCache[E any](limit int64) *cache[E] {
	return &cache[E]{limit: limit, items: make(map[string]*list.Element)}
}

// get gives the entry of that name, a new one where there is none.
func (c *cache[E]) get(name string) *E {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.items[name]; el != nil {
		c.order.MoveToFront(el)
		return &el.Value.(*cached[E]).value
	}
	it := &cached[E]{name: name, bytes: entryCost}
	c.items[name] = c.order.PushFront(it)
	c.bytes += it.bytes
	c.trim()
	return &it.value
}

// resize notes how large an entry has become, and lets go of the oldest ones.
func (c *cache[E]) resize(name string, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.items[name]; el != nil {
		it := el.Value.(*cached[E])
		c.bytes += entryCost + bytes - it.bytes
		it.bytes = entryCost + bytes
		c.trim()
	}
}

func (c *cache[E]) trim() {
	for c.bytes > c.limit && c.order.Len() > 1 {
		el := c.order.Back()
		it := c.order.Remove(el).(*cached[E])
		delete(c.items, it.name)
		c.bytes -= it.bytes
	}
}
