package store

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockTimeout is how long to wait for other processes. None holds a lock for
	// more than a few milliseconds unless its disk hangs.
	lockTimeout = 10 * time.Second
	lockRetry   = time.Millisecond
)

// newLock opens the file for writing, so that locking fails where nothing can
// be written.
func newLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
}

// waitLock takes a lock by lock.TryLockContext or lock.TryRLockContext. The
// error is ErrBusy when others hold it for too long.
func waitLock(ctx context.Context, try func(context.Context, time.Duration) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, lockTimeout, ErrBusy)
	defer cancel()
	ok, err := try(ctx, lockRetry)
	if !ok && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
