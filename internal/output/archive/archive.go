// Package archive keeps a folder of web archives that grows over many runs.
//
// Commit returns a mark, which the caller records together with the stories. After a
// crash, Open with the last recorded mark removes what was written since, and nothing
// else: files that others put into the folder are never changed.
package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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

// Mark is the end of an archive. The zero value is that of a new one.
type Mark struct {
	File string `json:"file,omitempty"` // the last file, without its folder
	Size int64  `json:"size,omitempty"`
}

// Archive is an archive that is open for writing. It is not safe for concurrent use.
type Archive struct {
	dir     string
	opts    Options
	claims  *outfile.Claims
	mark    Mark
	f       *os.File // nil until something is written
	w       *warc.Writer
	created bool  // since the last Commit
	err     error // of Write
}

// Open opens an archive as it was when Commit returned mark. The error is
// outfile.ErrLocked if another process has it open.
func Open(dir string, mark Mark, opts Options) (*Archive, error) {
	opts.MaxBytes = cmp.Or(opts.MaxBytes, DefaultMaxBytes)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	claims, err := outfile.OpenClaims(filepath.Join(dir, "archive"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	a := &Archive{dir: dir, opts: opts, claims: claims, mark: mark}
	if err := a.restore(); err != nil {
		return nil, errors.Join(err, claims.Close())
	}
	return a, nil
}

// restore removes what was written after the mark.
func (a *Archive) restore() error {
	for name := range a.claims.Names() {
		if name != a.mark.File && numberOf(name) >= numberOf(a.mark.File) { // earlier ones are recorded
			if err := os.Remove(filepath.Join(a.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := a.claims.Clear(); err != nil || a.mark.File == "" {
		return err
	}
	path := filepath.Join(a.dir, a.mark.File)
	err := outfile.Truncate(path, a.mark.Size)
	if err == nil {
		a.f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	}
	if err != nil { // what there is of the file can be read
		a.opts.Log.Warn("the last web archive cannot be continued; a new one is begun", "error", err)
		return nil
	}
	a.w = warc.NewWriter(a.f, warc.WriterOptions{})
	return nil
}

// Write writes the records of a page. After an error, the archive must be opened
// again.
func (a *Archive) Write(f warc.Fetch, found Found) error {
	if a.err == nil {
		a.err = a.begin()
	}
	if a.err != nil {
		return a.err
	}
	if found.URL == f.Response.URL {
		found.URL = ""
	}
	f.Metadata = append(found.fields(), f.Metadata...)
	if f.Request != nil {
		f.Request = f.Request.Clone()
		for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
			f.Request.Del(name) // archives are passed on
		}
	}
	_, a.err = a.w.WriteFetch(f)
	return a.err
}

// begin begins a file if there is none, or if the last one is full.
func (a *Archive) begin() error {
	number := 0
	if a.f != nil {
		size, err := a.f.Seek(0, io.SeekEnd)
		if err != nil || size < a.opts.MaxBytes {
			return err
		}
		if err := errors.Join(a.f.Sync(), a.f.Close()); err != nil {
			return err
		}
		number, a.f = numberOf(a.f.Name()), nil
	} else {
		number = numberOf(a.mark.File)
	}
	now := time.Now().UTC()
	var path string
	for path == "" || exists(path) {
		number++
		path = filepath.Join(a.dir, fmt.Sprintf("lede-%s-%05d.warc.gz", now.Format("20060102150405"), number))
	}
	if err := a.claims.Add(map[string]int64{filepath.Base(path): 0}); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	a.f, a.created, a.w = f, true, warc.NewWriter(f, warc.WriterOptions{})
	info := append(warc.Header{{Name: "format", Value: "WARC File Format 1.1"}}, a.opts.Info...)
	_, err = a.w.WriteInfo(now, info)
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// numberOf returns the number in the name of a file, or 0.
func numberOf(path string) (number int) {
	var date string
	_, _ = fmt.Sscanf(filepath.Base(path), "lede-%14s-%d", &date, &number)
	return number
}

// Commit makes what was written survive a crash of the machine, and returns the mark
// to record.
func (a *Archive) Commit() (Mark, error) {
	if a.err != nil || a.f == nil {
		return a.mark, a.err
	}
	size, err := a.f.Seek(0, io.SeekEnd)
	if err = errors.Join(err, a.f.Sync()); err != nil {
		return a.mark, err
	}
	if a.created {
		if err := fsync.Dir(a.dir); err != nil {
			return a.mark, err
		}
		a.created = false
	}
	a.mark = Mark{File: filepath.Base(a.f.Name()), Size: size}
	return a.mark, nil
}

// Finish says that the mark of the last Commit is recorded. Without it, Open needs a
// file beside the archives to tell which are its own.
func (a *Archive) Finish() error { return a.claims.Clear() }

// Close closes the archive. What was not committed is removed by the next Open.
func (a *Archive) Close() error {
	var err error
	if a.f != nil {
		err = a.f.Close()
	}
	return errors.Join(err, a.claims.Close())
}
