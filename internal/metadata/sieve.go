package metadata

// sieve refuses most words that are not in a list, by their first byte and
// their length: that is far quicker than to look for them in a map, and nearly
// all words of a page are in no list. It has a bit for each length.
type sieve [256]uint64

func (s *sieve) add(word string) { s[word[0]] |= 1 << min(len(word), 63) }

// holds reports whether the list may have the word.
func (s *sieve) holds(word []byte) bool {
	return len(word) > 0 && s[word[0]]>>min(len(word), 63)&1 != 0
}
