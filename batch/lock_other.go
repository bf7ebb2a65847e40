//go:build !unix

package batch

import (
	"fmt"
	"os"
)

// lockFile opens a file; these systems refuse to remove or rename it meanwhile,
// but not to open it twice.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot write the result: %w", plain(err))
	}
	return f, nil
}

// SyncFolder has nothing to do here.
func SyncFolder(string) error { return nil }
