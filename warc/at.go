package warc

import (
	"io"
	"math"
)

// At opens the record at an offset that an index gives. Its body can be read
// for as long as r can.
func At(r io.ReaderAt, offset int64, opts Options) (*Record, error) {
	nothing := &Error{Offset: offset, Kind: ErrMalformed,
		Reason: "no record begins here; does the index belong to this file?"}
	section := io.NewSectionReader(r, 0, math.MaxInt64)
	if _, err := section.Seek(offset, io.SeekStart); err != nil {
		nothing.Err = err
		return nil, nothing
	}
	opts = opts.withDefaults()
	told := opts.OnFault
	opts.OnFault = func(e *Error) {
		nothing.Err = e
		told(e)
	}
	reader := NewReader(section, opts)
	rec, err := reader.next()
	switch {
	case reader.in.err != nil:
		return nil, reader.inputError()
	case rec == nil:
		if nothing.Err == nil {
			nothing.Err = err
		}
		return nil, nothing
	}
	return rec, nil
}
