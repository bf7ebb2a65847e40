// Package store keeps the profiles of sites from one run to the next.
//
// There are three kinds of stores: in memory, in one SQLite file for any number
// of sites and processes, and in a folder of JSON files for people who want to
// read and edit what was learned. [Open] chooses by the path.
//
// A profile is stored as a snapshot and a log: a page appends its observation,
// which is small, and now and then the log is folded into the snapshot. A page is
// in the log when Add returns, so that a crash of the process loses only the page
// being added. A crash of the machine may lose the last seconds, but damages
// nothing; with [Options.Sync] it loses nothing, at the cost of a sync for each
// page.
//
// Several processes may use a file or folder at once. Their pages go into one log
// in one order, so that all processes compute the same profile. A process sees
// the pages of others at its next call.
//
// A store remembers hashes of all pages that it has learned from, so that a page
// counts once, however often and in whatever order pages are read again: see
// [site.Observation.Keys].
//
// A record that cannot be read is reported, kept for inspection, and learned
// again from new pages. A file that is damaged as a whole is replaced by one with
// what can be read, and kept under another name. Calls that wait for that end with
// their context. Damage never stops a run.
//
// Sites are stored under the names that [SiteName] returns. Versions of lede
// before 1.0 kept each subdomain as a site of its own. Their stores can be used:
// a profile of paper.example is extended, and one of m.paper.example is found
// under that name, but no longer used for pages.
package store

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"sync"

	"github.com/lede-news/lede/site"
)

// Store keeps profiles by the name of their site; see [SiteName]. It is safe for
// concurrent use.
type Store interface {
	// View calls f with the profile of a site, which is empty if the site is not
	// known. It copies nothing and is the way to use a profile for every page. f
	// must neither keep nor change the profile, nor call the store.
	View(ctx context.Context, name string, f func(*site.Profile)) error

	// Profile returns a copy of the profile of a site. It is empty if the site is
	// not known.
	Profile(ctx context.Context, name string) (*site.Profile, error)

	// Add learns from a page. A page that the site has learned from before adds
	// nothing and gives site.SamePage. If Add returns an error, the page is not
	// stored and may be added again.
	Add(ctx context.Context, name string, o *site.Observation) (site.Event, error)

	// Put stores profiles and replaces those with the same names. It stores all
	// or none, except in a folder, where an error may leave some of them stored.
	Put(ctx context.Context, profiles ...*site.Profile) error

	// Merge is like Put but adds to the profiles with the same names.
	Merge(ctx context.Context, profiles ...*site.Profile) error

	// Forget removes the profile of a site. The error is ErrNotFound if there is
	// none.
	Forget(ctx context.Context, name string) error

	// Sites lists the sites, sorted by name. The store may be used and changed
	// during the iteration.
	Sites(ctx context.Context) iter.Seq2[Info, error]

	// Close closes the store. All pages are stored before it is called.
	Close() error
}

// Info is an entry in the list of sites.
type Info struct {
	Name  string // of the site
	Pages int    // learned from
	Bytes int64  // stored size, with the log
}

// Options are the settings of a store.
type Options struct {
	// ReadOnly opens the store for lookups only. Nothing is written, not even a
	// lock, so that the disk may be read-only. Put, Merge, Add and Forget return
	// ErrReadOnly.
	ReadOnly bool

	// Sync makes every page survive a crash of the machine, not only of the
	// process. It syncs the disk for each page.
	Sync bool

	// Report is called with every record that was found broken and repaired. The
	// errors wrap site.ErrCorrupt and say where the broken record is kept. It may
	// be called concurrently. Nil discards.
	Report func(error)

	// CacheBytes limits the profiles kept in memory, by their stored size. A
	// profile in memory takes a few times as much. Zero means 64 MiB.
	CacheBytes int64
}

const defaultCacheBytes = 64 << 20

var (
	// ErrNotFound means that nothing is stored under that name.
	ErrNotFound = errors.New("no such site in the store")
	// ErrReadOnly means that the store was opened for lookups only, or that its
	// disk is read-only.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrFull means that the disk is full. What was stored before is safe.
	ErrFull = errors.New("the disk of the store is full")
	// ErrBusy means that another process kept the store locked for too long.
	ErrBusy = errors.New("the store is locked by another process")
	// ErrNotStore means that the file is not a store.
	ErrNotStore = errors.New("not a store of site profiles")
	// ErrEmptyName means that a site has no name.
	ErrEmptyName = errors.New("a site needs a name")
)

var errClosed = errors.New("the store is closed")

// Open opens the store at path, and creates it if there is none: in memory if the
// path is "" or ":memory:"; a folder of JSON files if it is a folder or ends in a
// slash; else one SQLite file.
func Open(path string, opts Options) (Store, error) {
	if opts.CacheBytes == 0 {
		opts.CacheBytes = defaultCacheBytes
	}
	if opts.Report == nil {
		opts.Report = func(error) {}
	}
	b, err := openBackend(path, opts)
	if err != nil {
		return nil, err
	}
	return checked{b, path, opts.ReadOnly}, nil
}

func openBackend(path string, opts Options) (backend, error) {
	if path == "" || path == ":memory:" {
		return &memory{profiles: make(map[string]*guarded)}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return openFolder(path, opts)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("store %s: %w: name a file or a folder", path, ErrNotStore)
	case os.IsPathSeparator(path[len(path)-1]):
		return openFolder(path, opts)
	default:
		return openSQLite(path, opts)
	}
}

// backend is a kind of store. Its methods are those of Store, except that names are
// valid, and that nothing is changed if the store is read-only.
type backend interface {
	view(ctx context.Context, name string, f func(*site.Profile)) error
	add(ctx context.Context, name string, o *site.Observation) (site.Event, error)
	// put merges the profiles with those of the same names, or replaces them.
	put(ctx context.Context, profiles []*site.Profile, merge bool) error
	forget(ctx context.Context, name string) error
	Sites(ctx context.Context) iter.Seq2[Info, error]
	Close() error
}

// checked is a Store that checks the arguments for its backend.
type checked struct {
	backend
	path     string
	readOnly bool
}

func (s checked) View(ctx context.Context, name string, f func(*site.Profile)) error {
	name, err := validName(name)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = s.view(ctx, name, f)
	}
	return err
}

func (s checked) Profile(ctx context.Context, name string) (p *site.Profile, err error) {
	var cloned error
	if err := s.View(ctx, name, func(q *site.Profile) { p, cloned = clone(q) }); err != nil {
		return nil, err
	}
	return p, cloned
}

func (s checked) Add(ctx context.Context, name string, o *site.Observation) (e site.Event, err error) {
	if name, err = validName(name); err == nil {
		err = s.writable(ctx)
	}
	if err == nil {
		e, err = s.add(ctx, name, o)
	}
	if err != nil {
		return site.Ignored, err
	}
	return e, nil
}

func (s checked) Put(ctx context.Context, profiles ...*site.Profile) error {
	return s.putAll(ctx, profiles, false)
}

func (s checked) Merge(ctx context.Context, profiles ...*site.Profile) error {
	return s.putAll(ctx, profiles, true)
}

func (s checked) putAll(ctx context.Context, profiles []*site.Profile, merge bool) error {
	for _, p := range profiles {
		if p.Name() == "" {
			return ErrEmptyName
		}
	}
	if err := s.writable(ctx); err != nil {
		return err
	}
	return s.put(ctx, profiles, merge)
}

func (s checked) Forget(ctx context.Context, name string) error {
	name, err := validName(name)
	if err == nil {
		err = s.writable(ctx)
	}
	if err == nil {
		err = s.forget(ctx, name)
	}
	return err
}

// writable returns an error if nothing may be written.
func (s checked) writable(ctx context.Context) error {
	if s.readOnly {
		return fmt.Errorf("store %s: %w", s.path, ErrReadOnly)
	}
	return ctx.Err()
}

// cannotWrite says what to do if a store cannot be written to.
func cannotWrite(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) || isReadOnlyDisk(err) {
		return fmt.Errorf("store %s: %w: name another path, or open it for lookups only: %w", path, ErrReadOnly, err)
	}
	if isFullDisk(err) {
		return fmt.Errorf("store %s: %w: make room; what was stored is safe: %w", path, ErrFull, err)
	}
	return fmt.Errorf("store %s: %w", path, err)
}

// viewLocked calls f with a profile, and returns false if it must be loaded first.
func viewLocked(mu *sync.RWMutex, p **site.Profile, f func(*site.Profile)) bool {
	mu.RLock()
	defer mu.RUnlock()
	if *p == nil {
		return false
	}
	f(*p)
	return true
}

// clone copies a profile by encoding and decoding it.
func clone(p *site.Profile) (*site.Profile, error) {
	b, err := p.MarshalBinary()
	if err != nil {
		return nil, err
	}
	c := new(site.Profile)
	return c, c.UnmarshalBinary(b)
}

// cache holds what was read last, up to a number of bytes. Every entry is checked
// against the store before it is used, so that it does no harm to evict an entry
// that is in use.
type cache[E any] struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	items map[string]*list.Element
	order list.List // of *cached[E], the most recently used first
}

type cached[E any] struct {
	name  string
	bytes int64
	value E
}

const entryBytes = 512 // of an entry without its profile

func newCache[E any](limit int64) *cache[E] {
	return &cache[E]{limit: limit, items: make(map[string]*list.Element)}
}

// get returns the entry of that name, a new one if there is none.
func (c *cache[E]) get(name string) *E {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.items[name]; el != nil {
		c.order.MoveToFront(el)
		return &el.Value.(*cached[E]).value
	}
	it := &cached[E]{name: name, bytes: entryBytes}
	c.items[name] = c.order.PushFront(it)
	c.bytes += it.bytes
	c.evict()
	return &it.value
}

// all returns the entries.
func (c *cache[E]) all() []*E {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*E
	for el := c.order.Front(); el != nil; el = el.Next() {
		all = append(all, &el.Value.(*cached[E]).value)
	}
	return all
}

// resize records the size of an entry and evicts the oldest ones.
func (c *cache[E]) resize(name string, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.items[name]; el != nil {
		it := el.Value.(*cached[E])
		c.bytes += entryBytes + bytes - it.bytes
		it.bytes = entryBytes + bytes
		c.evict()
	}
}

func (c *cache[E]) evict() {
	for c.bytes > c.limit && c.order.Len() > 1 {
		el := c.order.Back()
		it := c.order.Remove(el).(*cached[E])
		delete(c.items, it.name)
		c.bytes -= it.bytes
	}
}
