package markup_test

import (
	"os"
	"strings"
	"testing"
)

// fragments are the made-up pieces of pages in testdata.
func fragments(tb testing.TB) []string {
	tb.Helper()
	file, err := os.ReadFile("testdata/fragments.txt")
	if err != nil {
		tb.Fatal(err)
	}
	bytes := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\f`, "\f", `\0`, "\x00", `\ufffd`, "\ufffd")
	var all []string
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			all = append(all, bytes.Replace(line))
		}
	}
	return all
}

// TestFragments compares every fragment, also inside a page and cut off early.
func TestFragments(t *testing.T) {
	all := fragments(t)
	if len(all) < 500 {
		t.Fatalf("only %d fragments", len(all))
	}
	for _, f := range all {
		checkBoth(t, f)
		checkBoth(t, "<!DOCTYPE html><body><div><p><b>"+f+"</b>end")
		checkBoth(t, "<table><tr><td>"+f+"</td>end</table>end")
		checkBoth(t, "<svg><desc>"+f+"</svg>end")
		for i := range len(f) {
			if err := check([]byte(f[:i]), true); err != nil {
				t.Errorf("%q: %v", f[:i], err)
			}
		}
	}
}

// TestPairs puts every two fragments of the trickier kind one after the other.
func TestPairs(t *testing.T) {
	var short []string
	for _, f := range fragments(t) {
		if len(f) < 24 {
			short = append(short, f)
		}
	}
	step := 7
	if testing.Short() {
		step = 101
	}
	for i := 0; i < len(short)*len(short); i += step {
		checkBoth(t, short[i/len(short)]+short[i%len(short)])
		if t.Failed() {
			return
		}
	}
}
