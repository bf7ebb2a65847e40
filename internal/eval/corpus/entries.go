package corpus

import "fmt"

// entry is an entry of a table in a file.
type entry struct {
	key   string
	line  int
	value any
}

// entries goes through a table whose values are objects. A table that breaks off
// is a problem, and what came before counts.
func (r *reader) entries(name string, each func(func(entry) error) (line int, err error), do func(key string, line int, f *fields) error) error {
	var stopped error
	line, err := each(func(e entry) error {
		values, ok := e.value.(map[string]any)
		if !ok {
			stopped = r.problem(name, e.line, fmt.Errorf("%q is %s, want an object", e.key, kind(e.value)))
		} else {
			stopped = do(e.key, e.line, &fields{values: values})
		}
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	if err != nil {
		return r.problem(name, line, fmt.Errorf("%w; what follows is not read", err))
	}
	return nil
}
