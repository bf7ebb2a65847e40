// Package archive keeps a folder of web archives that grows over many runs.
//
// Commit returns a mark, which the caller records together with the stories, and before
// it writes more. After a crash, Open with the last recorded mark removes what was
// written since, and nothing else: files that others put into the folder are never
// changed.
package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
	"github.com/lede-news/lede/warc"
)

// DefaultMaxBytes is the default of Options.MaxBytes.
const DefaultMaxBytes = 1_000_000_000

// Options are the options of Open. The zero value is ready to use.
type Options struct {
	MaxBytes int64        // size after which another file is begun (default: DefaultMaxBytes)
	Info     warc.Header  // fields of the warcinfo records, such as software
	Log      *slog.Logger // for files that are missing or damaged (default: none)
}

// Archive is an archive that is open for writing. It is not safe for concurrent use.
type Archive struct {
	dir  string
	opts Options
	lock *outfile.Lock
	mark outfile.Mark // of what is recorded, or will be before the next Write
	f    *os.File     // nil until something is written
	w    *warc.Writer
	err  error // of Write
}

// Open opens an archive as it was when Commit returned mark; the zero mark is that of a
// new archive. Record the mark of a Commit before the first Write. The error is
// outfile.ErrLocked if another process has the archive open.
func Open(dir string, mark outfile.Mark, opts Options) (*Archive, error) {
	opts.MaxBytes = cmp.Or(opts.MaxBytes, DefaultMaxBytes)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := outfile.NewLock(filepath.Join(dir, "archive.lock"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	a := &Archive{dir: dir, opts: opts, lock: lock, mark: mark}
	err = nil
	if mark.File != "" {
		err = outfile.Truncate(a.path(), mark.Size)
	}
	switch {
	case mark.File == "":
		a.next()
	case errors.Is(err, fs.ErrNotExist) && mark.Size == 0: // it was never begun
	case err != nil: // what there is of the file can be read
		opts.Log.Warn("the last web archive cannot be continued; a new one is begun", "error", err)
		a.next()
	}
	return a, nil
}

func (a *Archive) path() string { return filepath.Join(a.dir, a.mark.File) }

// next sets the mark to a file that does not exist yet.
func (a *Archive) next() {
	number := 0
	var date string
	_, _ = fmt.Sscanf(a.mark.File, "lede-%14s-%d", &date, &number) // 0 if there is no file
	now := time.Now().UTC().Format("20060102150405")
	for {
		number++
		a.mark = outfile.Mark{File: fmt.Sprintf("lede-%s-%05d.warc.gz", now, number)}
		if _, err := os.Lstat(a.path()); errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// Write writes the records of a page. After an error, the archive must be opened
// again.
func (a *Archive) Write(f warc.Fetch, found Found) error {
	if a.err == nil && a.f == nil {
		a.err = a.begin()
	}
	if a.err != nil {
		return a.err
	}
	if found.URL == f.Response.URL {
		found.URL = ""
	}
	f.Metadata = append(warc.Header{found.field()}, f.Metadata...)
	if f.Request != nil {
		f.Request = f.Request.Clone()
		for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
			f.Request.Del(name) // archives are passed on
		}
	}
	a.err = a.w.WriteFetch(f)
	return a.err
}

// begin opens the file of the mark.
func (a *Archive) begin() (err error) {
	if a.f, err = os.OpenFile(a.path(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644); err != nil {
		return err
	}
	a.w = warc.NewWriter(a.f, warc.WriterOptions{})
	if a.mark.Size > 0 {
		return nil
	}
	info := append(warc.Header{{Name: "format", Value: "WARC File Format 1.1"}}, a.opts.Info...)
	err = a.w.WriteInfo(time.Now().UTC(), info)
	return errors.Join(err, fsync.Dir(a.dir))
}

// Commit makes what was written survive a crash of the machine, and returns the mark
// to record before the next Write.
func (a *Archive) Commit() (outfile.Mark, error) {
	if a.err != nil || a.f == nil {
		return a.mark, a.err
	}
	fi, err := a.f.Stat()
	if err = errors.Join(err, a.f.Sync()); err != nil {
		return a.mark, err
	}
	if a.mark.Size = fi.Size(); a.mark.Size >= a.opts.MaxBytes {
		err, a.f = a.f.Close(), nil
		a.next()
	}
	return a.mark, err
}

// Close closes the archive. What was not committed is removed by the next Open.
func (a *Archive) Close() error {
	var err error
	if a.f != nil {
		err = a.f.Close()
	}
	return errors.Join(err, a.lock.Release())
}
