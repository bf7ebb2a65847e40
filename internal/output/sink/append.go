package sink

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/internal/output/outfile"
)

// growth is what outputs with Options.Append have in common. Their marks have absolute
// names, so that another output with the same state is never taken for this one.
type growth struct {
	dir       string // absolute
	claims    *outfile.Claims
	marks     map[string]int64 // that are recorded, by name
	rounds    bool             // a file for the results between two calls of Finish
	days      bool             // a file for each day
	round     string           // "" before its first result
	overwrite bool
	adopted   map[string]int64 // marks to return
	log       *slog.Logger
}

// openGrowing opens outputs that are appended to.
func openGrowing(path string, opts Options) (Sink, error) {
	g := &growth{overwrite: opts.Overwrite, log: opts.Log, marks: map[string]int64{}}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	fi, err := os.Stat(path)
	g.days = err == nil && fi.IsDir() || path != "" && os.IsPathSeparator(path[len(path)-1])
	if g.days {
		path = filepath.Join(path, "stories.jsonl") // which no file is called
	}
	f, err := formatOf(path)
	if err != nil {
		return nil, fmt.Errorf("%w; or name a folder with / at its end, for a file of JSON lines each day", err)
	}
	err = f.checkShard(opts.Shard)
	if err == nil {
		g.dir, err = filepath.Abs(filepath.Dir(path))
	}
	if err == nil {
		err = os.MkdirAll(g.dir, 0o755)
	}
	if err != nil {
		return nil, err
	}
	g.rounds = !g.days && filepath.Ext(strings.ToLower(path)) == ".parquet"
	for key, mark := range opts.Marks {
		if name := filepath.Base(key); mark >= 0 && filepath.Dir(key) == g.dir && g.owns(filepath.Base(path), name) {
			g.marks[name] = mark
		}
	}
	if g.claims, err = outfile.OpenClaims(path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if opts.Adopt {
		if err := g.adopt(filepath.Base(path), f, g.days || opts.Shard.kind != oneFile); err != nil {
			return nil, errors.Join(err, g.claims.Close())
		}
	}
	var s Sink
	if f.isDatabase {
		s, err = openGrowingDatabase(path, g)
	} else {
		s, err = openGrowingFiles(path, f, g, opts.Shard)
	}
	if err != nil {
		return nil, errors.Join(err, g.claims.Close())
	}
	return s, nil
}

// owns reports whether an output may have a name, with any shards.
func (g *growth) owns(base, name string) bool {
	if g.days {
		_, err := time.Parse(time.DateOnly, name[:min(len(name), len(time.DateOnly))])
		return err == nil && strings.HasSuffix(name, ".jsonl")
	}
	before, after, _ := strings.Cut(shardName(base, "\x00"), "\x00")
	return name == base || strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// adopt sets the marks of files that have none: where they end. several says that there
// may be more than one. Files of rounds are complete.
func (g *growth) adopt(base string, f format, several bool) error {
	if g.rounds {
		return nil
	}
	entries, err := os.ReadDir(g.dir)
	if err != nil {
		return err
	}
	g.adopted = map[string]int64{}
	for _, e := range entries {
		name := e.Name()
		if _, known := g.marks[name]; known || !e.Type().IsRegular() || !g.owns(base, name) || name != base && !several {
			continue
		}
		end, err := endOf(filepath.Join(g.dir, name), f)
		if err != nil {
			return err
		}
		if end > 0 {
			g.marks[name], g.adopted[name] = end, end
		}
	}
	return nil
}

// endOf returns the mark of an output as it is: the number of its rows, or its size,
// without a line that is cut off.
func endOf(file string, f format) (end int64, err error) {
	if f.isDatabase {
		return nextRecord(file)
	}
	in, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	end, err = in.Seek(0, io.SeekEnd)
	if err != nil || f.compressed {
		return end, err
	}
	for b := make([]byte, 64<<10); end > 0; {
		part := b[:min(int64(len(b)), end)]
		if _, err := in.ReadAt(part, end-int64(len(part))); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return end - int64(len(part)) + int64(i) + 1, nil
		}
		end -= int64(len(part))
	}
	return 0, nil
}

// isVoid reports whether a file was begun after the marks were recorded.
func (g *growth) isVoid(name string) bool {
	before, claimed := g.claims.Before(name)
	return claimed && before == g.marks[name]
}

// check returns an error for a file that is not ours.
func (g *growth) check(file string) error {
	fi, err := os.Stat(file)
	if err != nil || fi.Size() == 0 || g.overwrite {
		return nil
	}
	return fmt.Errorf("%s: %w: write to another file, or use --overwrite to replace it", file, ErrExists)
}

// warnMoved says that an output is begun anew.
func (g *growth) warnMoved(file string) {
	g.log.Warn("the output was moved or removed; it is begun anew", "file", file)
}

// setAside keeps a damaged output under another name.
func (g *growth) setAside(file string, why error) error {
	aside, err := fsync.SetAside(file)
	if err == nil {
		g.log.Warn("the output is damaged; it is kept under another name and begun anew", "file", file, "kept", aside, "error", why)
	}
	return err
}

// roundLayout is the time in the name of a file of a round.
const roundLayout = "20060102T150405Z"

func openGrowingFiles(path string, f format, g *growth, shard Shard) (*files, error) {
	s := newFiles(path, f, shard)
	s.grow = g
	base := filepath.Base(path)
	switch {
	case g.days:
		s.base = func() string { return time.Now().UTC().Format(time.DateOnly) + ".jsonl" }
	case g.rounds:
		s.base = func() string { return s.roundBase(base) }
	}
	if err := s.restore(); err != nil {
		return nil, err
	}
	if g.rounds {
		before, _, _ := strings.Cut(shardName(base, "\x00"), "\x00")
		for name := range s.outputs { // of a round that was interrupted
			if len(name) > len(before)+len(roundLayout) {
				g.round = max(g.round, name[len(before):][:len(roundLayout)])
			}
		}
		return s, nil
	}
	if len(s.outputs) == 0 { // others are found when they are begun
		if old, err := Existing(s.final(s.base()), shard); err == nil && old != "" {
			return s, g.check(old)
		}
	}
	return s, nil
}

// roundBase returns the name of the file of this round.
func (s *files) roundBase(base string) string {
	g := s.grow
	for t := time.Now().UTC(); g.round == ""; t = t.Add(time.Second) {
		name := t.Format(roundLayout)
		if old, err := Existing(s.final(shardName(base, name)), s.shard); err != nil || old == "" {
			g.round = name
		}
	}
	return shardName(base, g.round)
}

// restore removes what was written after the marks were recorded.
func (s *files) restore() error {
	g := s.grow
	for name := range g.claims.Names() {
		if g.isVoid(name) {
			if err := os.Remove(s.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for name, mark := range g.marks {
		file := s.file(name)
		fi, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && fi.Size() == 0:
			if !g.days && !g.rounds && mark > 0 { // such files are complete
				g.warnMoved(file)
			}
			continue
		case err != nil:
			return err
		}
		if err := s.checkHeader(file); err != nil {
			return err
		}
		if err := outfile.Truncate(file, mark); err == nil {
			s.outputs[name] = &output{size: mark, synced: mark}
		} else if err := g.setAside(file, err); err != nil {
			return err
		}
	}
	return g.claims.Clear()
}

// checkHeader returns an error if a CSV file has other columns than those that would be
// appended.
func (s *files) checkHeader(file string) error {
	if len(s.lines.header) == 0 {
		return nil
	}
	line, err := firstLine(file)
	if err == nil && !bytes.Equal(line, s.lines.header) { // a damaged file can be appended to
		return fmt.Errorf("%s has other columns than this version of lede writes: write to another file", file)
	}
	return nil
}

// firstLine returns the first line of a file that may be compressed.
func firstLine(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	switch filepath.Ext(strings.ToLower(file)) {
	case ".gz":
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReader(z)
	case ".zst":
		z, err := newZstdReader(r)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = bufio.NewReader(z)
	}
	return r.ReadBytes('\n')
}

// unwritten returns the outputs with lines that are not written yet.
func (s *files) unwritten() (names []string) {
	for name, o := range s.outputs {
		if len(o.lines) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// prepare makes sure that outputs can be written to: that they are still there, and that
// a file that is begun is ours.
func (s *files) prepare(names ...string) error {
	begun := map[string]int64{}
	for _, name := range names {
		o := s.outputs[name]
		if err := s.checkOutput(name, o); err != nil {
			return err
		}
		if o.size == 0 {
			begun[name] = s.grow.marks[name]
		}
	}
	return s.grow.claims.Add(begun)
}

func (s *files) checkOutput(name string, o *output) error {
	g, file := s.grow, s.file(name)
	if o.size == 0 {
		if _, claimed := g.claims.Before(name); claimed {
			return nil
		}
		return g.check(file)
	}
	fi, err := os.Stat(file)
	switch {
	case err == nil && fi.Size() >= o.size:
		return nil
	case errors.Is(err, fs.ErrNotExist) || err == nil && fi.Size() == 0: // as logrotate does
		g.warnMoved(file)
	case err != nil:
		return err
	default:
		if err := g.setAside(file, fmt.Errorf("it has %d bytes, but had %d", fi.Size(), o.size)); err != nil {
			return err
		}
	}
	o.size, o.synced = 0, 0
	o.lines = slices.Concat(s.lines.header, o.lines)
	s.buffered += len(s.lines.header)
	return nil
}

// growthMarks returns the marks to record: those that have changed, and a negative one
// for each output that is complete.
func (s *files) growthMarks(changed map[string]int64) map[string]int64 {
	g := s.grow
	for name, mark := range g.adopted {
		if _, ok := changed[name]; !ok {
			changed[name] = mark
		}
	}
	g.adopted = nil
	maps.Copy(g.marks, changed)
	if g.days {
		yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
		maps.DeleteFunc(s.outputs, func(name string, _ *output) bool { return name < yesterday })
	}
	for name := range g.marks {
		if s.outputs[name] == nil {
			delete(g.marks, name)
			changed[name] = -1
		}
	}
	return g.absolute(changed)
}

func (g *growth) absolute(marks map[string]int64) map[string]int64 {
	all := make(map[string]int64, len(marks))
	for name, mark := range marks {
		all[filepath.Join(g.dir, name)] = mark
	}
	return all
}

// finishRound completes the files of a round, and gives up the claims.
func (s *files) finishRound() error {
	g := s.grow
	for _, name := range slices.Sorted(maps.Keys(s.outputs)) {
		if o := s.outputs[name]; len(o.lines) > 0 || o.size != o.synced {
			return errors.New("the output cannot be finished before it is committed")
		}
		if !g.rounds {
			continue
		}
		err := s.completeOutput(name)
		if errors.Is(err, ErrDamaged) {
			err = g.setAside(s.file(name), err)
		}
		if err != nil {
			return err
		}
		delete(s.outputs, name)
	}
	if g.rounds {
		g.round = ""
		if err := fsync.Dir(s.dir); err != nil {
			return err
		}
	}
	return g.claims.Clear()
}
