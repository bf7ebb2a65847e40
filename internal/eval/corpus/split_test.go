package corpus

import (
	"fmt"
	"testing"
)

func TestFold(t *testing.T) {
	const k = 5
	var size [k]int
	for i := range 1000 {
		site := fmt.Sprintf("paper%d.example", i)
		f := Fold(site, k)
		size[f]++
		if Fold("WWW."+site, k) != f {
			t.Errorf("%s and www.%s are in two parts", site, site)
		}
	}
	for f, n := range size {
		if n < 150 || n > 250 {
			t.Errorf("part %d has %d of 1000 sites", f, n)
		}
	}
	// These are pinned: figures of held-out pages are only comparable while
	// the parts are the same. FNV-1a of "a" is 0xe40c292c.
	if got := Fold("a", 10); got != 0xe40c292c%10 {
		t.Errorf("the parts have changed: a is in %d", got)
	}
	if Fold("anything", 1) != 0 {
		t.Error("one part has all")
	}
}

func TestHeldOut(t *testing.T) {
	held := 0
	for i := range 1000 {
		site := fmt.Sprintf("paper%d.example", i)
		if HeldOut(site) {
			held++
		}
		if HeldOut(site) != HeldOut("www."+site) || HeldOut(site) != (Fold(site, 5) == 0) {
			t.Errorf("%s is on both sides", site)
		}
	}
	if held < 150 || held > 250 {
		t.Errorf("%d of 1000 sites are held out, want a fifth", held)
	}
}
