package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// outFile is a result that gets its name when it is whole.
type outFile struct {
	*bufio.Writer
	file *os.File // nil for standard output
	name string
}

func openOut(name string, stdout io.Writer) (*outFile, error) {
	const room = 1 << 16
	if name == "-" {
		return &outFile{Writer: bufio.NewWriterSize(stdout, room)}, nil
	}
	if fi, err := os.Stat(name); err == nil && fi.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file in it", name)
	}
	f, err := os.Create(name + ".partial")
	if err != nil {
		return nil, fmt.Errorf("cannot write the result: %w", err)
	}
	return &outFile{Writer: bufio.NewWriterSize(f, room), file: f, name: name}, nil
}

// finish writes out what is left and, if all went well, gives the file its name.
func (o *outFile) finish(err error) error {
	err = errors.Join(err, o.Flush())
	if o.file == nil {
		return err
	}
	err = errors.Join(err, o.file.Sync(), o.file.Close())
	if err != nil {
		return err
	}
	return os.Rename(o.file.Name(), o.name)
}

func (o *outFile) partial() string {
	if o.file == nil {
		return "the output"
	}
	return o.file.Name()
}
