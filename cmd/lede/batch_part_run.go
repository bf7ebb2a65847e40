package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
)

// partRun is a part of a run: a folder of results, its plan, and the tasks of the part.
type partRun struct {
	flags *batchFlags
	cmd   *cobra.Command
	out   string
	plan  *runPlan
	hash  [sha256.Size]byte // of plan.json
	mine  []batch.Task

	pages, failed, done int
	lost                int64
	bad                 []string        // tasks that failed, each with the reason
	settled             map[string]bool // names of tasks that are done for good
}

// runPart runs the tasks of --part.
func (f *batchFlags) runPart(cmd *cobra.Command, args []string) error {
	i, n, err := parsePart(f.part)
	if err != nil {
		return err
	}
	split, err := parseSplit(f.split)
	if err != nil {
		return err
	}
	var archives []batch.Archive
	for _, path := range args {
		archives = append(archives, batch.Archive{Path: path, Size: -1})
	}
	for _, t := range batch.Plan(archives, 0) {
		if fi, err := os.Stat(t.Path); err == nil && fi.Mode().IsRegular() {
			archives[t.Archive].Size = fi.Size()
		}
	}
	r := &partRun{settled: map[string]bool{}, flags: f, cmd: cmd, out: filepath.Clean(f.out), plan: newRunPlan(archives, split, planFlagsOf(cmd.Flags()))}
	mine := func(t batch.Task) bool { return t.Part%n == i-1 }
	if err := r.begin(mine); err != nil {
		return cli.Fail(err)
	}
	for _, t := range r.plan.Tasks {
		if mine(t) {
			r.mine = append(r.mine, t)
		}
	}
	if err = r.run(); err == nil {
		err = r.verify()
	}
	if err != nil {
		return cli.Fail(fmt.Errorf("%w; fix this and run the same command again to continue", err))
	}
	r.clean()
	if !f.quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: part %s: %d tasks, %d of them were done before; %d pages, %d failed, %d bytes lost\n",
			f.part, len(r.mine), r.done, r.pages, r.failed, r.lost)
	}
	switch {
	case len(r.bad) > 0:
		return cli.Fail(fmt.Errorf("%d of %d tasks failed, and run again with the next run of this command: %s", len(r.bad), len(r.mine), strings.Join(r.bad[:min(len(r.bad), 20)], "; ")))
	case r.failed > 0:
		return cli.ErrSomeFailed
	}
	return nil
}

func (r *partRun) path(names ...string) string {
	return filepath.Join(append([]string{r.out, "_lede"}, names...)...)
}

// begin reads the plan of the folder, or writes it if this is the first process, and
// deletes what --overwrite asks for.
func (r *partRun) begin(mine func(batch.Task) bool) error {
	for _, dir := range []string{"parts", "tmp"} {
		if err := os.MkdirAll(r.path(dir), 0o755); err != nil {
			return fmt.Errorf("cannot write the result: %w", err)
		}
	}
	unlock, err := r.lock()
	if err != nil {
		return err
	}
	defer unlock()
	text, err := os.ReadFile(r.path("plan.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		left, _ := filepath.Glob(filepath.Join(r.out, "*.parquet"))
		marks, _ := filepath.Glob(r.path("parts", "*"))
		if left = append(left, marks...); len(left) > 0 && !r.flags.overwrite {
			return fmt.Errorf("%s has files of another run, such as %s, but no _lede/plan.json: name another folder, or use --overwrite to begin anew", r.out, filepath.Base(left[0]))
		}
		if len(left) == 0 {
			return r.writePlan()
		}
		return r.beginAnew()
	case err != nil:
		return err
	}
	old, err := parsePlan(text)
	if err == nil {
		err = old.check(r.plan)
	}
	switch {
	case err != nil && r.flags.overwrite:
		return r.beginAnew()
	case err != nil:
		return fmt.Errorf("%s: %w; use another folder, or --overwrite to begin anew", r.out, err)
	}
	r.plan, r.hash = old, sha256.Sum256(text)
	for _, t := range old.Tasks {
		if r.flags.overwrite && mine(t) { // the others are those of other processes
			if err := os.Remove(r.markFile(t)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// lock waits until no other process reads or writes the plan. File systems that cannot
// lock files do without.
func (r *partRun) lock() (unlock func(), err error) {
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		lock, err := outfile.NewLock(r.path("plan.lock"))
		switch {
		case err == nil:
			return func() { _ = lock.Release() }, nil
		case !errors.Is(err, outfile.ErrLocked):
			return func() {}, nil
		case r.cmd.Context().Err() != nil:
			return nil, errors.New("stopped")
		case time.Now().After(end):
			return nil, fmt.Errorf("another process has held %s for a minute; end it, or delete the file", r.path("plan.lock"))
		}
	}
}

func (r *partRun) beginAnew() error {
	if err := r.clear(); err != nil {
		return err
	}
	return r.writePlan()
}

// clear deletes what other runs have left. If it is interrupted, plan.json is no plan, so
// that what is left is not taken for results.
func (r *partRun) clear() error {
	if err := r.write([]byte(overwriting+"\n"), r.path("plan.json")); err != nil {
		return err
	}
	entries, err := os.ReadDir(r.path())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); name != "plan.json" && name != "plan.lock" && name != "tmp" {
			err = errors.Join(err, os.RemoveAll(r.path(name)))
		}
	}
	left, _ := filepath.Glob(filepath.Join(r.out, "part-*.parquet"))
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return errors.Join(err, os.MkdirAll(r.path("parts"), 0o755))
}

func (r *partRun) writePlan() error {
	text, err := jsonLine(r.plan)
	if err != nil {
		return err
	}
	r.hash = sha256.Sum256(text)
	return r.write(text, r.path("plan.json"))
}

// write writes a file that appears with all of its content.
func (r *partRun) write(text []byte, final string) (err error) {
	f, err := os.CreateTemp(r.path("tmp"), "new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return publish(f.Name(), final)
}

// publish gives a file its final name, for good.
func publish(file, final string) error {
	if err := os.Rename(file, final); err != nil {
		return err
	}
	return fsync.Dir(filepath.Dir(final))
}

func partName(t batch.Task) string { return fmt.Sprintf("part-%05d", t.Part) }

func (r *partRun) markFile(t batch.Task) string { return r.path("parts", partName(t)+".json") }

func (r *partRun) resultFile(t batch.Task) string {
	return filepath.Join(r.out, partName(t)+".parquet")
}

// partMark is the summary of a task, which is there if the task is done.
type partMark struct {
	Part    int    `json:"part"`
	Archive int    `json:"archive"`
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"` // of the archive or the range
	batchSummary
}

// follows reports whether a range was read from the right offset.
func (m *partMark) follows(next, until int64) bool {
	return batch.Stats{Begin: m.Begin}.Follows(next, until)
}

// mark returns the summary of a task, or nil if it is not done.
func (r *partRun) mark(t batch.Task) *partMark {
	m := new(partMark)
	text, err := os.ReadFile(r.markFile(t))
	if err != nil || json.Unmarshal(text, m) != nil || !m.Complete || m.Part != t.Part {
		return nil
	}
	if _, err := os.Stat(r.resultFile(t)); err != nil {
		return nil
	}
	return m
}

// run runs the tasks that are not done.
func (r *partRun) run() error {
	for _, t := range r.mine {
		if r.cmd.Context().Err() != nil {
			return errors.New("stopped")
		}
		m := r.mark(t)
		if m != nil {
			r.done++
		} else {
			var err error
			next, known := r.expected(t)
			if m, err = r.runTask(t, next, known); err != nil {
				if err = r.failure(t, err); err != nil {
					return err
				}
				continue
			}
		}
		r.settled[partName(t)] = t.From == 0 && t.Until == 0
		r.pages, r.failed, r.lost = r.pages+m.Pages, r.failed+m.Failed, r.lost+m.LostBytes
	}
	return nil
}

// failure records the failure of a task. It returns the error if no other task can
// succeed.
func (r *partRun) failure(t batch.Task, err error) error {
	err = fmt.Errorf("%s (%s): %w", partName(t), t.Path, err)
	if !errors.As(err, new(taskError)) || r.cmd.Context().Err() != nil {
		return err
	}
	fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err))
	r.bad = append(r.bad, cli.OneLine(err))
	return nil
}

// taskError is an error of one task; others may succeed.
type taskError struct{ error }

// ranges returns the tasks of the archive of a task.
func (r *partRun) ranges(t batch.Task) []batch.Task {
	first := t.Part
	for first > 0 && r.plan.Tasks[first-1].Archive == t.Archive {
		first--
	}
	last := t.Part
	for last+1 < len(r.plan.Tasks) && r.plan.Tasks[last+1].Archive == t.Archive {
		last++
	}
	return r.plan.Tasks[first : last+1]
}

// expected returns the offset at which a range begins, if all before it are done.
func (r *partRun) expected(t batch.Task) (next int64, known bool) {
	for _, before := range r.ranges(t) {
		if before.Part == t.Part {
			return next, t.From > 0
		}
		m := r.mark(before)
		if m == nil || !m.follows(next, before.Until) {
			return 0, false
		}
		if m.Begin >= 0 {
			next = m.Next
		}
	}
	return 0, false
}

// verify checks that the ranges of the archives of this part begin where those before
// them end, and reads a range again that does not. Ranges that are not done yet are
// verified by the process that does them: the last one sees all.
func (r *partRun) verify() error {
	archive := -1
	for _, t := range r.mine {
		if t.Archive == archive || t.From == 0 && t.Until == 0 {
			continue
		}
		archive = t.Archive
		next := int64(0)
		for _, t := range r.ranges(t) {
			m := r.mark(t)
			if m == nil {
				break
			}
			if !m.follows(next, t.Until) {
				var err error
				if m, err = r.runTask(t, next, true); err != nil {
					if err = r.failure(t, err); err != nil {
						return err
					}
					break
				}
			}
			r.settled[partName(t)] = true
			if m.Begin >= 0 {
				next = m.Next
			}
		}
	}
	return nil
}

// runTask runs a task in a process of its own, so that a page that kills it does not end
// the part, and publishes the result. If exact is set, the first record is at next.
func (r *partRun) runTask(t batch.Task, next int64, exact bool) (*partMark, error) {
	done := func() *partMark {
		if m := r.mark(t); m != nil && (!exact || m.follows(next, t.Until)) {
			return m
		}
		return nil
	}
	if err := os.MkdirAll(r.path("tmp"), 0o755); err != nil { // lede_news.spark removes it at the end
		return nil, err
	}
	tmp, err := os.MkdirTemp(r.path("tmp"), partName(t)+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	started := time.Now()
	sum, err := r.extract(t, next, exact, tmp)
	if m := done(); m != nil {
		return m, nil // by another process, which may have deleted tmp
	}
	if err != nil {
		return nil, err
	}
	sum.Seconds = time.Since(started).Seconds()
	m := &partMark{Part: t.Part, Archive: t.Archive, Path: t.Path, batchSummary: *sum}
	if size := r.plan.Sizes[t.Archive]; size >= 0 {
		m.Bytes = max(cmp.Or(t.Until, size)-t.From, 0)
	}
	if err := r.publish(t, tmp, m); err != nil {
		return nil, err
	}
	return m, nil
}

// clean removes what processes that were killed have left of tasks that are done. A
// process that does such a task at the moment fails, and finds that it is done.
func (r *partRun) clean() {
	entries, _ := os.ReadDir(r.path("tmp"))
	for _, e := range entries {
		name := e.Name()
		if at := strings.LastIndexByte(name, '-'); at > 0 && r.settled[name[:at]] {
			_ = os.RemoveAll(r.path("tmp", name))
		} else if fi, err := e.Info(); err == nil && strings.HasPrefix(name, "new-") && time.Since(fi.ModTime()) > time.Hour {
			_ = os.Remove(r.path("tmp", name))
		}
	}
}

// publish moves the result and then the summary of a task to their places.
func (r *partRun) publish(t batch.Task, tmp string, m *partMark) error {
	text, err := os.ReadFile(r.path("plan.json"))
	if err != nil {
		return err
	}
	if !bytes.Equal(r.hash[:], hashOf(text)) {
		return fmt.Errorf("another run has replaced the plan in %s", r.out)
	}
	pages, _ := filepath.Glob(filepath.Join(tmp, "quarantine", "*"))
	for _, page := range pages {
		final := r.path("quarantine", partName(t), filepath.Base(page))
		if err := errors.Join(os.MkdirAll(filepath.Dir(final), 0o755), os.Rename(page, final)); err != nil {
			return err
		}
	}
	if err := publish(filepath.Join(tmp, partName(t)+".parquet"), r.resultFile(t)); err != nil {
		return err
	}
	if text, err = jsonLine(m); err != nil {
		return err
	}
	return r.write(text, r.markFile(t))
}

func hashOf(text []byte) []byte { h := sha256.Sum256(text); return h[:] }
