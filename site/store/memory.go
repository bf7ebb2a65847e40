package store

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/lede-news/lede/site"
)

// memory is the store without a file.
type memory struct {
	mu       sync.Mutex // guards the map, not the profiles
	profiles map[string]*guarded
}

type guarded struct {
	sync.RWMutex
	p    *site.Profile
	seen map[uint64]struct{} // pages, by site.Observation.Keys
}

func (m *memory) get(name string) *guarded {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.profiles[name]
}

// change calls f with the profile of a site, an empty one if it is new.
func (m *memory) change(name string, f func(*guarded)) {
	m.mu.Lock()
	g := m.profiles[name]
	if g == nil {
		g = &guarded{p: site.New(name)}
		m.profiles[name] = g
	}
	m.mu.Unlock()
	g.Lock()
	defer g.Unlock()
	f(g)
}

func (m *memory) view(_ context.Context, name string, f func(*site.Profile)) error {
	g := m.get(name)
	if g == nil {
		f(site.New(name))
		return nil
	}
	g.RLock()
	defer g.RUnlock()
	f(g.p)
	return nil
}

func (m *memory) add(_ context.Context, name string, o *site.Observation) (e site.Event, err error) {
	pages := o.Keys()
	if len(pages) == 0 {
		return site.Ignored, nil
	}
	m.change(name, func(g *guarded) {
		if e = site.SamePage; g.p.Has(o) || hasSeen(g.seen, pages) {
			return
		}
		e = g.p.Add(o)
		g.seen = remember(g.seen, pages)
	})
	return e, nil
}

// hasSeen reports whether a page is in a set.
func hasSeen(seen map[uint64]struct{}, page []uint64) bool {
	return slices.ContainsFunc(page, func(key uint64) bool { _, ok := seen[key]; return ok })
}

// remember adds a page to a set.
func remember(seen map[uint64]struct{}, page []uint64) map[uint64]struct{} {
	if seen == nil {
		seen = make(map[uint64]struct{})
	}
	for _, key := range page {
		seen[key] = struct{}{}
	}
	return seen
}

func (m *memory) put(_ context.Context, profiles []*site.Profile, merge bool) error {
	for _, p := range profiles {
		own, err := clone(p) // the caller keeps p
		if err != nil {
			return err
		}
		m.change(p.Name(), func(g *guarded) {
			if merge {
				g.p.Merge(own)
			} else {
				g.p, g.seen = own, nil
			}
		})
	}
	return nil
}

func (m *memory) forget(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.profiles[name] == nil {
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	delete(m.profiles, name)
	return nil
}

func (m *memory) Sites(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		m.mu.Lock()
		names := slices.Sorted(maps.Keys(m.profiles))
		m.mu.Unlock()
		for _, name := range names {
			g := m.get(name)
			if g == nil {
				continue
			}
			g.RLock()
			b, err := g.p.MarshalBinary()
			info := Info{Name: name, Pages: g.p.Pages(), Bytes: int64(len(b))}
			g.RUnlock()
			if err == nil {
				err = ctx.Err()
			}
			if !yield(info, err) || err != nil {
				return
			}
		}
	}
}

func (m *memory) Close() error { return nil }
