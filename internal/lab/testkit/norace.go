//go:build !race

package testkit

// Race reports whether the race detector is on, which makes parsing about ten
// times as slow.
const Race = false
