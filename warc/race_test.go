//go:build race

package warc

// maxMemory is how much memory may be allocated to read past a large record. The race
// detector allocates as well.
const maxMemory = 16 << 20
