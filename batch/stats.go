package batch

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"time"
)

// Stats counts the results of a run so far. After a run was resumed it includes
// those of the earlier processes.
type Stats struct {
	Done        int   `json:"done"`                 // pages with a result
	Failed      int   `json:"failed,omitempty"`     // of these, pages with an error
	Bytes       int64 `json:"bytes"`                // of pages, decompressed
	Input       int64 `json:"input"`                // bytes of the source that were read, as stored
	Lost        int64 `json:"lost,omitempty"`       // of these, bytes that are damaged
	Partial     int   `json:"partial,omitempty"`    // pages that were incomplete
	LinkTexts   int   `json:"link_texts,omitempty"` // pages with an Input.LinkText
	Quarantined int   `json:"quarantined,omitempty"`
	LeftOut     int   `json:"left_out,omitempty"` // pages whose results were not written, by Options.Revise
	Repeated    int   `json:"-"`                  // IDs seen before, since the run was last started; an estimate
	// Records is the number of WARC records, files, entries of tar and zip archives,
	// lines of JSON (but for empty ones) and addresses that were read. Of these, Skipped
	// are not about pages. Damaged are the pages that stand for none of them, but for a
	// damaged range, or an input that cannot be read further: Records + Damaged = Done +
	// Skipped. Unreadable are the pages that could not be read because of the system, such
	// as a missing file or a failing disk. Records after the last page are counted at
	// the end of the run, by Journal.Run and Source.Rest.
	Records    int `json:"records,omitempty"`
	Skipped    int `json:"skipped,omitempty"`
	Damaged    int `json:"damaged,omitempty"`
	Unreadable int `json:"unreadable,omitempty"`
	// UnreadableError is why the first of these could not be read.
	UnreadableError string `json:"unreadable_error,omitempty"`
	// Begin and Next are the offsets of the first record of a Source.Range, and of the
	// first one after it, -1 if there is none. They are known at the end of the run.
	Begin   int64         `json:"begin,omitempty"`
	Next    int64         `json:"next,omitempty"`
	Elapsed time.Duration `json:"elapsed"`
	Counts  `json:"counts"`

	seen *idFilter
}

// Counts are numbers of pages by a property: pages with an article by site,
// language, type and confidence, incomplete ones by the reason, and those without an
// article by the kind of their error. The keys of Confidence are "0.0", "0.1" … "0.9".
type Counts struct {
	Sites      map[string]int `json:"sites,omitempty"`
	Langs      map[string]int `json:"langs,omitempty"`
	Types      map[string]int `json:"types,omitempty"`
	Confidence map[string]int `json:"confidence,omitempty"`
	Errors     map[string]int `json:"errors,omitempty"`
	Reasons    map[string]int `json:"reasons,omitempty"` // Line.PartialReason
}

func newCounts() Counts {
	return Counts{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

func newStats() *Stats { return &Stats{Counts: newCounts(), seen: &idFilter{}} }

// Clone returns a copy with its own maps.
func (s Stats) Clone() Stats {
	s.Counts = Counts{maps.Clone(s.Sites), maps.Clone(s.Langs), maps.Clone(s.Types), maps.Clone(s.Confidence), maps.Clone(s.Errors), maps.Clone(s.Reasons)}
	return s
}

func (s *Stats) add(r *Result) {
	s.Done++
	s.Bytes += r.Bytes
	s.Input += r.Input.Size
	s.Lost += r.Input.Lost
	s.addTally(r.Input.tally)
	if r.Err != nil && isUnreadable(r.Err) {
		s.Unreadable++
		s.UnreadableError = cmp.Or(s.UnreadableError, r.Line.Error)
	}
	if r.Line.Partial {
		s.Partial++
	}
	if r.Input.LinkText != "" {
		s.LinkTexts++
	}
	if r.quarantined {
		s.Quarantined++
	}
	if r.leftOut {
		s.LeftOut++
	}
	if s.seen.add(r.Line.ID) {
		s.Repeated++
	}
	if r.Line.Error != "" {
		s.Failed++
	}
	s.Counts.add(r)
}

func (s *Stats) addTally(t tally) {
	s.Records += t.records
	s.Skipped += t.skipped
	s.Damaged += t.damaged
}

func (c *Counts) add(r *Result) {
	if r.Line.Error != "" {
		c.Errors[r.Line.Kind]++
		return
	}
	c.Langs[orNone(r.Line.Lang)]++
	c.Types[string(r.Line.Type)]++
	c.Confidence[fmt.Sprintf("0.%d", min(max(int(r.Line.Confidence*10), 0), 9))]++
	if r.Line.Partial {
		c.Reasons[orNone(string(r.Line.PartialReason))]++
	}
	c.addSite(r.Host(), 1)
}

// Pages of more than maxSites sites are counted together as otherSites.
const (
	maxSites   = 20_000
	otherSites = "(others)"
)

func (c *Counts) addSite(name string, n int) {
	if _, known := c.Sites[name]; !known && len(c.Sites) >= maxSites {
		name = otherSites
	}
	c.Sites[name] += n
}

// sum adds the counts of a part of the run.
func (c *Counts) sum(part Counts) {
	for name, n := range part.Sites {
		c.addSite(name, n)
	}
	for _, pair := range [][2]map[string]int{{c.Langs, part.Langs}, {c.Types, part.Types}, {c.Confidence, part.Confidence}, {c.Errors, part.Errors}, {c.Reasons, part.Reasons}} {
		for name, n := range pair[1] {
			pair[0][name] += n
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

// idFilter is a Bloom filter of IDs. Its memory does not depend on their number.
// Among a million IDs hardly any new one is taken for a repeated one, among ten
// million one in five hundred.
type idFilter struct {
	bits []uint64
	seed maphash.Seed
}

const (
	filterBits   = 1 << 27 // 16 MB
	filterHashes = 6
)

// add adds an ID and reports whether it was probably added before.
func (f *idFilter) add(id string) bool {
	if f.bits == nil {
		f.bits, f.seed = make([]uint64, filterBits/64), maphash.MakeSeed()
	}
	h := maphash.String(f.seed, id)
	step := h>>32 | 1
	seen := true
	for range filterHashes {
		at := h % filterBits
		if f.bits[at/64]&(1<<(at%64)) == 0 {
			seen = false
			f.bits[at/64] |= 1 << (at % 64)
		}
		h += step * 0x9E3779B97F4A7C15
	}
	return seen
}
