package batch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// stream reads standard input or a pipe: its first bytes say what it is.
func (a *archive) stream() {
	b := bufio.NewReaderSize(a.input, 64<<10)
	head, _ := b.Peek(4 << 10)
	if r, packed, err := unpack(bytes.NewReader(head)); err == nil && packed {
		inside := make([]byte, 512)
		n, _ := io.ReadFull(r, inside) // the head breaks off somewhere
		head = inside[:n]
	}
	kind := sniff(head)
	if kind == warcFile { // which has a packing of its own
		a.warc(b)
		return
	}
	r, _, err := unpack(b)
	if err != nil {
		a.fail(err)
		return
	}
	switch kind {
	case tarFile:
		a.tarOf(r)
	case zipFile:
		a.zip()
	case linesFile:
		a.linesOf(bufio.NewReaderSize(r, 64<<10), true)
	default:
		a.page(r)
	}
}

// page reads a stream that is one page.
func (a *archive) page(r io.Reader) {
	if a.at.Record > 0 {
		return
	}
	p := Page{ID: a.name()}
	if p.Body, p.Err = a.body(r); p.Err != nil {
		p.Err = fmt.Errorf("%s: %w", a.name(), p.Err)
	} else if p.Body == nil {
		p.Body = []byte{}
	}
	a.at.Record = 1
	a.emit(p)
}

func sniff(head []byte) kind {
	const ustar = 257 // where a tar header says so
	switch {
	case bytes.HasPrefix(head, []byte("WARC/")):
		return warcFile
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return zipFile
	case len(head) > ustar+5 && string(head[ustar:ustar+5]) == "ustar":
		return tarFile
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")):
		return linesFile
	}
	return pageFile
}
