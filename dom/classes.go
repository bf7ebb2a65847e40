package dom

// maxClasses bounds the class attributes that are numbered. More different ones are
// made up by a program, and tell nothing.
const maxClasses = 1<<16 - 1

// classTable numbers the class attributes of a document from 1.
type classTable struct {
	list    []class
	numbers map[string]uint16
}

// class is a class attribute, which many elements may have.
type class struct {
	attr   string
	unseen bool // see namesUnseen
}

// number finds or adds a class attribute. It returns 0 for one too many.
func (t *classTable) number(attr string) uint16 {
	n, ok := t.numbers[attr]
	if !ok && len(t.list) < maxClasses {
		t.list = append(t.list, class{attr, namesUnseen(attr)})
		n = uint16(len(t.list))
		t.numbers[attr] = n
	}
	return n
}

// Class returns the number of the class attribute of n, from 1 to [Document.Classes],
// or 0 if it has none. Elements with the same attribute have the same number, so that
// what a class means is found out once for all of them. A page may have 65,535
// different ones; an element with another has 0.
func (d *Document) Class(n Node) int { return int(d.nodes[n].class) }

// Classes returns the number of different class attributes.
func (d *Document) Classes() int { return len(d.classes.list) }

// ClassAttr returns the class attribute with a number from 1 to [Document.Classes].
func (d *Document) ClassAttr(class int) string { return d.classes.list[class-1].attr }
