package batch

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Setup is what a run is about: a run is only taken up with the same.
type Setup struct {
	Format   int      `json:"journal"` // of the journal
	Inputs   []string `json:"inputs"`
	Settings []string `json:"settings"` // such as "--method=blend"
}

const journalFormat = 1

// NewSetup describes a run of inputs with settings, which are compared word by
// word.
func NewSetup(in *Inputs, settings []string) Setup {
	s := Setup{Format: journalFormat, Settings: slices.Clone(settings), Inputs: []string{}}
	slices.Sort(s.Settings)
	for _, path := range in.paths {
		text := path
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() {
			text = fmt.Sprintf("%s (%d bytes of %s)", path, fi.Size(), fi.ModTime().UTC().Format(time.RFC3339))
		}
		s.Inputs = append(s.Inputs, text)
	}
	return s
}

// compare says in what another run differs.
func (s *Setup) compare(now Setup) error {
	if s.Format != now.Format {
		return fmt.Errorf("%w: its journal is in form %d, and this lede writes form %d", ErrChanged, s.Format, now.Format)
	}
	if !slices.Equal(s.Inputs, now.Inputs) {
		return fmt.Errorf("%w: its inputs were %s, and now they are %s", ErrChanged, strings.Join(s.Inputs, ", "), strings.Join(now.Inputs, ", "))
	}
	if !slices.Equal(s.Settings, now.Settings) {
		return fmt.Errorf("%w: it had %s, and now it is %s", ErrChanged, only(s.Settings, now.Settings), only(now.Settings, s.Settings))
	}
	return nil
}

// only lists what the first has and the second has not.
func only(a, b []string) string {
	var list []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return "nothing of it"
	}
	return strings.Join(list, " ")
}
