//go:build race

package warc

// most is how much memory reading past a large record may take. The race detector
// takes some of its own.
const most = 16 << 20
