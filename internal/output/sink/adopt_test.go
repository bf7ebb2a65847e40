package sink

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAdopt checks that outputs go on whose marks are lost, and that their files are
// not continued without being asked.
func TestAdopt(t *testing.T) {
	for _, f := range formats {
		if f.name == "out.parquet" { // whose files are complete
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			g := newGrower(filepath.Join(t.TempDir(), f.name))
			g.open(t)
			g.put(t, 5)
			g.record(t)
			g.finish(t)
			g.close(t)
			clear(g.marks)
			if f.name == "out.jsonl" { // a line is cut off
				file, err := os.OpenFile(g.path, os.O_WRONLY|os.O_APPEND, 0o644)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := file.WriteString(`{"id":"id5","title":"The`); err != nil {
					t.Fatal(err)
				}
				file.Close()
			}
			if _, err := Open(g.path, g.opts); !errors.Is(err, ErrExists) {
				t.Errorf("error %v", err)
			}
			g.opts.Adopt = true
			g.open(t)
			g.record(t)
			if len(g.marks) != 1 {
				t.Errorf("marks %v", g.marks)
			}
			g.put(t, 2)
			g.crash(t) // what was not recorded is removed
			g.opts.Adopt, g.next = false, 5
			g.open(t)
			g.put(t, 3)
			g.record(t)
			g.finish(t)
			g.close(t)
			if ids := f.ids(t, g.path); !slices.Equal(ids, wantIDs(8)) {
				t.Errorf("ids %v", ids)
			}
			if g.log.Len() > 0 {
				t.Errorf("log %s", g.log.String())
			}
		})
	}
}
