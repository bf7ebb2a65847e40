package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
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
