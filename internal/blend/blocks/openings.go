package blocks

// Openings looks at this many words from the front of a block and from its end.
const (
	openers = 6
	closers = 2

	mostOpenings = openers + 1 + closers
)

// appendOpenings adds the place of every word that a text begins or ends with,
// and of the pair of its first two.
func appendOpenings(places []uint32, text string) []uint32 {
	w := words{text: text}
	var last uint32
	for n := range openers {
		h, ok := w.next()
		if !ok {
			return places // the whole text was read
		}
		places = append(places, place(h))
		if n == 1 {
			places = append(places, place(last*step^h))
		}
		last = h
	}
	for range closers {
		h, before, ok := lastWord(text)
		if !ok {
			break
		}
		places = append(places, place(h*step+1)) // a word at the end is not the same as at the front
		text = before
	}
	return places
}
