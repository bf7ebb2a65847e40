package warc

import (
	"io"
	"strings"
	"time"
)

// Record is one record of an archive.
type Record struct {
	Version     string // such as "1.0"
	Type        string // in lower case: "response", "resource", "request" …
	ID          string // without angle brackets; "" if the record has none
	TargetURI   string
	Date        time.Time // zero if the record has none that can be read
	ContentType string    // of the block, as written
	Length      int64     // of the block, as the header says
	Header      Header

	// Offset is where the record begins in the input, as an index has it. It is
	// -1 for a record within a gzip member or a zstd frame that another record
	// began: nothing can point there.
	Offset int64

	// Size is the number of bytes that the record takes in the input, packed as
	// it is. It is 0 until Body was read to its end, and when Offset is -1.
	Size int64

	// Truncated is the reason that the crawler gave for storing only a part:
	// "length", "time", "disconnect" … It is "" for a whole block.
	Truncated string

	// Body is the block. It is good until the next call of Next.
	Body io.Reader

	reader *Reader
}

// newRecord reads the fields that all records share.
func newRecord(version string, h Header) *Record {
	return &Record{
		Version:     version,
		Header:      h,
		Type:        strings.ToLower(h.Get("WARC-Type")),
		ID:          bare(h.Get("WARC-Record-ID")),
		TargetURI:   bare(h.Get("WARC-Target-URI")), // in brackets in the grammar of 1.0, and from Wget
		Date:        parseDate(h.Get("WARC-Date")),
		ContentType: h.Get("Content-Type"),
		Truncated:   strings.ToLower(h.Get("WARC-Truncated")),
	}
}

func bare(uri string) string {
	return strings.TrimSuffix(strings.TrimPrefix(uri, "<"), ">")
}

// parseDate takes every precision that WARC 1.1 allows, from the year to
// fractions of a second.
func parseDate(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
