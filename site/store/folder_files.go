package store

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/output/fsync"
	"github.com/lede-news/lede/site"
)

// folderRecord is a profile in memory with the files that it was read from.
type folderRecord struct {
	mu sync.RWMutex
	folderState
}

type folderState struct {
	p      *site.Profile // nil if it must be loaded
	file   stamp         // of SITE.json
	number int64         // of the log that belongs to SITE.json
	log    stamp         // of SITE.log
	head   string        // first line of SITE.log; empty if there is no valid log
	end    int64         // end of the last line that is in p
	stale  bool          // SITE.log is from before a fold, or cannot be read
	lines  int           // in SITE.log
	seen   seenFile      // SITE.seen; read when a page is added
}

// bytes is about the memory that the state takes.
func (r *folderState) bytes() int64 {
	return r.file.size() + r.log.size() + int64(len(r.seen.pages))*seenBytes
}

// stamp is used to detect that a file was changed. The zero stamp means that
// there is no file.
type stamp struct{ fs.FileInfo }

func (s stamp) exists() bool { return s.FileInfo != nil }

func (s stamp) size() int64 {
	if s.FileInfo == nil {
		return 0
	}
	return s.Size()
}

// same reports whether a file is unchanged. A file that replaced it is another
// one, even with the same size and time.
func (s stamp) same(t stamp) bool {
	if s.FileInfo == nil || t.FileInfo == nil {
		return s.FileInfo == t.FileInfo
	}
	return s.Size() == t.Size() && s.ModTime().Equal(t.ModTime()) && os.SameFile(s.FileInfo, t.FileInfo)
}

func statFile(path string) (stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{}, nil
	}
	return stamp{info}, err
}

// fileDamage is a part of a site's files that cannot be read: the JSON file, the
// whole log, or a line of the log.
type fileDamage struct {
	path string
	line []byte // nil for the whole file
	err  error
}

// refresh brings the profile up to date with the files. It takes no lock: folding
// replaces the JSON file before it removes the log, so if the JSON file is the
// same before and after reading the log, they belong together.
func (r *folderState) refresh(f files) (bad []fileDamage, err error) {
	for range 100 {
		var file stamp
		if file, err = statFile(f.profile); err != nil {
			break
		}
		if r.p == nil || !file.same(r.file) {
			*r = folderState{}
			if bad, err = r.loadProfile(f); errors.Is(err, errChanged) {
				continue
			} else if err != nil {
				break
			}
		}
		var more []fileDamage
		more, err = r.loadLog(f)
		if errors.Is(err, errReplaced) {
			*r, bad = folderState{}, nil
			continue
		}
		if err != nil {
			break
		}
		bad = append(bad, more...)
		if file, err = statFile(f.profile); err != nil {
			break
		}
		if file.same(r.file) {
			return bad, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: %s keeps changing", ErrBusy, f.profile)
	}
	*r = folderState{}
	return nil, err
}

// errChanged means that the JSON file was changed while it was read.
var errChanged = errors.New("changed while being read")

// Editors write a file in several steps. A file that was changed recently is read
// again for some time before it is considered broken.
const (
	recently  = 2 * time.Second
	editPause = 20 * time.Millisecond
	editTries = 25
)

// loadProfile reads SITE.json, or starts an empty profile if there is none.
func (r *folderState) loadProfile(f files) (bad []fileDamage, err error) {
	for try := 0; ; try++ {
		before, err := statFile(f.profile)
		if err != nil {
			return nil, err
		}
		if !before.exists() {
			*r = folderState{p: site.New(f.name)}
			return nil, nil
		}
		b, err := os.ReadFile(f.profile)
		if err != nil {
			return nil, err
		}
		if after, err := statFile(f.profile); err != nil || !after.same(before) {
			return nil, errors.Join(errChanged, err)
		}
		p, number, err := decodeProfile(b)
		if err == nil && p.Name() != f.name {
			err = fmt.Errorf("it is the profile of %q; the file for that is %s.json", p.Name(), fileName(p.Name()))
		}
		switch {
		case err == nil:
			*r = folderState{p: p, file: before, number: number}
			return nil, nil
		case errors.Is(err, site.ErrVersion):
			return nil, fmt.Errorf("%s: %w", f.profile, err)
		case time.Since(before.ModTime()) < recently && try < editTries:
			time.Sleep(editPause)
		default:
			if !errors.Is(err, site.ErrCorrupt) {
				err = fmt.Errorf("%w: %w", site.ErrCorrupt, err)
			}
			*r = folderState{p: site.New(f.name), file: before}
			return []fileDamage{{path: f.profile, err: err}}, nil
		}
	}
}

// loadLog adds the new pages in SITE.log.
func (r *folderState) loadLog(f files) (bad []fileDamage, err error) {
	if now, err := statFile(f.log); err != nil || now.same(r.log) && (r.head != "" || r.stale || !now.exists()) {
		return nil, err
	}
	part, err := readLog(f.log, r.head, r.end)
	if errors.Is(err, site.ErrCorrupt) {
		r.log, r.stale = part.stamp, true
		return []fileDamage{{path: f.log, err: err}}, nil
	}
	if err != nil {
		return nil, err
	}
	r.log = part.stamp
	if part.head == "" {
		return nil, nil // no log, or one with an incomplete first line
	}
	if part.info.number < r.number {
		r.stale = true
		return nil, nil
	}
	r.number = part.info.number
	r.head, r.end = part.head, part.end
	for _, line := range part.lines {
		r.lines++
		o, err := decodeLine(line)
		switch {
		case err == nil:
			r.p.Add(o)
		case errors.Is(err, site.ErrCorrupt):
			bad = append(bad, fileDamage{f.log, line, err})
		default:
			return nil, fmt.Errorf("%s: %w", f.log, err)
		}
	}
	return bad, nil
}

func (r *folderRecord) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.folderState = folderState{}
}

// header is the part of SITE.json that the store itself reads. The file is the
// JSON form of the profile with the field "log" added.
type header struct {
	Site  string `json:"site"`
	Pages int    `json:"pages"`
	// Log is the number of the log that belongs to the profile. A log with a lower
	// number was left behind by a crash; its pages are in the profile.
	Log int64 `json:"log"`
}

// encodeProfile returns the contents of SITE.json.
func encodeProfile(p *site.Profile, log int64) ([]byte, error) {
	b, err := p.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	b = append(fmt.Appendf(nil, `{"log":%d,`, log), bytes.TrimPrefix(b, []byte("{"))...)
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// decodeProfile parses SITE.json, which people may have edited or replaced by an
// exported profile. Errors give the line.
func decodeProfile(b []byte) (*site.Profile, int64, error) {
	var h header
	if err := json.Unmarshal(b, &h); err != nil {
		return nil, 0, withPosition(b, err)
	}
	p := new(site.Profile)
	if err := p.UnmarshalJSON(b); err != nil {
		return nil, 0, withPosition(b, err)
	}
	return p, h.Log, nil
}

// withPosition adds the line and column to an error of the JSON decoder.
func withPosition(b []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
	}
	if offset < 0 {
		return err
	}
	end := min(len(b), max(0, int(offset)-1))
	line := 1 + bytes.Count(b[:end], []byte("\n"))
	column := end - bytes.LastIndexByte(b[:end], '\n')
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// readHeader reads only the fields before the templates.
func readHeader(path string) (h header, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 4<<10))
	d.Token() // {
	for {
		key, err := d.Token()
		if err != nil {
			return h, err
		}
		switch key {
		case "site":
			err = d.Decode(&h.Site)
		case "pages":
			err = d.Decode(&h.Pages)
		case "log":
			err = d.Decode(&h.Log)
		case "version":
			err = d.Decode(new(json.RawMessage))
		default:
			return h, nil
		}
		if err != nil {
			return h, err
		}
	}
}

// writeFile replaces the file atomically, even if the machine crashes.
func writeFile(path string, b []byte) (err error) {
	tmp := path + ".tmp"
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return fsync.Dir(filepath.Dir(path))
}

// SITE.log has a header line and a line for each page that is not yet in
// SITE.json. The header has the number of the log, a random string that no other
// log has, and the site. A page is its observation, which has its own checksum, in
// base64. An incomplete last line was never acknowledged.

const logMark = "lede-log"

type logHeader struct {
	number int64
	nonce  string
	site   string
}

func newLogHeader(number int64, name string) logHeader {
	return logHeader{number, rand.Text()[:12], name}
}

func (h logHeader) String() string {
	return fmt.Sprintf("%s %d %s %q\n", logMark, h.number, h.nonce, h.site)
}

func parseLogHeader(line string) (h logHeader, err error) {
	var mark string
	if _, err := fmt.Sscanf(line, "%s %d %s %q", &mark, &h.number, &h.nonce, &h.site); err != nil || mark != logMark {
		return h, fmt.Errorf("%w: not the header of a log: %.60q", site.ErrCorrupt, line)
	}
	return h, nil
}

// logPart is what readLog found after offset.
type logPart struct {
	head  string // with the newline; empty if there is no log
	info  logHeader
	lines [][]byte
	end   int64 // of the last complete line
	stamp stamp
}

// errReplaced means that this is not the log that was read before.
var errReplaced = errors.New("the log was replaced")

// readLog reads the lines after offset of the log that begins with head, or the
// whole log if head is empty.
func readLog(path, head string, offset int64) (part logPart, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if head != "" {
			return part, errReplaced
		}
		return part, nil
	}
	if err != nil {
		return part, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return part, err
	}
	part.stamp = stamp{info}
	if head != "" {
		b := make([]byte, len(head))
		if n, _ := f.ReadAt(b, 0); string(b[:n]) != head || info.Size() < offset {
			return part, errReplaced
		}
	}
	b, err := io.ReadAll(io.NewSectionReader(f, offset, info.Size()-offset))
	if err != nil {
		return part, err
	}
	complete := b[:bytes.LastIndexByte(b, '\n')+1]
	part.head, part.end = head, offset+int64(len(complete))
	if len(complete) == 0 {
		return part, nil
	}
	part.lines = bytes.Split(complete[:len(complete)-1], []byte("\n"))
	if head == "" {
		part.head = string(part.lines[0]) + "\n"
		part.lines = part.lines[1:]
	}
	part.info, err = parseLogHeader(strings.TrimSuffix(part.head, "\n"))
	return part, err
}

// appendLog appends one line to the log, after the header if the log is new. It is
// a single write after the last complete line; what a crash or a full disk left
// there is removed.
func appendLog(path, head string, end int64, data []byte, sync bool) (n int, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err != nil {
		return 0, err
	} else if info.Size() > end {
		if err := f.Truncate(end); err != nil {
			return 0, err
		}
	}
	var b []byte
	if end == 0 {
		b = append(b, head...)
	}
	b = base64.RawStdEncoding.AppendEncode(b, data)
	b = append(b, '\n')
	if _, err := f.WriteAt(b, end); err != nil {
		f.Truncate(end)
		return 0, err
	}
	if sync {
		return len(b), f.Sync()
	}
	return len(b), nil
}

func decodeLine(line []byte) (*site.Observation, error) {
	data, err := base64.RawStdEncoding.AppendDecode(nil, line)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", site.ErrCorrupt, err)
	}
	o := new(site.Observation)
	return o, o.UnmarshalBinary(data)
}
