package corpus

import (
	"errors"
	"fmt"
)

// Problem is something wrong in a corpus or in a file of predictions that one
// can go on without.
type Problem struct {
	File string
	Line int // 0 when it is the whole file
	Err  error
}

func (p Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
	}
	return fmt.Sprintf("%s: %v", p.File, p.Err)
}

func (p Problem) Unwrap() error { return p.Err }

// AsProblem finds the problem in an error, or makes one of it.
func AsProblem(err error) Problem {
	var p Problem
	if errors.As(err, &p) {
		return p
	}
	return Problem{Err: err}
}
