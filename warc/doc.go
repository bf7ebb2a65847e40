// Package warc reads and writes web archives: WARC 1.0 and 1.1, plain, packed
// with gzip or with zstd.
//
// # Reading
//
// A [Reader] goes through an archive from its beginning; [At] opens the one
// record that an index ([CDX]) points to. Memory stays the same whatever the
// input: a record's body streams, and only [Record.Page] holds a page in memory,
// within Options.MaxPage.
//
//	r := warc.NewReader(file, warc.Options{})
//	for {
//		rec, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		if err != nil {
//			return err // the input as a whole cannot be read on
//		}
//		page, err := rec.Page()
//		if errors.Is(err, warc.ErrNotPage) {
//			continue
//		}
//		…
//	}
//
// # Broken archives
//
// A record that is cut off, says a wrong length or is packed in broken data is
// passed over, counted in [Stats] and told to Options.OnFault; reading goes on
// with the next record that can be found. A record is handed out before its end
// is seen, so the fault may show while its body is read: the body then ends with
// [ErrTruncated] or [ErrMalformed], and the next call of Next goes on behind it.
//
// When the input is an [io.Seeker], the search starts within the broken record,
// so that records which a wrong length has swallowed are found. From a pipe it
// starts where the fault was noticed.
//
// Two records with one id are two records: both are handed out.
package warc
