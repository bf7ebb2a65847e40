package warc

// Stats tell what a Reader has seen so far.
type Stats struct {
	Records int64 // handed out by Next
	Skipped Skipped
	Digests int64 // that did not match, if they were checked
	Bytes   int64 // of the input, as far as it was read
}

// Skipped counts, by reason, records that were passed over in whole or in part.
// Those whose body broke were handed out before, and so are in Records too.
// What lies between one fault and the next good record counts once.
type Skipped struct {
	Truncated int64 // the input ended within the record
	Header    int64 // no usable WARC header
	Length    int64 // the record ended elsewhere than its Content-Length said
	Packing   int64 // compressed data that cannot be unpacked
}

// Total is the sum over the reasons.
func (s Skipped) Total() int64 {
	return s.Truncated + s.Header + s.Length + s.Packing
}
