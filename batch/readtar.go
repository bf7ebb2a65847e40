package batch

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// tar reads the pages of a tar archive, also of a packed one.
func (a *archive) tar() {
	r, _, err := unpack(a.input)
	if err != nil {
		a.fail(err)
		return
	}
	a.tarOf(r)
}

func (a *archive) tarOf(r io.Reader) {
	end := &ending{r: r}
	t := tar.NewReader(end)
	skip := a.at.Record
	for n := int64(1); ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			if end.zeros < tarBlock {
				a.fail(errors.New("it ends without the mark of its end, so a part may be missing"))
			}
			return
		case err != nil:
			a.fail(err)
			return
		case n <= skip || h.Typeflag != tar.TypeReg || !isPage(h.Name):
			continue
		}
		p := Page{ID: idOf(h.Name)}
		p.Body, err = a.body(t)
		switch {
		case errors.Is(err, ErrTooLarge):
			p.Err = err
		case err != nil:
			p.Err = fmt.Errorf("%w: %s in %s: %w", ErrSource, h.Name, a.file.path, err)
		default:
			p.load = a.unpackBody
		}
		a.at.Record = n
		if !a.emit(p) {
			return
		}
	}
}

// tarBlock is what all of a tar archive is made of. Two of them, with nothing in
// them, are its end, and one may do.
const tarBlock = 512

// ending counts the zeros at the end of what was read.
type ending struct {
	r     io.Reader
	zeros int
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	text := bytes.TrimRight(p[:n], "\x00")
	if len(text) > 0 {
		e.zeros = 0
	}
	e.zeros += n - len(text)
	return n, err
}

// unpackBody undoes the packing that a page has besides that of its archive.
func (a *archive) unpackBody(p *Page) error {
	r, packed, err := unpack(bytes.NewReader(p.Body))
	if err == nil && packed {
		p.Body, err = a.body(r)
	}
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("broken gzip file: %w", err)
	}
	return err
}
