package dom

import (
	"fmt"
	"strings"
	"testing"
)

func TestClass(t *testing.T) {
	d := mustParse(t, `<div class="a b"><p class="b">x</p><p class="a b">y</p><p>z</p><p class="">w</p></div>`)
	byText := map[string]int{}
	for n := range Node(d.Len()) {
		if d.Tag(n) == P {
			byText[d.Text(n)] = d.Class(n)
		}
	}
	div := d.First(Div)
	switch {
	case d.Class(div) == 0 || d.Class(div) != byText["y"]:
		t.Errorf("the same attribute has the numbers %d and %d", d.Class(div), byText["y"])
	case byText["x"] == 0 || byText["x"] == byText["y"]:
		t.Errorf("different attributes have the numbers %d and %d", byText["x"], byText["y"])
	case byText["z"] != 0:
		t.Errorf("no attribute has the number %d", byText["z"])
	case d.Classes() != 3:
		t.Errorf("%d different attributes, want 3", d.Classes())
	case d.ClassAttr(d.Class(div)) != "a b":
		t.Errorf("attribute %q, want %q", d.ClassAttr(d.Class(div)), "a b")
	}
}

// TestManyClasses has more different classes than numbers, and names text for
// screen readers after that.
func TestManyClasses(t *testing.T) {
	var b strings.Builder
	for i := range maxClasses + 10 {
		fmt.Fprintf(&b, `<i class="c%d">`, i)
		b.WriteString("</i>")
	}
	d := mustParse(t, b.String())
	if d.Classes() != maxClasses {
		t.Errorf("%d classes, want %d", d.Classes(), maxClasses)
	}
	numbers := make([]int, maxClasses+1)
	for n := range Node(d.Len()) {
		class, attr := d.Class(n), d.Attr(n, "class")
		if class > 0 && d.ClassAttr(class) != attr {
			t.Fatalf("class %d is %q and %q", class, d.ClassAttr(class), attr)
		}
		if class > 0 {
			numbers[class]++
		}
	}
	for class, n := range numbers[1:] {
		if n != 1 {
			t.Fatalf("%d elements with class %d, want 1", n, class+1)
		}
	}
}
