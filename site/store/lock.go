package store

import "time"

// patience is how long to wait for other processes. Nobody holds a lock for
// more than a few milliseconds unless the disk stands still.
const patience = 10 * time.Second

// wait takes a lock, shared or alone. It asks again and again rather than
// sleep in the system, so that a process that is stopped while it holds the
// lock stops nobody else for ever.
func (l *fileLock) wait(alone bool) error {
	deadline := time.Now().Add(patience)
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		ok, err := l.try(alone)
		if ok || err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return ErrBusy
		}
		time.Sleep(pause)
	}
}
