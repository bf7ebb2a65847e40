package store

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/lede-news/lede/site"
)

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
