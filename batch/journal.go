package batch

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	// ErrUnfinished is said when a run is begun where another one is unfinished.
	ErrUnfinished = errors.New("an unfinished run is there")
	// ErrLocked is said when another process is at it.
	ErrLocked = errors.New("another run is writing it at this moment")
	// ErrChanged is said when a run is taken up with other inputs or settings.
	ErrChanged = errors.New("the unfinished run was another one")
)

// Journal is the file beside an output that says how far a run has come. It is
// only ever appended to, a line with its checksum for each commit, so that
// whatever stops the machine, all but perhaps the last line can be believed.
type Journal struct {
	path   string
	f      *os.File
	flight *flight
	state  State
	old    []string
}

// commit is a line of the journal: what has changed since the line before.
type commit struct {
	Place       Place            `json:"place"`
	Marks       map[string]int64 `json:"marks,omitempty"`
	Done        int              `json:"done"`
	Failed      int              `json:"failed,omitempty"`
	Bytes       int64            `json:"bytes"`
	Input       int64            `json:"input"`
	Lost        int64            `json:"lost,omitempty"`
	Partial     int              `json:"partial,omitempty"`
	Quarantined int              `json:"quarantined,omitempty"`
	Elapsed     time.Duration    `json:"elapsed"`
	Counts      Counts           `json:"counts"` // of the pages since the last commit
	Finished    bool             `json:"finished,omitempty"`
	Suspects    []int64          `json:"suspects,omitempty"` // more of them
}

func newCommit(place Place, s *Stats) commit {
	return commit{Place: place, Done: s.Done, Failed: s.Failed, Bytes: s.Bytes, Input: s.Input, Lost: s.Lost,
		Partial: s.Partial, Quarantined: s.Quarantined, Elapsed: s.Elapsed}
}

// Mode says what to do with a run that is there already.
type Mode uint8

// The modes: to refuse, to take it up, or to forget it.
const (
	Begin Mode = iota
	Resume
	Overwrite
)

// OpenJournal opens the journal at path for this process alone. A journal of
// another run is ErrChanged when it is to be resumed, and a journal that is
// there at all ErrUnfinished when the mode is Begin.
func OpenJournal(path string, run Setup, mode Mode) (*Journal, error) {
	f, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path, f: f}
	if err := j.open(run, mode); err != nil {
		if j.flight != nil {
			j.flight.f.Close()
		}
		f.Close()
		return nil, err
	}
	return j, nil
}

func (j *Journal) open(run Setup, mode Mode) error {
	was, end, err := j.read()
	if err != nil {
		return fmt.Errorf("reading %s: %w", j.path, err)
	}
	switch {
	case was == nil: // nothing there, or nothing was done
	case mode == Begin:
		return ErrUnfinished
	case mode == Overwrite:
		for name := range j.state.Marks {
			j.old = append(j.old, name)
		}
		was = nil
	default:
		if err := was.compare(run); err != nil {
			return err
		}
	}
	if was == nil {
		end, j.state = 0, emptyState()
	}
	if err := j.f.Truncate(end); err != nil {
		return err
	}
	if _, err := j.f.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if j.flight, err = openFlight(j.path + ".inflight"); err != nil {
		return err
	}
	if was != nil {
		return j.suspect()
	}
	if err := j.write(run); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(j.path))
}

// read replays the journal up to the first line that cannot be believed. It
// gives the setup, nil when there is none, and where that line begins.
func (j *Journal) read() (was *Setup, end int64, err error) {
	j.state = emptyState()
	r := bufio.NewReader(j.f)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return was, end, nil
		}
		if err != nil {
			return nil, 0, err
		}
		text, ok := checked(line)
		if !ok {
			return was, end, nil
		}
		if was == nil {
			was = new(Setup)
			if err := json.Unmarshal(text, was); err != nil {
				return nil, 0, nil
			}
		} else {
			var c commit
			if err := json.Unmarshal(text, &c); err != nil {
				return was, end, nil
			}
			j.state.apply(c)
		}
		end += int64(len(line))
	}
}

// checked is what stands behind a checksum that is right.
func checked(line []byte) ([]byte, bool) {
	const sum = 8
	if len(line) < sum+2 || line[sum] != ' ' {
		return nil, false
	}
	text := bytes.TrimSuffix(line[sum+1:], []byte("\n"))
	return text, fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) == string(line[:sum])
}

// write adds a line and waits until it is on the disk.
func (j *Journal) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(j.f, "%08x %s\n", crc32.ChecksumIEEE(text), text); err != nil {
		return err
	}
	return j.f.Sync()
}

// State is where to begin.
func (j *Journal) State() State { return j.state }

// Old are the outputs of a run that was overwritten; they may go.
func (j *Journal) Old() []string { return j.old }

// Close leaves the journal for another time. The pages in work, if any, are no
// suspects: the process lives.
func (j *Journal) Close() error { return errors.Join(j.flight.remove(), j.f.Close()) }

// Remove ends the run for good.
func (j *Journal) Remove() error {
	return errors.Join(j.flight.remove(), os.Remove(j.path), j.f.Close(), SyncFolder(filepath.Dir(j.path)))
}

// State is what a run knows when it is taken up.
type State struct {
	Place    Place
	Marks    map[string]int64 // how much of each output is safe, as its Sink counts
	Stats    Stats
	Finished bool // all pages are done, but the outputs have not all got their names
	// Suspects are the pages that were in work when a process died, and have no
	// outcome yet. Some of them may be the reason.
	Suspects map[int64]bool
}

func emptyState() State {
	return State{Marks: map[string]int64{}, Stats: *newStats(), Suspects: map[int64]bool{}}
}

func (s *State) apply(c commit) {
	s.Place, s.Finished = c.Place, c.Finished
	for name, mark := range c.Marks {
		s.Marks[name] = mark
	}
	st := &s.Stats
	st.Done, st.Failed, st.Bytes, st.Input, st.Lost = c.Done, c.Failed, c.Bytes, c.Input, c.Lost
	st.Partial, st.Quarantined, st.Elapsed = c.Partial, c.Quarantined, c.Elapsed
	st.sum(c.Counts)
	for _, n := range c.Suspects {
		s.Suspects[n] = true
	}
}

// suspect adds the pages that the last process had in work. They are written
// down: this process will have others in work, and if it dies before those have
// their outcome, the next one must know all of them.
func (j *Journal) suspect() error {
	done := int64(j.state.Stats.Done)
	more := j.flight.since(done)
	maps.Copy(j.state.Suspects, more)
	maps.DeleteFunc(j.state.Suspects, func(n int64, _ bool) bool { return n < done })
	if len(more) == 0 {
		return nil
	}
	c := newCommit(j.state.Place, &j.state.Stats)
	c.Finished, c.Suspects = j.state.Finished, slices.Sorted(maps.Keys(more))
	return j.write(c)
}

// Setup is what a run is about: a run is only taken up with the same.
type Setup struct {
	Format   int      `json:"journal"` // of the journal
	Inputs   []string `json:"inputs"`
	Settings []string `json:"settings"` // such as "--method=blend"
}

const journalFormat = 1

// NewSetup describes a run of inputs with settings, which are compared word by
// word.
func NewSetup(in *Inputs, settings []string) Setup {
	s := Setup{Format: journalFormat, Settings: slices.Clone(settings), Inputs: []string{}}
	slices.Sort(s.Settings)
	for _, path := range in.paths {
		text := path
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() {
			text = fmt.Sprintf("%s (%d bytes of %s)", path, fi.Size(), fi.ModTime().UTC().Format(time.RFC3339))
		}
		s.Inputs = append(s.Inputs, text)
	}
	return s
}

// compare says in what another run differs.
func (s *Setup) compare(now Setup) error {
	if s.Format != now.Format {
		return fmt.Errorf("%w: its journal is in form %d, and this lede writes form %d", ErrChanged, s.Format, now.Format)
	}
	if !slices.Equal(s.Inputs, now.Inputs) {
		return fmt.Errorf("%w: its inputs were %s, and now they are %s", ErrChanged, strings.Join(s.Inputs, ", "), strings.Join(now.Inputs, ", "))
	}
	if !slices.Equal(s.Settings, now.Settings) {
		return fmt.Errorf("%w: it had %s, and now it is %s", ErrChanged, only(s.Settings, now.Settings), only(now.Settings, s.Settings))
	}
	return nil
}

// only lists what the first has and the second has not.
func only(a, b []string) string {
	var list []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return "nothing of it"
	}
	return strings.Join(list, " ")
}

// flight is a small file in which every worker keeps the number of the page it
// has in work. When the process dies of a page, as Go does when its stack or
// memory runs out, the file knows which pages it may have been.
type flight struct{ f *os.File }

const slot = 8 // bytes a worker: the number of the page, plus 1

func openFlight(path string) (*flight, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	return &flight{f}, err
}

// note is one small write to memory of the system, which outlives the process.
// A page that cannot be noted is worked on all the same.
func (f *flight) note(worker int, number int64) {
	var b [slot]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number)+1)
	_, _ = f.f.WriteAt(b[:], int64(worker)*slot)
}

// since reads the pages in work of which the first ones are not known to be done.
func (f *flight) since(done int64) map[int64]bool {
	suspects := map[int64]bool{}
	all, _ := io.ReadAll(io.NewSectionReader(f.f, 0, 1<<16))
	for ; len(all) >= slot; all = all[slot:] {
		if n := int64(binary.LittleEndian.Uint64(all)) - 1; n >= done {
			suspects[n] = true
		}
	}
	return suspects
}

func (f *flight) remove() error { return errors.Join(os.Remove(f.f.Name()), f.f.Close()) }
