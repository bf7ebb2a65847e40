package dom

// maxClasses bounds the class attributes that are numbered. More different ones are
// made up by a program, and tell nothing.
const maxClasses = 1<<16 - 1

// classNumber returns the number of a class attribute, since many elements have the
// same, or 0 for one too many.
func (d *Document) classNumber(class string) uint16 {
	if len(d.classes.List) == maxClasses {
		return uint16(d.classes.Find(class))
	}
	n, _ := d.classes.Number(class)
	return uint16(n)
}

// Class returns the number of the class attribute of n, from 1 to [Document.Classes],
// or 0 if it has none. Elements with the same attribute have the same number, so that
// what a class means is found out once for all of them. A page may have 65,535
// different ones; an element with another has 0.
func (d *Document) Class(n Node) int { return int(d.nodes[n].class) }

// Classes returns the number of different class attributes.
func (d *Document) Classes() int { return len(d.classes.List) }

// ClassAttr returns the class attribute with a number from 1 to [Document.Classes].
func (d *Document) ClassAttr(class int) string { return d.classes.List[class-1] }
