package batch

import (
	"fmt"
	"hash/maphash"
	"maps"
	"net/url"
	"strings"
	"time"
)

// Stats is how far a run has come.
type Stats struct {
	Done, Failed int
	Bytes        int64 // of pages, unpacked
	Input        int64 // of the inputs, as they lie on the disk
	Lost         int64 // of those, what could not be read
	Partial      int   // pages that a limit cut off
	Quarantined  int
	Repeated     int // ids that came before, since the run was last started
	Elapsed      time.Duration
	Counts

	seen *filter
}

// Counts are numbers of pages: of those with an article by site, language, type
// and confidence, and of the others by the kind of their error.
type Counts struct {
	Sites      map[string]int `json:"sites,omitempty"`
	Langs      map[string]int `json:"langs,omitempty"`
	Types      map[string]int `json:"types,omitempty"`
	Confidence map[string]int `json:"confidence,omitempty"`
	Errors     map[string]int `json:"errors,omitempty"`
}

func newCounts() Counts {
	return Counts{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

func newStats() *Stats { return &Stats{Counts: newCounts(), seen: &filter{}} }

// Clone is a copy to keep.
func (s Stats) Clone() Stats {
	s.Counts = Counts{maps.Clone(s.Sites), maps.Clone(s.Langs), maps.Clone(s.Types), maps.Clone(s.Confidence), maps.Clone(s.Errors)}
	return s
}

// OtherSites is where the pages of further sites are counted when there are too
// many to keep apart.
const OtherSites = "(others)"

const maxSites = 20_000

func (s *Stats) add(r *Result) {
	s.Done++
	s.Bytes += r.Bytes
	s.Input += r.Page.Size
	s.Lost += r.Page.Lost
	if r.Line.Partial {
		s.Partial++
	}
	if r.quarantined {
		s.Quarantined++
	}
	if s.seen.again(r.Line.ID) {
		s.Repeated++
	}
	if r.Line.Error != "" {
		s.Failed++
	}
	s.Counts.add(r)
}

func (c *Counts) add(r *Result) {
	if r.Line.Error != "" {
		c.Errors[r.Line.Kind]++
		return
	}
	c.Langs[orNone(r.Line.Lang)]++
	c.Types[string(r.Line.Type)]++
	c.Confidence[decile(r.Line.Confidence)]++
	c.site(SiteOf(r), 1)
}

func (c *Counts) site(name string, n int) {
	if _, known := c.Sites[name]; !known && len(c.Sites) >= maxSites {
		name = OtherSites
	}
	c.Sites[name] += n
}

// sum adds the counts of another run, or of a part of this one.
func (c *Counts) sum(more Counts) {
	for name, n := range more.Sites {
		c.site(name, n)
	}
	for _, pair := range [][2]map[string]int{{c.Langs, more.Langs}, {c.Types, more.Types}, {c.Confidence, more.Confidence}, {c.Errors, more.Errors}} {
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

// decile is such as "0.7", for 0.7 to 0.8.
func decile(x float64) string {
	return fmt.Sprintf("0.%d", min(max(int(x*10), 0), 9))
}

// SiteOf is the host of the page, without www.; else what its corpus calls its
// site.
func SiteOf(r *Result) string {
	u, err := url.Parse(r.Line.URL)
	if err != nil || u.Hostname() == "" {
		return orNone(r.Page.Site)
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// filter tells, with a small doubt, whether an id was seen before, in the same
// memory for a thousand ids as for a hundred million: it is a Bloom filter.
// Among a million ids hardly one is wrongly said to repeat; among ten million,
// one in five hundred.
type filter struct {
	bits []uint64
	seed maphash.Seed
}

const (
	filterBits = 1 << 27 // 16 MB
	filterKeys = 6
)

func (f *filter) again(id string) bool {
	if f.bits == nil {
		f.bits, f.seed = make([]uint64, filterBits/64), maphash.MakeSeed()
	}
	h := maphash.String(f.seed, id)
	step := h>>32 | 1
	seen := true
	for range filterKeys {
		at := h % filterBits
		if f.bits[at/64]&(1<<(at%64)) == 0 {
			seen = false
			f.bits[at/64] |= 1 << (at % 64)
		}
		h += step * 0x9E3779B97F4A7C15
	}
	return seen
}
