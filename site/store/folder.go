package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"github.com/lede-news/lede/site"
)

// foldLines is how many pages a log has at most. It is more than in SQLite, as
// a fold writes JSON and waits for the disk.
const foldLines = 32

// folderStore is a folder with a file of JSON for each site, and a log beside
// those that have learned since. Close folds the logs, so that people find
// everything in the JSON.
type folderStore struct {
	dir   string
	opts  Options
	cache *cache[sheet]

	write  sync.Mutex
	lock   *flock.Flock    // nil when read-only or closed
	behind map[string]bool // sites whose card lacks what this process has added
}

// files are those of one site.
type files struct{ name, card, log string }

func (s *folderStore) files(name string) files {
	base := filepath.Join(s.dir, fileName(name))
	return files{name, base + ".json", base + ".log"}
}

func openFolder(dir string, opts Options) (Store, error) {
	s := &folderStore{dir: dir, opts: opts, cache: newCache[sheet](opts.CacheBytes), behind: make(map[string]bool)}
	if opts.ReadOnly {
		_, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("store %s: %w", dir, err)
		}
		return s, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cannotWrite(dir, err)
	}
	s.lock = newLock(filepath.Join(dir, ".lock"))
	if _, err := s.lock.TryRLock(); err != nil { // nothing can be written here
		return nil, cannotWrite(dir, err)
	}
	return s, s.lock.Unlock()
}

func (s *folderStore) View(ctx context.Context, name string, look func(*site.Profile)) error {
	name, err := validName(name)
	if err != nil {
		return err
	}
	r := s.cache.get(name)
	mended := s.opts.ReadOnly
	for { // again after mending, or when a write failed between the two locks
		if err := ctx.Err(); err != nil {
			return err
		}
		bad, err := s.refresh(name, r)
		switch {
		case err != nil:
			return err
		case len(bad) > 0 && !mended:
			mended = true
			r.forget()
			if err := s.update(ctx, name, func(*sheet) error { return nil }); err != nil {
				s.opts.Report(err) // a full disk is no reason not to answer
			}
		default:
			s.report(bad, "stays where it is")
			if r.view(look) {
				return nil
			}
		}
	}
}

func (s *folderStore) refresh(name string, r *sheet) ([]wound, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	bad, err := r.refresh(s.files(name))
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", s.dir, err)
	}
	s.cache.resize(name, r.card.bytes()+r.log.bytes())
	return bad, nil
}

func (s *folderStore) Profile(ctx context.Context, name string) (*site.Profile, error) {
	return profileOf(ctx, s, name)
}

// update runs f on the sheet of a site, brought up to date and mended, while
// no other process may write.
func (s *folderStore) update(ctx context.Context, name string, f func(*sheet) error) error {
	if s.opts.ReadOnly {
		return fmt.Errorf("store %s: %w", s.dir, ErrReadOnly)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.write.Lock()
	defer s.write.Unlock()
	if s.lock == nil {
		return fmt.Errorf("store %s: %w", s.dir, errClosed)
	}
	if err := waitLock(ctx, s.lock.TryLockContext); err != nil {
		return cannotWrite(s.dir, err)
	}
	defer s.lock.Unlock()
	r := s.cache.get(name)
	bad, err := s.refresh(name, r)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err = s.setAside(name, r, bad); err == nil {
		err = f(r)
	}
	if err != nil {
		r.reading = reading{}
		return cannotWrite(s.dir, err)
	}
	return nil
}

func (s *folderStore) Add(ctx context.Context, name string, o *site.Observation) (e site.Event, err error) {
	if name, err = validName(name); err != nil {
		return site.Ignored, err
	}
	data, err := o.MarshalBinary()
	if err != nil {
		return site.Ignored, fmt.Errorf("store %s: %s: %w", s.dir, name, err)
	}
	err = s.update(ctx, name, func(r *sheet) error {
		if e = r.p.Add(o); e == site.Ignored {
			return nil
		}
		if err := s.append(name, r, data); err != nil {
			return err
		}
		s.behind[name] = true
		if r.lines >= foldLines && r.lines%foldLines == 0 {
			if err := s.fold(name, r); err != nil {
				s.opts.Report(fmt.Errorf("store %s: %s.json cannot be written, all pages are in its log: %w", s.dir, fileName(name), err))
			}
		}
		return nil
	})
	if err != nil {
		return site.Ignored, err
	}
	return e, nil
}

// append writes a page to the log.
func (s *folderStore) append(name string, r *sheet, data []byte) error {
	f := s.files(name)
	if r.stale {
		if err := os.Remove(f.log); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		r.stale = false
	}
	if r.head == "" {
		r.head, r.end = newLogHead(r.number, name).String(), 0
	}
	n, err := appendLog(f.log, r.head, r.end, data, s.opts.Sync)
	if err != nil {
		return err
	}
	r.end += int64(n)
	r.lines++
	r.log, err = stampAt(f.log)
	return err
}

// fold writes the card, under a new number, and then removes the log. After a
// crash between the two the old log is known by its number.
func (s *folderStore) fold(name string, r *sheet) error {
	b, err := encodeCard(r.p, r.number+1)
	if err != nil {
		return err
	}
	f := s.files(name)
	if err := writeFile(f.card, b); err != nil {
		return err
	}
	card, err := stampAt(f.card)
	if err != nil {
		return err
	}
	r.reading = reading{p: r.p, card: card, number: r.number + 1}
	delete(s.behind, name)
	if err := os.Remove(f.log); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.stale = true
		r.log, _ = stampAt(f.log)
	}
	return nil
}

func (s *folderStore) Put(ctx context.Context, profiles ...*site.Profile) error {
	return s.replace(ctx, profiles, func(r *sheet, p *site.Profile) { r.p = p })
}

func (s *folderStore) Merge(ctx context.Context, profiles ...*site.Profile) error {
	return s.replace(ctx, profiles, func(r *sheet, p *site.Profile) { r.p.Merge(p) })
}

func (s *folderStore) replace(ctx context.Context, profiles []*site.Profile, f func(*sheet, *site.Profile)) error {
	for _, p := range profiles {
		if p.Name() == "" {
			return ErrEmptyName
		}
		own, err := clone(p) // the caller may go on with p
		if err != nil {
			return err
		}
		if err := s.update(ctx, p.Name(), func(r *sheet) error {
			f(r, own)
			return s.fold(p.Name(), r)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *folderStore) Forget(ctx context.Context, name string) error {
	name, err := validName(name)
	if err != nil {
		return err
	}
	return s.update(ctx, name, func(r *sheet) error {
		if !r.card.there() && !r.log.there() {
			return fmt.Errorf("%w: %s", ErrNotFound, name)
		}
		f := s.files(name)
		for _, path := range []string{f.log, f.card} {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		r.reading = reading{}
		delete(s.behind, name)
		return nil
	})
}

func (s *folderStore) Sites(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		entries, err := os.ReadDir(s.dir)
		if err != nil {
			yield(Info{}, fmt.Errorf("store %s: %w", s.dir, err))
			return
		}
		found := make(map[string]bool)
		for _, e := range entries {
			for _, ending := range []string{".json", ".log"} {
				if base, ok := strings.CutSuffix(e.Name(), ending); ok {
					if name, ok := s.nameOf(base); ok {
						found[name] = true
					}
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(found)) {
			if err := ctx.Err(); err != nil {
				yield(Info{}, err)
				return
			}
			if !yield(s.info(name), nil) {
				return
			}
		}
	}
}

// nameOf is the site whose files have that name; where the name was cut, the
// files themselves know.
func (s *folderStore) nameOf(base string) (string, bool) {
	if !strings.ContainsRune(base, hashMark) {
		return nameOfFile(base)
	}
	c, _ := peekCard(filepath.Join(s.dir, base+".json"))
	name := c.Site
	if name == "" {
		part, _ := readLog(filepath.Join(s.dir, base+".log"), "", 0)
		name = part.info.site
	}
	return name, fileName(name) == base
}

// info reads no profile: a list is for looking over thousands of them.
func (s *folderStore) info(name string) Info {
	f := s.files(name)
	c, _ := peekCard(f.card) // a broken one is mended when it is looked up
	info := Info{Name: name, Pages: c.Pages}
	if card, err := stampAt(f.card); err == nil {
		info.Bytes = card.bytes()
	}
	if part, err := readLog(f.log, "", 0); err == nil && part.head != "" && part.info.number >= c.Log {
		info.Pages += len(part.lines)
		info.Bytes += part.end
	}
	return info
}

// Close folds what this process has added, for people to read. Where that
// fails nothing is lost, as it is in the logs.
func (s *folderStore) Close() error {
	if s.opts.ReadOnly {
		return nil
	}
	s.write.Lock()
	names := slices.Sorted(maps.Keys(s.behind))
	clear(s.behind) // a second Close has nothing to do
	s.write.Unlock()
	var errs []error
	for _, name := range names {
		if err := s.update(context.Background(), name, func(r *sheet) error {
			if r.lines == 0 {
				return nil // another process did it
			}
			return s.fold(name, r)
		}); err != nil {
			errs = append(errs, err)
			break // the disk, most likely: the others would fail as well
		}
	}
	s.write.Lock()
	defer s.write.Unlock()
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
		s.lock = nil
	}
	return errors.Join(errs...)
}

const (
	maxAsideLines = 1 << 20 // bytes of lines that cannot be read, kept for each site
	maxAsideFiles = 20      // files, likewise
)

// setAside takes what cannot be read out of the way. People may have spent an
// evening on a card, so that it is moved and never written over; lines of a log
// are copied, and go with the log.
func (s *folderStore) setAside(name string, r *sheet, bad []wound) error {
	if len(bad) == 0 {
		return nil
	}
	for _, w := range bad {
		if w.line != nil {
			if err := keepLine(w.path+".corrupt", w.line); err != nil {
				return err
			}
			s.report([]wound{w}, "is kept in "+w.path+".corrupt")
			continue
		}
		aside, err := asideName(w.path)
		if err != nil {
			return err
		}
		if err := os.Rename(w.path, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.report([]wound{w}, "is now "+aside+", to be put right and renamed, or removed")
	}
	return s.fold(name, r)
}

// asideName is a free name; when all are taken, the last one.
func asideName(path string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.corrupt-%d", path, n)
		if n == maxAsideFiles {
			return aside, nil
		}
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, nil
		} else if err != nil {
			return "", err
		}
	}
}

func keepLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < maxAsideLines {
		_, err = f.Write(append(line[:len(line):len(line)], '\n'))
	}
	return errors.Join(err, f.Close())
}

func (s *folderStore) report(bad []wound, kept string) {
	for _, w := range bad {
		what, then := w.path, "what it held is learned anew from the pages to come"
		if w.line != nil {
			what, then = "a line of "+w.path, "that page is lost"
		}
		s.opts.Report(fmt.Errorf("store %s: %s cannot be read and %s; %s: %w", s.dir, what, kept, then, w.err))
	}
}
