package blocks

// room is n empty values, in the memory of a slice that is no longer needed where
// they fit.
func room[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	old = old[:n]
	clear(old)
	return old
}
