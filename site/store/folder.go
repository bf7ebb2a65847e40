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

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/site"
)

// maxLogLines is how many pages a log has at most. It is more than in SQLite,
// because folding writes JSON and syncs the file.
const maxLogLines = 32

// folderStore is a folder with a JSON file for each site, a log for each site with
// pages that are not yet in its JSON file, and a file with the hashes of the pages
// that were learned from. Close folds the logs, so that people find everything in
// the JSON files.
type folderStore struct {
	dir   string
	opts  Options
	cache *cache[folderRecord]

	write    sync.Mutex
	lock     *flock.Flock    // nil when read-only or closed
	unfolded map[string]bool // sites with a log that this process has added to
}

// files are the paths of a site's files.
type files struct{ name, profile, log, seen string }

func (s *folderStore) files(name string) files {
	base := filepath.Join(s.dir, fileName(name))
	return files{name, base + ".json", base + ".log", base + ".seen"}
}

func openFolder(dir string, opts Options) (*folderStore, error) {
	s := &folderStore{dir: dir, opts: opts, cache: newCache[folderRecord](opts.CacheBytes), unfolded: make(map[string]bool)}
	if opts.ReadOnly {
		if _, err := os.ReadDir(dir); err != nil {
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

func (s *folderStore) view(ctx context.Context, name string, f func(*site.Profile)) error {
	r := s.cache.get(name)
	repaired := s.opts.ReadOnly
	for { // again after a repair, or if a write failed between the two locks
		if err := ctx.Err(); err != nil {
			return err
		}
		bad, err := s.refresh(name, r)
		switch {
		case err != nil:
			return err
		case len(bad) > 0 && !repaired:
			repaired = true
			r.forget()
			if err := s.update(ctx, name, func(*folderRecord) error { return nil }); err != nil {
				s.opts.Report(err) // a lookup works with a full disk, too
			}
		default:
			s.report(bad, "was left in place")
			if viewLocked(&r.mu, &r.p, f) {
				return nil
			}
		}
	}
}

func (s *folderStore) refresh(name string, r *folderRecord) ([]fileDamage, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	bad, err := r.refresh(s.files(name))
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", s.dir, err)
	}
	s.cache.resize(name, r.bytes())
	return bad, nil
}

// update runs f on the record of a site, refreshed and repaired, while no other
// process can write.
func (s *folderStore) update(ctx context.Context, name string, f func(*folderRecord) error) error {
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
		r.folderState = folderState{}
		return cannotWrite(s.dir, err)
	}
	return nil
}

func (s *folderStore) add(ctx context.Context, name string, o *site.Observation) (e site.Event, err error) {
	pages := o.Keys()
	if len(pages) == 0 {
		return site.Ignored, nil
	}
	data, err := o.MarshalBinary()
	if err != nil {
		return site.Ignored, fmt.Errorf("store %s: %s: %w", s.dir, name, err)
	}
	err = s.update(ctx, name, func(r *folderRecord) error {
		seen := s.files(name).seen
		bad, err := r.seen.refresh(seen)
		if err != nil {
			return err
		}
		if bad != nil {
			if err := s.setAsideFile(fileDamage{path: seen, err: bad}); err != nil {
				return err
			}
		}
		if e = site.SamePage; r.p.Has(o) || hasSeen(r.seen.pages, pages) {
			return nil
		}
		if err := s.append(name, r, data); err != nil {
			return err
		}
		if err := r.seen.append(seen, pages); err != nil {
			return err
		}
		s.cache.resize(name, r.bytes())
		e = r.p.Add(o)
		s.unfolded[name] = true
		if r.lines >= maxLogLines && r.lines%maxLogLines == 0 {
			if err := s.fold(name, r); err != nil {
				s.opts.Report(fmt.Errorf("store %s: %s.json cannot be written; all pages are in its log: %w", s.dir, fileName(name), err))
			}
		}
		return nil
	})
	return e, err
}

// append writes a page to the log of a site.
func (s *folderStore) append(name string, r *folderRecord, data []byte) error {
	f := s.files(name)
	if r.stale {
		if err := remove(f.log); err != nil {
			return err
		}
		r.stale = false
	}
	if r.head == "" {
		r.head, r.end = newLogHeader(r.number, name).String(), 0
	}
	n, err := appendLog(f.log, r.head, r.end, data, s.opts.Sync)
	if err != nil {
		return err
	}
	r.end += int64(n)
	r.lines++
	r.log, err = statFile(f.log)
	return err
}

// fold writes the JSON file with the next log number and removes the log. If a
// crash leaves the old log behind, it is recognized by its lower number.
func (s *folderStore) fold(name string, r *folderRecord) error {
	b, err := encodeProfile(r.p, r.number+1)
	if err != nil {
		return err
	}
	f := s.files(name)
	if err := writeFile(f.profile, b); err != nil {
		return err
	}
	file, err := statFile(f.profile)
	if err != nil {
		return err
	}
	r.folderState = folderState{p: r.p, file: file, number: r.number + 1, seen: r.seen}
	delete(s.unfolded, name)
	if err := remove(f.log); err != nil {
		r.stale = true
		r.log, _ = statFile(f.log)
	}
	return nil
}

func (s *folderStore) put(ctx context.Context, profiles []*site.Profile, merge bool) error {
	for _, p := range profiles {
		own, err := clone(p) // the caller keeps p
		if err != nil {
			return err
		}
		if err := s.update(ctx, p.Name(), func(r *folderRecord) error {
			if merge {
				r.p.Merge(own)
			} else {
				r.p, r.seen = own, seenFile{}
				if err := remove(s.files(p.Name()).seen); err != nil {
					return err
				}
			}
			return s.fold(p.Name(), r)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *folderStore) forget(ctx context.Context, name string) error {
	return s.update(ctx, name, func(r *folderRecord) error {
		if !r.file.exists() && !r.log.exists() {
			return fmt.Errorf("%w: %s", ErrNotFound, name)
		}
		f := s.files(name)
		if err := errors.Join(remove(f.seen), remove(f.log), remove(f.profile)); err != nil {
			return err
		}
		r.folderState = folderState{}
		delete(s.unfolded, name)
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
					if name, ok := s.siteOfFile(base); ok {
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

// siteOfFile returns the site whose files have that name. If the name was
// shortened, it is read from the files.
func (s *folderStore) siteOfFile(base string) (string, bool) {
	if !strings.ContainsRune(base, hashMark) {
		return nameOfFile(base)
	}
	h, _ := readHeader(filepath.Join(s.dir, base+".json"))
	name := h.Site
	if name == "" {
		part, _ := readLog(filepath.Join(s.dir, base+".log"), "", 0)
		name = part.info.site
	}
	return name, fileName(name) == base
}

// info reads no profiles, so that thousands of sites can be listed.
func (s *folderStore) info(name string) Info {
	f := s.files(name)
	h, _ := readHeader(f.profile) // a broken file is repaired when it is looked up
	info := Info{Name: name, Pages: h.Pages}
	if file, err := statFile(f.profile); err == nil {
		info.Bytes = file.size()
	}
	if part, err := readLog(f.log, "", 0); err == nil && part.head != "" && part.info.number >= h.Log {
		info.Pages += len(part.lines)
		info.Bytes += part.end
	}
	return info
}

// Close folds the logs that this process has added to. If that fails nothing is
// lost: the pages are in the logs.
func (s *folderStore) Close() error {
	if s.opts.ReadOnly {
		return nil
	}
	s.write.Lock()
	names := slices.Sorted(maps.Keys(s.unfolded))
	clear(s.unfolded) // a second Close has nothing to do
	s.write.Unlock()
	var errs []error
	for _, name := range names {
		if err := s.update(context.Background(), name, func(r *folderRecord) error {
			if r.lines == 0 {
				return nil // another process has folded it
			}
			return s.fold(name, r)
		}); err != nil {
			errs = append(errs, err)
			break // most likely the disk, and the others would fail as well
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

const maxKeptBytes = 1 << 20 // of unreadable log lines of a site

// setAside removes what cannot be read. A JSON file that people may have edited is
// renamed and never overwritten; lines of a log are copied before the log is
// folded.
func (s *folderStore) setAside(name string, r *folderRecord, bad []fileDamage) error {
	if len(bad) == 0 {
		return nil
	}
	for _, w := range bad {
		if w.line != nil {
			if err := keepLine(w.path+".corrupt", w.line); err != nil {
				return err
			}
			s.report([]fileDamage{w}, "is kept in "+w.path+".corrupt")
			continue
		}
		if err := s.setAsideFile(w); err != nil {
			return err
		}
	}
	return s.fold(name, r)
}

// setAsideFile renames a file that cannot be read.
func (s *folderStore) setAsideFile(w fileDamage) error {
	aside, err := fsync.SetAside(w.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.report([]fileDamage{w}, "is now "+aside+", to be corrected and renamed, or removed")
	return nil
}

// remove removes a file, if there is one.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func keepLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < maxKeptBytes {
		_, err = f.Write(append(line[:len(line):len(line)], '\n'))
	}
	return errors.Join(err, f.Close())
}

func (s *folderStore) report(bad []fileDamage, kept string) {
	for _, w := range bad {
		what, then := w.path, "it is learned again from new pages"
		if w.line != nil {
			what, then = "a line of "+w.path, "that page is lost"
		}
		s.opts.Report(fmt.Errorf("store %s: %s cannot be read and %s; %s: %w", s.dir, what, kept, then, w.err))
	}
}
