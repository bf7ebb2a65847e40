package batch

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
)

// Journal is a file that records the progress of a run, usually next to its
// output. It is only appended to, a line with a checksum for each commit, so that
// after a crash of the machine all lines but the last are valid.
type Journal struct {
	path     string
	source   *Source
	f        *os.File
	lock     *outfile.Lock
	inFlight *inFlight
	state    State
	position position
	// suspects are the numbers of pages that were in progress in a crash and have
	// no result yet.
	suspects map[int64]bool
}

// State is the progress that a Journal has recorded.
type State struct {
	Stats Stats
	// Marks are the latest marks of each output, as returned by Sink.Commit.
	Marks map[string]int64
	// Finished is set if all pages are done, but Sink.Finish was interrupted.
	Finished bool
	// Overwritten are the outputs of the run that Overwrite has replaced. They
	// may be removed.
	Overwritten []string
	// Damaged, if not nil, says that the rest of the journal could not be read, and
	// where it is kept. The pages that were done after the state are done again;
	// if no page is left, the outputs have pages that are not in Marks.
	Damaged error
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
// settings cannot be resumed: the error is then ErrChanged. It is ErrVersion for a run
// of a version of this package whose journal or lines have other fields.
func OpenJournal(path string, source *Source, settings []string, mode Mode) (*Journal, error) {
	lock, err := outfile.NewLock(path + ".lock")
	if err != nil {
		if !errors.Is(err, ErrLocked) {
			err = fmt.Errorf("cannot write the result: %w", describe(err))
		}
		return nil, err
	}
	j := &Journal{path: path, source: source, lock: lock}
	if err := j.open(newSetup(source, settings), mode); err != nil {
		if j.inFlight != nil {
			j.inFlight.Close()
		}
		if j.f != nil {
			j.f.Close()
		}
		lock.Release()
		return nil, err
	}
	return j, nil
}

func (j *Journal) open(run setup, mode Mode) error {
	var err error
	if j.f, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return fmt.Errorf("cannot write the result: %w", describe(err))
	}
	old, end, damaged, err := j.read()
	if err != nil {
		return fmt.Errorf("reading %s: %w", j.path, err)
	}
	if damaged && mode == Resume {
		if err := j.keepDamaged(); err != nil {
			return fmt.Errorf("keeping %s, which is damaged: %w", j.path, err)
		}
	}
	switch {
	case old == nil && !damaged: // new or empty
	case mode == Begin:
		return ErrUnfinished
	case mode == Overwrite:
		overwritten := slices.Collect(maps.Keys(j.state.Marks))
		j.reset()
		j.state.Overwritten = overwritten
		old = nil
	case old != nil:
		if err := old.compare(run); err != nil {
			return err
		}
	}
	if old == nil {
		end = 0
	}
	if err := j.f.Truncate(end); err != nil {
		return err
	}
	if _, err := j.f.Seek(end, io.SeekStart); err != nil {
		return err
	}
	workers, err := os.OpenFile(j.path+".inflight", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	j.inFlight = &inFlight{workers}
	if old != nil {
		return j.addSuspects()
	}
	if err := j.write(run); err != nil {
		return err
	}
	return fsync.Dir(filepath.Dir(j.path))
}

func (j *Journal) reset() {
	j.state = State{Stats: *newStats(), Marks: map[string]int64{}}
	j.position, j.suspects = position{}, map[int64]bool{}
}

// read reads the journal up to the first invalid line. It returns the setup, or nil
// if there is none, and the offset of that line. A line at the end that was cut off is
// what a crash leaves; other invalid lines are damage, after which nothing is relied
// upon, since each line says only what has changed.
func (j *Journal) read() (run *setup, end int64, damaged bool, err error) {
	j.reset()
	r := bufio.NewReader(j.f)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return run, end, len(line) > 0 && (run == nil || bytes.IndexByte(line, 0) >= 0), nil
		}
		if err != nil {
			return nil, 0, false, err
		}
		text, ok := outfile.CheckLine(line)
		if !ok {
			return run, end, true, nil
		}
		if run == nil {
			run = new(setup)
			if err := json.Unmarshal(text, run); err != nil {
				return nil, 0, true, nil
			}
		} else {
			var c commit
			if err := json.Unmarshal(text, &c); err != nil {
				return run, end, true, nil
			}
			j.apply(c)
		}
		end += int64(len(line))
	}
}

// keepDamaged copies a damaged journal.
func (j *Journal) keepDamaged() error {
	aside, err := fsync.Aside(j.path)
	if err != nil {
		return err
	}
	f, err := os.Create(aside)
	if err != nil {
		return err
	}
	_, err = j.f.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(f, j.f)
	}
	j.state.Damaged = fmt.Errorf("%s is damaged and is kept as %s; %d pages that it says are done are not done again", j.path, aside, j.state.Stats.Done)
	return errors.Join(err, f.Close())
}

// write appends a line and waits until it is on disk.
func (j *Journal) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(outfile.Line(text)); err != nil {
		return err
	}
	return j.f.Sync()
}

// State returns the progress that was recorded when the journal was opened.
func (j *Journal) State() State { return j.state }

// Close closes the journal, so that the run can be resumed later. No page may be in
// progress.
func (j *Journal) Close() error {
	return errors.Join(j.inFlight.remove(), j.f.Close(), j.lock.Release())
}

// Remove closes and removes the journal.
func (j *Journal) Remove() error {
	return errors.Join(j.inFlight.remove(), j.f.Close(), os.Remove(j.path), j.lock.Release(), fsync.Dir(filepath.Dir(j.path)))
}

// commit is a line of the journal: the state, and what changed since the line
// before.
type commit struct {
	Position position         `json:"place"`
	Marks    map[string]int64 `json:"marks,omitempty"`
	Stats                     // its Counts are of the pages since the last commit
	Finished bool             `json:"finished,omitempty"`
	Suspects []int64          `json:"suspects,omitempty"` // new ones
}

func (j *Journal) apply(c commit) {
	j.position, j.state.Finished = c.Position, c.Finished
	maps.Copy(j.state.Marks, c.Marks)
	s := &j.state.Stats
	s.sum(c.Counts)
	c.Counts, c.seen = s.Counts, s.seen
	*s = c.Stats
	for _, n := range c.Suspects {
		j.suspects[n] = true
	}
}

// addSuspects adds the pages that were in progress in the last process. They are
// recorded: this process will have others in progress, and if it crashes before these
// have a result, the next process must know all of them.
func (j *Journal) addSuspects() error {
	done := int64(j.state.Stats.Done)
	suspects := j.inFlight.pages(done)
	maps.Copy(j.suspects, suspects)
	maps.DeleteFunc(j.suspects, func(n int64, _ bool) bool { return n < done })
	if len(suspects) == 0 {
		return nil
	}
	c := commit{Position: j.position, Stats: j.state.Stats, Finished: j.state.Finished, Suspects: slices.Sorted(maps.Keys(suspects))}
	c.Counts = Counts{}
	return j.write(c)
}

// setup is the first line of a journal: what a run must have in common with the one
// that it resumes.
type setup struct {
	Format   int      `json:"journal"`
	Fields   []string `json:"fields"` // of a Line; outputs must not have two kinds of rows
	Inputs   []string `json:"inputs"`
	Settings []string `json:"settings"`
}

const journalFormat = 3

// lineFields returns the names of the fields of a Line in JSON.
func lineFields() (names []string) {
	for f := range reflect.TypeFor[Line]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func newSetup(source *Source, settings []string) setup {
	s := setup{Format: journalFormat, Fields: lineFields(), Settings: slices.Sorted(slices.Values(settings)), Inputs: []string{}}
	for i, path := range slices.Concat(source.Paths, source.Lists) {
		text := path
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() {
			text = fmt.Sprintf("%s (%d bytes of %s)", path, fi.Size(), fi.ModTime().UTC().Format(time.RFC3339))
		}
		if i >= len(source.Paths) {
			text = "the list " + text
		}
		s.Inputs = append(s.Inputs, text)
	}
	if r := source.Range; !r.isZero() {
		s.Inputs = append(s.Inputs, fmt.Sprintf("bytes %d to %d (exact: %t)", r.From, r.Until, r.Exact))
	}
	if source.Name != "" || source.Origin != "" {
		s.Inputs = append(s.Inputs, fmt.Sprintf("named %q, %q", source.Name, source.Origin))
	}
	return s
}

// compare returns an error that describes how the new run differs.
func (s *setup) compare(run setup) error {
	if s.Format != run.Format {
		return fmt.Errorf("%w: its journal has format %d, and this version writes format %d", ErrVersion, s.Format, run.Format)
	}
	if !slices.Equal(s.Inputs, run.Inputs) {
		return fmt.Errorf("%w: its inputs were %s, now they are %s", ErrChanged, strings.Join(s.Inputs, ", "), strings.Join(run.Inputs, ", "))
	}
	if !slices.Equal(s.Settings, run.Settings) {
		return fmt.Errorf("%w: it had %s, now it is %s", ErrChanged, without(s.Settings, run.Settings), without(run.Settings, s.Settings))
	}
	if !slices.Equal(s.Fields, run.Fields) {
		return fmt.Errorf("%w: its records have %s, where this version writes %s", ErrVersion, without(s.Fields, run.Fields), without(run.Fields, s.Fields))
	}
	return nil
}

// without lists what is in a and not in b.
func without(a, b []string) string {
	list := slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}

// inFlight is a small file with the number of the page that each worker has in
// progress. If the process crashes, as Go does when stack or memory run out, it tells
// which pages may be the cause.
type inFlight struct{ *os.File }

const slotBytes = 8 // per worker: the number of its page, plus 1

func (f *inFlight) remove() error { return errors.Join(f.Close(), os.Remove(f.Name())) }

// set writes to the memory of the system, which survives the process. If that
// fails, the page is extracted all the same.
func (f *inFlight) set(worker int, number int64) {
	var b [slotBytes]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number)+1)
	_, _ = f.WriteAt(b[:], int64(worker)*slotBytes)
}

// pages returns the pages in progress, except the first ones, which are done.
func (f *inFlight) pages(done int64) map[int64]bool {
	pages := map[int64]bool{}
	all, _ := io.ReadAll(io.NewSectionReader(f, 0, 1<<16))
	for ; len(all) >= slotBytes; all = all[slotBytes:] {
		if n := int64(binary.LittleEndian.Uint64(all)) - 1; n >= done {
			pages[n] = true
		}
	}
	return pages
}
