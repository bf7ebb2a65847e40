package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// The result codes of SQLite that callers can do something about; see
// https://www.sqlite.org/rescode.html. The low byte is the kind.
const (
	codeBusy     = 5
	codeReadOnly = 8
	codeIOErr    = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// isCorruptFile tells whether SQLite itself cannot make sense of the file.
func isCorruptFile(err error) bool {
	code := sqliteCode(err)
	return code == codeCorrupt || code == codeNotADB
}

// explain says what an error means to the user of the store, and what to do.
func explain(path string, err error) error {
	switch sqliteCode(err) {
	case 0:
		if err == nil {
			return nil
		}
	case codeBusy:
		return fmt.Errorf("store %s: %w; try again, or stop the other process: %w", path, ErrBusy, err)
	case codeReadOnly:
		return fmt.Errorf("store %s: %w: nothing was stored; move it to a disk that can be written to, or open it for look-ups only: %w", path, ErrReadOnly, err)
	case codeFull:
		return fmt.Errorf("store %s: %w: make room and add the page again; what was stored is safe: %w", path, ErrFull, err)
	case codeIOErr:
		return fmt.Errorf("store %s: the disk failed or has no room; what was stored is safe: %w", path, err)
	case codeCantOpen:
		return fmt.Errorf("store %s: cannot be opened or made; look whether its folder is there and may be written to: %w", path, err)
	case codeCorrupt, codeNotADB:
		return fmt.Errorf("store %s: %w: %w", path, ErrCorrupt, err)
	}
	return fmt.Errorf("store %s: %w", path, err)
}
