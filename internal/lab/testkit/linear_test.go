package testkit

import "testing"

// recorder records whether a test failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestLinear(t *testing.T) {
	sum := 0
	loop := func(n int) {
		for i := range n {
			sum ^= i * sum
		}
	}
	for _, test := range []struct {
		name string
		work func(n int)
		want bool
	}{
		{"linear", func(n int) { loop(100 * n) }, true},
		{"quadratic", func(n int) { loop(n * n) }, false},
		{"quick", func(int) {}, true},
	} {
		r := &recorder{TB: t}
		Linear(r, 8_000, func(n int) func() { return func() { test.work(n) } })
		if r.failed == test.want {
			t.Errorf("%s: failed %v", test.name, r.failed)
		}
	}
}
