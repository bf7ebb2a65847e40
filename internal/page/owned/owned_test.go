package owned

import (
	"io"
	"testing"
)

func TestRest(t *testing.T) {
	page := []byte("<p>Rain in the north</p>")
	r := NewReader(page)
	if &r.Rest()[0] != &page[0] {
		t.Error("the page was copied")
	}
	if _, err := io.CopyN(io.Discard, r, 3); err != nil {
		t.Fatal(err)
	}
	if got := string(r.Rest()); got != "Rain in the north</p>" {
		t.Errorf("after three bytes %q is left", got)
	}
	if _, err := io.Copy(io.Discard, r); err != nil || len(r.Rest()) != 0 {
		t.Errorf("%d bytes are left of all, %v", len(r.Rest()), err)
	}
}
