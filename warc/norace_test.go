//go:build !race

package warc

// most is how much memory reading past a large record may take.
const most = 8 << 20
