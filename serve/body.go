package serve

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// readBody reads the body of a request within the limits. Call free when it is no
// longer needed.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) (body []byte, free func(), err error) {
	control := http.NewResponseController(w)
	if err := control.SetReadDeadline(time.Now().Add(s.opts.ReadTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, nil, err
	}
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.opts.MaxBytes)))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, nil, newProblem("too-large", "the request has more than %d bytes", tooLarge.Limit)
	}
	return body, func() {}, err
}
