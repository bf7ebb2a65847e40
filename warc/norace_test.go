//go:build !race

package warc

// maxMemory is how much memory may be allocated to read past a large record.
const maxMemory = 8 << 20
