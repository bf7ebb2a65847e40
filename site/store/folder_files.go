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

	"github.com/lede-news/lede/site"
)

// sheet is a profile in memory with the files that it was read from.
type sheet struct {
	mu sync.RWMutex
	reading
}

type reading struct {
	p      *site.Profile // nil when it must be loaded
	card   stamp         // of SITE.json
	number int64         // of the log that goes with it
	log    stamp         // of SITE.log
	head   string        // of SITE.log; empty when there is none, or none that counts
	end    int64         // of its last line that is in p
	stale  bool          // SITE.log is from before a fold, or cannot be read
	lines  int           // in it
}

// stamp tells whether a file was changed. The zero stamp is of no file.
type stamp struct{ fs.FileInfo }

func (s stamp) there() bool { return s.FileInfo != nil }

func (s stamp) bytes() int64 {
	if s.FileInfo == nil {
		return 0
	}
	return s.Size()
}

// same tells whether a file is still the one that it was. A file that was put
// in its place is another, even with the same size in the same tick of the
// clock.
func (s stamp) same(t stamp) bool {
	if s.FileInfo == nil || t.FileInfo == nil {
		return s.FileInfo == t.FileInfo
	}
	return s.Size() == t.Size() && s.ModTime().Equal(t.ModTime()) && os.SameFile(s.FileInfo, t.FileInfo)
}

func stampAt(path string) (stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{}, nil
	}
	return stamp{info}, err
}

// wound is a part of a site's files that cannot be read: the card, the whole
// log, or a line of it.
type wound struct {
	path string
	line []byte // nil for the whole file
	err  error
}

// refresh brings the profile up to what the files have. It takes no lock: a
// fold puts the new card in its place before it takes away the log, so that
// who finds the same card before and after reading the log has read what
// belongs together.
func (r *reading) refresh(f files) (bad []wound, err error) {
	for range 100 {
		var card stamp
		if card, err = stampAt(f.card); err != nil {
			break
		}
		if r.p == nil || !card.same(r.card) {
			*r = reading{}
			if bad, err = r.loadCard(f); errors.Is(err, errChanged) {
				continue
			} else if err != nil {
				break
			}
		}
		var more []wound
		more, err = r.loadLog(f)
		if errors.Is(err, errOtherLog) {
			*r, bad = reading{}, nil
			continue
		}
		if err != nil {
			break
		}
		bad = append(bad, more...)
		if card, err = stampAt(f.card); err != nil {
			break
		}
		if card.same(r.card) {
			return bad, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: %s changes all the time", ErrBusy, f.card)
	}
	*r = reading{}
	return nil, err
}

// errChanged means that the card was written to while it was read.
var errChanged = errors.New("changed while it was read")

// Editors write a file in several steps. One that was touched this recently is
// read again for some time before it is taken for broken.
const (
	justNow   = 2 * time.Second
	editPause = 20 * time.Millisecond
	editTries = 25
)

// loadCard reads SITE.json, or begins an empty profile.
func (r *reading) loadCard(f files) (bad []wound, err error) {
	for try := 0; ; try++ {
		before, err := stampAt(f.card)
		if err != nil {
			return nil, err
		}
		if !before.there() {
			*r = reading{p: site.New(f.name)}
			return nil, nil
		}
		b, err := os.ReadFile(f.card)
		if err != nil {
			return nil, err
		}
		if after, err := stampAt(f.card); err != nil || !after.same(before) {
			return nil, errors.Join(errChanged, err)
		}
		p, number, err := decodeCard(b)
		if err == nil && p.Name() != f.name {
			err = fmt.Errorf("it is the profile of %q; the file for that is %s.json", p.Name(), fileName(p.Name()))
		}
		switch {
		case err == nil:
			*r = reading{p: p, card: before, number: number}
			return nil, nil
		case errors.Is(err, site.ErrVersion):
			return nil, fmt.Errorf("%s: %w", f.card, err)
		case time.Since(before.ModTime()) < justNow && try < editTries:
			time.Sleep(editPause)
		default:
			if !errors.Is(err, ErrCorrupt) {
				err = fmt.Errorf("%w: %w", ErrCorrupt, err)
			}
			*r = reading{p: site.New(f.name), card: before}
			return []wound{{path: f.card, err: err}}, nil
		}
	}
}

// loadLog adds the pages in SITE.log that are new.
func (r *reading) loadLog(f files) (bad []wound, err error) {
	if now, err := stampAt(f.log); err != nil || now.same(r.log) && (r.head != "" || r.stale || !now.there()) {
		return nil, err
	}
	part, err := readLog(f.log, r.head, r.end)
	if errors.Is(err, ErrCorrupt) {
		r.log, r.stale = part.stamp, true
		return []wound{{path: f.log, err: err}}, nil
	}
	if err != nil {
		return nil, err
	}
	r.log = part.stamp
	if part.head == "" {
		return nil, nil // no log, or one whose first line is not ended
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
		case errors.Is(err, ErrCorrupt):
			bad = append(bad, wound{f.log, line, err})
		default:
			return nil, fmt.Errorf("%s: %w", f.log, err)
		}
	}
	return bad, nil
}

func (r *sheet) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading = reading{}
}

func (r *sheet) view(look func(*site.Profile)) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.p == nil {
		return false
	}
	look(r.p)
	return true
}

// card is what the store itself reads of SITE.json, which is the profile as
// people may edit it and one number more.
type card struct {
	Site  string `json:"site"`
	Pages int    `json:"pages"`
	// Log is the number of the log that goes with the profile. Logs with a lower
	// number are in it already: a crash left them behind.
	Log int64 `json:"log"`
}

// encodeCard writes a card for people to read.
func encodeCard(p *site.Profile, log int64) ([]byte, error) {
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

// decodeCard reads a card that people may have edited. A profile as it was
// exported will do. Errors say in which line.
func decodeCard(b []byte) (*site.Profile, int64, error) {
	var c card
	if err := json.Unmarshal(b, &c); err != nil {
		return nil, 0, at(b, err)
	}
	p := new(site.Profile)
	if err := p.UnmarshalJSON(b); err != nil {
		return nil, 0, at(b, err)
	}
	return p, c.Log, nil
}

// at says where in b an error of the JSON decoder is.
func at(b []byte, err error) error {
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

// peekCard reads what stands before the templates, and no more.
func peekCard(path string) (c card, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 4<<10))
	d.Token() // {
	for {
		key, err := d.Token()
		if err != nil {
			return c, err
		}
		switch key {
		case "site":
			err = d.Decode(&c.Site)
		case "pages":
			err = d.Decode(&c.Pages)
		case "log":
			err = d.Decode(&c.Log)
		case "version":
			err = d.Decode(new(json.RawMessage))
		default:
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}

// writeFile puts b in the place of the file, in one step that a crash leaves
// done or not begun, also one of the whole machine.
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
	return syncFolder(filepath.Dir(path))
}

// SITE.log has a head and a line for each page that is not yet in SITE.json.
// The head names the number of the log, something random that no other log
// has, and the site. A page is its observation, which has its own checksum, in
// base64. A last line that is not ended was never acknowledged to anybody.

const logMark = "lede-log"

type logHead struct {
	number int64
	nonce  string
	site   string
}

func newLogHead(number int64, name string) logHead {
	return logHead{number, rand.Text()[:12], name}
}

func (h logHead) String() string {
	return fmt.Sprintf("%s %d %s %q\n", logMark, h.number, h.nonce, h.site)
}

func parseLogHead(line string) (h logHead, err error) {
	var mark string
	if _, err := fmt.Sscanf(line, "%s %d %s %q", &mark, &h.number, &h.nonce, &h.site); err != nil || mark != logMark {
		return h, fmt.Errorf("%w: this is not the head of a log: %.60q", ErrCorrupt, line)
	}
	return h, nil
}

// logPart is what readLog found after the bytes that were known.
type logPart struct {
	head  string // with its line end; empty when there is no log
	info  logHead
	lines [][]byte
	end   int64 // of the last whole line
	stamp stamp
}

// errOtherLog means that this is not the log that was read before.
var errOtherLog = errors.New("the log was replaced")

// readLog reads the lines after offset of the log that begins with head, or all
// of it when head is empty.
func readLog(path, head string, offset int64) (part logPart, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if head != "" {
			return part, errOtherLog
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
			return part, errOtherLog
		}
	}
	b, err := io.ReadAll(io.NewSectionReader(f, offset, info.Size()-offset))
	if err != nil {
		return part, err
	}
	whole := b[:bytes.LastIndexByte(b, '\n')+1]
	part.head, part.end = head, offset+int64(len(whole))
	if len(whole) == 0 {
		return part, nil
	}
	part.lines = bytes.Split(whole[:len(whole)-1], []byte("\n"))
	if head == "" {
		part.head = string(part.lines[0]) + "\n"
		part.lines = part.lines[1:]
	}
	part.info, err = parseLogHead(strings.TrimSuffix(part.head, "\n"))
	return part, err
}

// appendLog writes one line to the log, with its head where it is new. All of
// it is one write after the last whole line: what a crash or a full disk has
// left there goes.
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
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	o := new(site.Observation)
	return o, o.UnmarshalBinary(data)
}
