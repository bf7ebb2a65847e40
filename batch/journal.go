package batch

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
)

// Journal is a file that records the progress of a run, usually next to its output. It
// is replaced with each commit, so that a crash of the machine leaves the old one or the
// new one.
type Journal struct {
	path     string
	source   *Source
	setup    []string
	lock     *outfile.Lock
	inFlight inFlight
	state    State
	position position
	// suspects are the numbers of pages that were in progress in a crash and had no
	// result.
	suspects map[int64]bool
}

// State is the progress that a Journal has recorded.
type State struct {
	Stats Stats `json:"stats"`
	// Mark is the latest one that Sink.Commit has returned.
	Mark int64 `json:"mark"`
	// Finished is set if all pages are done, but Sink.Finish was interrupted.
	Finished bool `json:"finished"`
}

// Mode is what OpenJournal does if there is an unfinished run.
type Mode uint8

// The modes of OpenJournal.
const (
	Begin     Mode = iota // return ErrUnfinished
	Resume                // continue it; begin a new run if there is none
	Overwrite             // begin a new run
)

// OpenJournal opens the journal of a run over a source, and locks it: it returns
// ErrLocked if another process has opened it. settings are those that the results
// depend on, such as "--method=blend". An unfinished run with another source or other
// settings cannot be resumed: the error is then ErrChanged.
func OpenJournal(path string, source *Source, settings []string, mode Mode) (*Journal, error) {
	lock, err := outfile.NewLock(path + ".lock")
	if err != nil {
		if !errors.Is(err, ErrLocked) {
			err = fmt.Errorf("cannot write the result: %w", describe(err))
		}
		return nil, err
	}
	j := &Journal{path: path, source: source, setup: newSetup(source, settings), lock: lock}
	if err := j.open(mode); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return j, nil
}

// journalFile is what a journal contains.
type journalFile struct {
	Setup    []string `json:"setup"`
	Position position `json:"place"`
	State
}

func (j *Journal) open(mode Mode) error {
	var old journalFile
	text, err := os.ReadFile(j.path)
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil && mode != Overwrite:
		return fmt.Errorf("%s cannot be read: %w: use --overwrite to start again", j.path, err)
	case mode == Begin:
		return ErrUnfinished
	case mode == Resume:
		if !slices.Equal(old.Setup, j.setup) {
			return fmt.Errorf("%w: it had %s, now it is %s", ErrChanged, without(old.Setup, j.setup), without(j.setup, old.Setup))
		}
		j.state, j.position = old.State, old.Position
	}
	if j.inFlight, j.suspects, err = openInFlight(j.path+".inflight", j.state.Stats.Done); err != nil {
		return fmt.Errorf("cannot write the result: %w", describe(err))
	}
	if err := j.write(); err != nil {
		return errors.Join(fmt.Errorf("cannot write the result: %w", describe(err)), j.inFlight.remove())
	}
	return nil
}

// write replaces the journal.
func (j *Journal) write() error {
	text, err := json.Marshal(journalFile{j.setup, j.position, j.state})
	if err != nil {
		return err
	}
	return fsync.WriteFile(j.path, append(text, '\n'))
}

// State returns the progress that is recorded. Its maps change while Run runs.
func (j *Journal) State() State { return j.state }

// Close closes the journal, so that the run can be resumed later. No page may be in
// progress.
func (j *Journal) Close() error {
	return errors.Join(j.inFlight.remove(), j.lock.Release())
}

// Remove closes and removes the journal.
func (j *Journal) Remove() error {
	return errors.Join(j.inFlight.remove(), os.Remove(j.path), j.lock.Release(), fsync.Dir(filepath.Dir(j.path)))
}

// newSetup returns what a run must have in common with the one that it resumes.
func newSetup(source *Source, settings []string) []string {
	setup := slices.Sorted(slices.Values(settings))
	for i, path := range slices.Concat(source.Paths, source.Lists) {
		text := path
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() {
			text = fmt.Sprintf("%s (%d bytes of %s)", path, fi.Size(), fi.ModTime().UTC().Format(time.RFC3339))
		}
		if i >= len(source.Paths) {
			text = "the list " + text
		}
		setup = append(setup, text)
	}
	return append(setup, source.Name)
}

// without lists what is in a and not in b.
func without(a, b []string) string {
	list := slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}

// inFlight is a small file with the numbers of pages that may have ended a process, as Go
// does when stack or memory run out: those in progress in earlier processes that had no
// result, and then the page that each worker has in progress.
type inFlight struct {
	*os.File
	before int // pages of earlier processes
}

const slotBytes = 8 // of the number of a page

// openInFlight opens the file and returns the pages of earlier processes, of which the
// first ones are done.
func openInFlight(path string, done int) (f inFlight, pages map[int64]bool, err error) {
	pages = map[int64]bool{}
	old, _ := os.ReadFile(path) // what can be read is enough
	for ; len(old) >= slotBytes; old = old[slotBytes:] {
		if n := int64(binary.LittleEndian.Uint64(old)); n >= int64(done) {
			pages[n] = true
		}
	}
	if f.File, err = os.Create(path); err != nil {
		return f, nil, err
	}
	for n := range pages {
		f.set(0, n)
		f.before++
	}
	return f, pages, nil
}

// set writes to the memory of the system, which survives the process. If that
// fails, the page is extracted all the same.
func (f inFlight) set(worker int, number int64) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(number))
	_, _ = f.WriteAt(b, int64(f.before+worker)*slotBytes)
}

func (f inFlight) remove() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
