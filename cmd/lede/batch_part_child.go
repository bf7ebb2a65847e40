package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/lede-news/lede/batch"
)

// maxResumes is how often a task goes on after its process was killed. A page that kills
// it is found at the next attempt, see probe; there may be several.
const maxResumes = 10

// ownFlags are flags that a task does not have from its part.
var ownFlags = []string{"archives", "part", "split", "out", "overwrite", "quiet", "live", "with-parent"}

// extract extracts the pages of a task to a file in a folder, by a process of lede, and
// returns its summary.
func (r *partRun) extract(t batch.Task, next int64, exact bool, dir string) (*batchSummary, error) {
	out, sum := filepath.Join(dir, partName(t)+".parquet"), filepath.Join(dir, "summary.json")
	args := []string{"batch", "--quiet", "--with-parent", "--as=" + t.Name, "--origin=" + t.Path, "--out=" + out, "--summary=" + sum, "--quarantine=" + filepath.Join(dir, "quarantine")}
	if from := t.From; from > 0 || t.Until > 0 {
		if exact {
			from = next
			args = append(args, "--exact")
		}
		args = append(args, fmt.Sprintf("--from=%d", from), fmt.Sprintf("--until=%d", t.Until))
	}
	r.cmd.Flags().Visit(func(fl *pflag.Flag) {
		if !slices.Contains(ownFlags, fl.Name) {
			args = append(args, flagArgs(fl)...)
		}
	})
	for resumes := 0; ; resumes++ {
		mode := "--overwrite"
		if _, err := os.Stat(out + ".journal"); err == nil {
			mode = "--resume"
		}
		said, err := r.child(append(slices.Clone(args), mode, "--", t.Path))
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		code := 0
		if exit != nil {
			code = exit.ExitCode()
		}
		s := readSummary(sum)
		switch crashed := code < 0 || strings.Contains(said, "\ngoroutine "); {
		case (code == 0 || code == 1) && s != nil && s.Complete && s.Unreadable > 0:
			return nil, taskError{fmt.Errorf("it cannot be read: %s", s.UnreadableError)}
		case (code == 0 || code == 1) && s != nil && s.Complete:
			if r.flags.verbose || said != "" {
				fmt.Fprint(r.cmd.ErrOrStderr(), said)
			}
			return s, nil
		case r.cmd.Context().Err() != nil:
			return nil, errors.New("stopped")
		case crashed && resumes < maxResumes:
			continue
		case crashed:
			return nil, taskError{fmt.Errorf("its process was killed %d times: %v: %.300s", resumes+1, err, said)}
		case s != nil && s.Error != "":
			return nil, errors.New(strings.TrimSuffix(s.Error, "; fix this and run the same command with --resume to continue"))
		}
		return nil, fmt.Errorf("%v: %.300s", err, said)
	}
}

// child runs lede and returns the end of what it writes to standard error.
func (r *partRun) child(args []string) (said string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(r.cmd.Context(), self, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	stderr := &tail{}
	cmd.Stderr = stderr
	err = cmd.Run()
	return string(stderr.text), err
}

// readSummary reads the file of --summary. It returns nil if there is none.
func readSummary(file string) *batchSummary {
	s := new(batchSummary)
	if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, s) != nil {
		return nil
	}
	return s
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

const maxTail = 64 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 2*maxTail {
		t.text = bytes.Clone(t.text[len(t.text)-maxTail:])
	}
	return len(p), nil
}
