package sink

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lede-news/lede/batch"
)

// Shard says how results are spread over several files. The zero value is one
// file.
type Shard struct {
	kind  shardKind
	count int
}

type shardKind uint8

const (
	whole shardKind = iota
	bySite
	byHash
)

const maxShards = 1000

// ParseShard reads "site", or "hash:8" for eight files by the hash of the id.
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{}, nil
	}
	if s == "site" {
		return Shard{kind: bySite}, nil
	}
	if number, ok := strings.CutPrefix(s, "hash:"); ok {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= maxShards {
			return Shard{kind: byHash, count: n}, nil
		}
	}
	return Shard{}, fmt.Errorf("cannot split by %q: use site, or hash:N with N from 1 to %d", s, maxShards)
}

// BySite tells whether there may be very many files.
func (s Shard) BySite() bool { return s.kind == bySite }

// name is the file of a result, for the file that all are named after.
func (s Shard) name(base string, r *batch.Result) string {
	switch s.kind {
	case bySite:
		return numbered(base, fileName(batch.SiteOf(r)))
	case byHash:
		h := fnv.New32a()
		h.Write([]byte(r.Line.ID))
		width := len(strconv.Itoa(s.count - 1))
		return numbered(base, fmt.Sprintf("%0*d", width, h.Sum32()%uint32(s.count)))
	}
	return base
}

// numbered puts something before the ends of a name: articles-7.jsonl.gz.
func numbered(base, what string) string {
	stem, ends := base, ""
	for {
		ext := filepath.Ext(stem)
		if ext == "" || ext == stem || len(ext) > len(".parquet") {
			return stem + "-" + what + ends
		}
		stem, ends = strings.TrimSuffix(stem, ext), ext+ends
	}
}

// fileName keeps what every file system takes.
func fileName(site string) string {
	const room = 150
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, strings.ToLower(site))
	return name[:min(len(name), room)]
}
