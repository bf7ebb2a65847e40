package site

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var errRange = errors.New("a number is out of range")

// template makes a template of what was read. People edit it, so that order and
// numbers are not taken on trust.
func (in *jsonTemplate) template() (*template, error) {
	t := &template{pages: in.Pages, weight: in.Weight, stories: in.Stories, used: in.Used, strangers: in.Strange}
	if in.Pages < 0 || in.Used < 0 || in.Strange < 0 || in.Strange > redesign || !isCount(in.Weight) || !isCount(in.Stories) ||
		in.Pages > maxPages || in.Used > maxPages || len(in.Shapes) > maxShapes || len(in.Static) > maxWords {
		return nil, errRange
	}
	var err error
	if t.rows, err = readTable(in.Rows); err != nil {
		return nil, err
	}
	for _, r := range in.Static {
		keys, err := unspell(r.Key)
		if err != nil || len(keys) != 1 || !isCount(r.Pages) {
			return nil, fmt.Errorf("static row %.40q is unreadable", r.Key)
		}
		t.rows = t.rows.merge(table{{keys[0], r.Pages}}, maxKeys)
		if t.words == nil {
			t.words = map[key]string{}
		}
		t.words[keys[0]] = clip(r.Text, maxSample)
	}
	t.rows = t.rows.cut(maxKeys)
	if t.kept, err = readTable(in.Kept); err != nil {
		return nil, err
	}
	if t.left, err = readTable(in.Left); err != nil {
		return nil, err
	}
	t.kept, t.left = t.kept.cut(maxKnownPlaces), t.left.cut(maxKnownPlaces)
	for name, list := range in.Habits {
		r := slices.Index(roleNames[:], name)
		if r < 0 {
			return nil, fmt.Errorf("unknown habit %.40q", name)
		}
		if t.habits[r], err = readVotes(list); err != nil {
			return nil, err
		}
	}
	if t.suffixes, err = readVotes(in.Suffixes); err != nil {
		return nil, err
	}
	for _, s := range in.Shapes {
		b, err := hex.DecodeString(s)
		if err != nil || len(b) != 2*shapeSize {
			return nil, errors.New("a shape is unreadable")
		}
		var sh shape
		for i := range sh {
			sh[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
		}
		t.shapes = append(t.shapes, sh)
	}
	return t, nil
}

func isCount(f float32) bool { return f >= 0 && f <= maxCount } // false for NaN

func readVotes(list []jsonVote) (votes, error) {
	var v votes
	for _, o := range list {
		if !isCount(o.Pages) {
			return nil, errRange
		}
		v = v.count(vote{clip(o.Name, maxName), o.Pages})
	}
	return v.cut(), nil
}

func readTable(lists map[string]string) (table, error) {
	var t table
	for count, list := range lists {
		n, err := strconv.ParseFloat(count, 32)
		if err != nil || !isCount(float32(n)) {
			return nil, errRange
		}
		keys, err := unspell(list)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			t = append(t, entry{k, float32(n)})
		}
	}
	slices.SortFunc(t, func(a, b entry) int {
		if a.key == b.key && a.count > b.count {
			return -1 // the larger of two counts is kept
		}
		return compare(a.key, b.key)
	})
	return slices.CompactFunc(t, func(a, b entry) bool { return a.key == b.key }), nil
}

func unspell(s string) ([]key, error) {
	var keys []key
	for f := range strings.FieldsSeq(s) {
		k, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			return nil, fmt.Errorf("key %.40q is unreadable", f)
		}
		keys = append(keys, key(k))
	}
	return keys, nil
}
