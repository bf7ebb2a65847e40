package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lede-news/lede/batch"
)

// rangeFlags are the flags of a batch that is a task of a larger one. They are hidden:
// programs that divide the work use them.
type rangeFlags struct {
	as     string
	origin string
	from   int64
	until  int64
	exact  bool
	set    *pflag.FlagSet
}

func (f *rangeFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	f.set = fl
	fl.StringVar(&f.as, "as", "", "`NAME` that ids begin with, of lede step plan (used by programs that divide the work)")
	fl.StringVar(&f.origin, "origin", "", "`PATH` in messages, if the input is a copy of it (used by programs that divide the work)")
	fl.Int64Var(&f.from, "from", 0, "read the WARC records from this `OFFSET` on (used by programs that divide the work)")
	fl.Int64Var(&f.until, "until", 0, "read the WARC records before this `OFFSET`; 0 is the end (used by programs that divide the work)")
	fl.BoolVar(&f.exact, "exact", false, "a record begins at --from (used by programs that divide the work)")
	for _, name := range rangeNames {
		_ = fl.MarkHidden(name)
	}
}

var rangeNames = []string{"as", "origin", "from", "until", "exact"}

// isTask reports whether one of the flags is set, so that no pages are no error.
func (f *rangeFlags) isTask() bool {
	for _, name := range rangeNames {
		if f.set.Changed(name) {
			return true
		}
	}
	return false
}

func (f *rangeFlags) check(inputs int) error {
	switch {
	case !f.isTask():
		return nil
	case inputs != 1:
		return errors.New("--as, --origin, --from, --until and --exact need exactly one input")
	case f.until < 0:
		return errors.New("--until must not be negative")
	case f.from < 0 && !f.exact:
		return errors.New("--from must not be negative without --exact")
	case !f.exact && f.until > 0 && f.from >= f.until:
		return fmt.Errorf("--from %d is not before --until %d", f.from, f.until)
	}
	return nil
}

// apply sets the fields of a source.
func (f *rangeFlags) apply(in *batch.Source) {
	if !f.isTask() {
		return
	}
	in.Name, in.Origin, in.Range = f.as, f.origin, batch.Range{From: f.from, Until: f.until, Exact: f.exact}
	if in.Origin == "" {
		in.Origin = in.Paths[0]
	}
}

// parseSize returns a number of bytes, which may end in KB, MB or GB.
func parseSize(text string) (int64, error) {
	upper := strings.ToUpper(strings.TrimSpace(text))
	unit := int64(1)
	for i, name := range []string{"KB", "MB", "GB", "TB"} {
		if rest, ok := strings.CutSuffix(upper, name); ok {
			upper, unit = strings.TrimSpace(rest), 1<<(10*(i+1))
			break
		}
	}
	var n int64
	if len(upper) == 0 || len(upper) > 15 {
		return 0, errSize
	}
	for _, c := range upper {
		if c < '0' || c > '9' {
			return 0, errSize
		}
		n = 10*n + int64(c-'0')
	}
	if n > (1<<62)/unit {
		return 0, errSize
	}
	return n * unit, nil
}

var errSize = errors.New("use a number of bytes, or one with KB, MB or GB, such as 256MB")
