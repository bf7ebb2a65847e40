package browser

import (
	"fmt"
	"time"
)

// A browser that dies more often than this does not die of its pages.
const (
	mostRestarts  = 10
	restartPeriod = time.Minute
)

// restarts bounds how often Chromium is started again.
type restarts struct{ at []time.Time }

// allow notes a restart, or says that there were too many.
func (r *restarts) allow(now time.Time) error {
	for len(r.at) > 0 && now.Sub(r.at[0]) >= restartPeriod {
		r.at = r.at[1:]
	}
	if len(r.at) >= mostRestarts {
		return fmt.Errorf("%w %d times within a minute; wait, or look at its log for the reason (missing libraries, no memory left)",
			ErrCrashed, len(r.at))
	}
	r.at = append(r.at, now)
	return nil
}
