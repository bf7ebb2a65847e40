package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// outFile is an output file that gets its name when it is complete.
type OutFile struct {
	*bufio.Writer
	file *os.File // nil for standard output
	name string
}

func OpenOut(name string, stdout io.Writer) (*OutFile, error) {
	const bufferSize = 1 << 16
	if name == "-" {
		return &OutFile{Writer: bufio.NewWriterSize(stdout, bufferSize)}, nil
	}
	if fi, err := os.Stat(name); err == nil && fi.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file", name)
	}
	f, err := os.Create(name + ".partial")
	if err != nil {
		return nil, fmt.Errorf("cannot write the result: %w", err)
	}
	return &OutFile{Writer: bufio.NewWriterSize(f, bufferSize), file: f, name: name}, nil
}

// finish flushes the output and renames the file, or removes it if there was an
// error.
func (o *OutFile) Finish(err error) error {
	err = errors.Join(err, o.Flush())
	if o.file == nil {
		return err
	}
	err = errors.Join(err, o.file.Sync(), o.file.Close())
	if err != nil {
		_ = os.Remove(o.file.Name())
		return err
	}
	return os.Rename(o.file.Name(), o.name)
}

// isFolder reports whether path is a folder.
func IsFolder(path string) bool { fi, err := os.Stat(path); return err == nil && fi.IsDir() }
