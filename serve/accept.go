package serve

import (
	"mime"
	"strconv"
	"strings"
)

// chooseType returns the index of the media type that a client likes best, by its
// Accept headers (RFC 9110, section 12.5.1), or -1 if it accepts none. Of types that it
// likes as much, the first is chosen.
func chooseType(accept, types []string) int {
	ranges := acceptRanges(accept)
	if len(ranges) == 0 {
		return 0
	}
	best, quality := -1, 0.0
	for i, t := range types {
		t, _, _ = strings.Cut(t, ";")
		if q := qualityOf(t, ranges); q > quality {
			best, quality = i, q
		}
	}
	return best
}

type acceptRange struct {
	media   string // such as text/html, text/* or */*
	quality float64
}

// acceptRanges reads Accept headers. Malformed ranges are ignored.
func acceptRanges(accept []string) (ranges []acceptRange) {
	const most = 100
	for _, header := range accept {
		for part := range strings.SplitSeq(header, ",") {
			media, params, err := mime.ParseMediaType(part)
			if err != nil || !strings.Contains(media, "/") || len(ranges) == most {
				continue
			}
			q := 1.0
			if v, ok := params["q"]; ok {
				if q, err = strconv.ParseFloat(v, 64); err != nil || !(q >= 0 && q <= 1) {
					continue
				}
			}
			ranges = append(ranges, acceptRange{media, q})
		}
	}
	return ranges
}

// qualityOf returns how much a client likes a type, from 0 to 1. The most specific range
// decides.
func qualityOf(media string, ranges []acceptRange) (quality float64) {
	group, _, _ := strings.Cut(media, "/")
	for _, name := range []string{media, group + "/*", "*/*"} {
		for _, r := range ranges {
			if r.media == name {
				return r.quality
			}
		}
	}
	return 0
}
