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
	readOnly bool
	mu       sync.Mutex // guards the map, not the profiles
	profiles map[string]*guarded
}

type guarded struct {
	sync.RWMutex
	p *site.Profile
}

func newMemory(opts Options) *memory {
	return &memory{readOnly: opts.ReadOnly, profiles: make(map[string]*guarded)}
}

func (m *memory) get(name string) *guarded {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.profiles[name]
}

// change calls f with the profile of a site, an empty one if it is new.
func (m *memory) change(name string, f func(*guarded)) error {
	if m.readOnly {
		return ErrReadOnly
	}
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
	return nil
}

func (m *memory) View(ctx context.Context, name string, f func(*site.Profile)) error {
	name, err := validName(name)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
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

func (m *memory) Profile(ctx context.Context, name string) (*site.Profile, error) {
	return profileOf(ctx, m, name)
}

func (m *memory) Add(ctx context.Context, name string, o *site.Observation) (e site.Event, err error) {
	if name, err = validName(name); err != nil {
		return site.Ignored, err
	}
	if err := ctx.Err(); err != nil {
		return site.Ignored, err
	}
	err = m.change(name, func(g *guarded) { e = g.p.Add(o) })
	return e, err
}

func (m *memory) Put(ctx context.Context, profiles ...*site.Profile) error {
	return m.each(ctx, profiles, func(g *guarded, p *site.Profile) { g.p = p })
}

func (m *memory) Merge(ctx context.Context, profiles ...*site.Profile) error {
	return m.each(ctx, profiles, func(g *guarded, p *site.Profile) { g.p.Merge(p) })
}

func (m *memory) each(ctx context.Context, profiles []*site.Profile, f func(*guarded, *site.Profile)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, p := range profiles {
		if p.Name() == "" {
			return ErrEmptyName
		}
		own, err := clone(p) // the caller keeps p
		if err != nil {
			return err
		}
		if err := m.change(p.Name(), func(g *guarded) { f(g, own) }); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Forget(ctx context.Context, name string) error {
	name, err := validName(name)
	if err != nil {
		return err
	}
	if m.readOnly {
		return ErrReadOnly
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.profiles[name] == nil {
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	delete(m.profiles, name)
	return ctx.Err()
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
