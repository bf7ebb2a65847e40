package markup_test

import "testing"

// FuzzParse compares pages of any bytes.
func FuzzParse(f *testing.F) {
	for _, s := range fragments(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		for _, scripting := range []bool{true, false} {
			if err := check(page, scripting); err != nil {
				t.Errorf("scripting %v: %v\nin %q", scripting, err, page)
			}
		}
	})
}
