package metadata

import (
	"strings"
	"time"
	"unicode/utf8"
)

// clock reads the time of day after a date. Without a zone it is worth
// nothing: nobody knows which moment it means.
func (r *dateReader) clock(i int) (sinceMidnight time.Duration, zone *time.Location, ok bool) {
	// "T", "at", "um", a comma or a bar may stand before it.
	for skipped := 0; skipped < 4; skipped++ {
		t := r.at(i)
		if t.kind == numberToken || t.kind == endToken || t.kind == wordToken && utf8.RuneCountInString(t.text) > 4 {
			break
		}
		i++
	}
	hour, minute := r.at(i), r.at(i+2)
	if !hour.digits(1, 2) || !minute.digits(2, 2) || !(r.at(i+1).isSign(":.") || r.at(i+1).isWord("h")) {
		return r.compactClock(i)
	}
	sinceMidnight = time.Duration(hour.value)*time.Hour + time.Duration(minute.value)*time.Minute
	i += 3
	if r.at(i).isSign(":") && r.at(i+1).digits(2, 2) {
		sinceMidnight += time.Duration(r.at(i+1).value) * time.Second
		i += 2
		if r.at(i).isSign(".,") && r.at(i).glued && r.at(i+1).kind == numberToken && r.at(i+1).glued {
			sinceMidnight += fraction(r.at(i + 1).text)
			i += 2
		}
	}
	if half, next := r.half(i); next > i {
		sinceMidnight = sinceMidnight % (12 * time.Hour)
		sinceMidnight += half
		i = next
	}
	if hour.value > 24 || minute.value > 59 {
		return 0, nil, false
	}
	zone, ok = r.zone(i)
	return sinceMidnight, zone, ok
}

// compactClock reads the 154742Z of 20240503T154742Z.
func (r *dateReader) compactClock(i int) (time.Duration, *time.Location, bool) {
	t := r.at(i)
	if !t.digits(6, 6) && !t.digits(4, 4) || !t.glued {
		return 0, nil, false
	}
	v := t.value
	if t.digits(4, 4) {
		v *= 100
	}
	if v/10000 > 24 || v/100%100 > 59 {
		return 0, nil, false
	}
	zone, ok := r.zone(i + 1)
	return time.Duration(v/10000)*time.Hour + time.Duration(v/100%100)*time.Minute + time.Duration(v%100)*time.Second, zone, ok
}

// fraction is that of a second, to the millisecond.
func fraction(digits string) time.Duration {
	var ms time.Duration
	for i := range 3 {
		ms *= 10
		if i < len(digits) && isDigit(digits[i]) {
			ms += time.Duration(digits[i] - '0')
		}
	}
	return ms * time.Millisecond
}

// half reads am, pm, a.m. and p.m.; next is i if there is none of them.
func (r *dateReader) half(i int) (half time.Duration, next int) {
	t := r.at(i)
	if t.isWord("pm") || t.isWord("p") && r.at(i+2).isWord("m") {
		half = 12 * time.Hour
	}
	switch {
	case t.isWord("am", "pm"):
		return half, i + 1
	case t.isWord("a", "p") && r.at(i+1).isSign(".") && r.at(i+2).isWord("m"):
		i += 3
		if r.at(i).isSign(".") {
			i++
		}
		return half, i
	}
	return 0, i
}

// zone reads Z, +02:00, -0500, GMT, (CET), UTC+1.
func (r *dateReader) zone(i int) (*time.Location, bool) {
	if r.at(i).isSign("(,") || r.at(i).isWord("uhr") {
		i++
	}
	base, named := 0, false
	if t := r.at(i); t.kind == wordToken {
		if base, named = zoneNames()[strings.ToLower(t.text)]; named {
			i++
		}
	}
	if minutes, ok := r.offset(i, named); ok {
		return fixedZone(base + minutes), true
	}
	if !named {
		return nil, false
	}
	return fixedZone(base), true
}

// offset reads +02:00, +0200 and +02, and +2 after a name.
func (r *dateReader) offset(i int, named bool) (minutes int, ok bool) {
	sign, t := r.at(i), r.at(i+1)
	if !sign.isSign("+-−") || !t.glued {
		return 0, false
	}
	switch {
	case t.digits(4, 4):
		minutes = t.value/100*60 + t.value%100
	case t.digits(2, 2) && r.at(i+2).isSign(":") && r.at(i+3).digits(2, 2):
		minutes = t.value*60 + r.at(i+3).value
	case t.digits(2, 2) && sign.glued, named && t.digits(1, 2):
		minutes = t.value * 60
	default:
		return 0, false
	}
	if minutes > 14*60 {
		return 0, false
	}
	if sign.text != "+" {
		minutes = -minutes
	}
	return minutes, true
}

func fixedZone(minutes int) *time.Location {
	if minutes == 0 {
		return time.UTC
	}
	return time.FixedZone("", minutes*60)
}
