package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// The largest things that are read: far more than any page or gold has, and little enough
// for a file that unpacks without end to do no harm.
const (
	maxPage = 64 << 20
	maxLine = 64 << 20
	maxFile = 1 << 30
)

// readFile reads a file whole, unpacked when its name ends in .gz. Errors do
// not have the name, which those that tell them know.
func readFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it has more than %d MiB", most>>20)
	}
	if err != nil {
		return nil, bare(err)
	}
	return data, nil
}

// bare takes the system call and the name off an error of a file.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// readText reads a text that a person wrote. It is UTF-8 unless it cannot be.
func readText(name string) (string, error) {
	data, err := readFile(name, maxPage)
	if err != nil {
		return "", err
	}
	if rest, marked := bytes.CutPrefix(data, []byte("\ufeff")); marked {
		data = rest
	}
	if !utf8.Valid(data) {
		if data, _, err = dom.Decode(data, dom.Options{}); err != nil && !errors.Is(err, dom.ErrEmpty) {
			return "", err
		}
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

var errLongLine = fmt.Errorf("the line has more than %d MiB", maxLine>>20)

// eachLine gives the lines that are not blank, with their numbers; of one that
// is too long only that. It ends with the first error of do.
func eachLine(r io.Reader, most int, do func(n int, row []byte, err error) error) error {
	b := bufio.NewReaderSize(r, 1<<16)
	var row []byte
	for n := 1; ; n++ {
		row = row[:0]
		var err, long error
		for more := true; more; more = errors.Is(err, bufio.ErrBufferFull) {
			var part []byte
			part, err = b.ReadSlice('\n')
			if len(row)+len(part) > most {
				long, part = errLongLine, nil
			}
			row = append(row, part...)
		}
		if err != nil && err != io.EOF {
			return err
		}
		if trimmed := bytes.TrimSpace(bytes.TrimPrefix(row, []byte("\ufeff"))); long != nil || len(trimmed) > 0 {
			if err := do(n, trimmed, long); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
