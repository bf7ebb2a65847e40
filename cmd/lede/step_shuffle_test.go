package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// shuffle finds stories with the steps, as a framework that runs on many machines does:
// what it knows of an article is in the lines only.
type shuffle struct {
	t      *testing.T
	random *rand.Rand
	rounds int // until the parents of copies were found
	unsure int // texts that were compared with the originals of their copies
}

// step runs a step on lines.
func (s *shuffle) step(name string, in []byte) []byte {
	s.t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"step", name, "--workers", "3"}, bytes.NewReader(in), &out, &errs); code != 0 {
		s.t.Fatalf("step %s: exit status %d: %s", name, code, errs.String())
	}
	return out.Bytes()
}

// spread runs a step on values in any order, in several parts.
func spread[In, Out any](s *shuffle, name string, list []In) (all []Out) {
	s.t.Helper()
	list = slices.Clone(list)
	s.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for part := range slices.Chunk(list, max(1, len(list)/3+1)) {
		all = append(all, fromLines[Out](s.t, s.step(name, toLines(s.t, part)))...)
	}
	return all
}

func toLines[T any](t *testing.T, list []T) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, v := range list {
		line, err := jsonLine(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	return b.Bytes()
}

func fromLines[T any](t *testing.T, b []byte) (list []T) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(b))
	for dec.More() {
		var v T
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// shuffled is an article of a shuffle.
type shuffled struct {
	textsOut
	text         string
	number, node int64
}

type object = map[string]any

// stories returns the stories of records as lines.
func (s *shuffle) stories(records []storyRecord) []byte {
	s.t.Helper()
	articles := s.number(records)
	nodes := map[int64]*shuffled{} // first articles
	for _, a := range articles {
		if a.number == a.node {
			nodes[a.node] = a
		}
	}
	near := s.copies(s.candidates(articles, nodes), nodes)
	parents, roots := s.parents(near, nodes)
	latest := int64(0)
	for _, a := range articles {
		if a.Time != nil {
			latest = max(latest, *a.Time)
		}
	}
	for _, a := range articles {
		if a.Time == nil {
			a.Time = &latest
		}
	}
	var alone []object
	for _, a := range articles {
		if _, ok := parents[a.node]; a.number == a.node && !ok {
			alone = append(alone, object{"node": a.node, "id": a.ID, "time": a.Time, "hash": a.Hash, "title": a.Title, "lang": a.Lang, "published": a.Published, "seen": a.Seen, "text": a.text})
		}
	}
	terms := spread[object, termsLine](s, "terms", alone)
	slices.SortFunc(terms, func(a, b termsLine) int { return cmp.Compare(a.Node, b.Node) })
	places := map[int64]placeLine{}
	for _, p := range fromLines[placeLine](s.t, s.step("cluster", toLines(s.t, terms))) {
		places[p.Node] = p
	}
	starts := map[string]int64{}
	for _, a := range articles {
		story := places[roots[a.node]].Story
		if start, ok := starts[story]; !ok || *a.Time < start {
			starts[story] = *a.Time
		}
	}
	var members []memberIn
	for _, a := range articles {
		root := roots[a.node]
		m := memberIn{Story: places[root].Story, Number: a.number, articleLine: a.articleLine}
		parent, isCopy := parents[a.node]
		switch {
		case a.number != a.node:
			m.Parent, m.ParentID, m.CopyOf = &a.node, nodes[a.node].ID, nodes[root].ID
			m.Likeness, m.InA, m.InB, m.Shared = 1, 1, 1, a.Shingles
		case isCopy:
			m.Parent, m.ParentID, m.CopyOf = &parent.Node, nodes[parent.Node].ID, nodes[root].ID
			m.Likeness, m.InA, m.InB, m.Shared = parent.Likeness, parent.InA, parent.InB, parent.Shared
		default:
			p := places[a.node]
			m.Score, m.Reason, m.Vector = p.Score, p.Reason, p.Vector
		}
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b memberIn) int {
		return cmp.Or(cmp.Compare(starts[a.Story], starts[b.Story]), cmp.Compare(a.Story, b.Story), cmp.Compare(*a.Time, *b.Time), cmp.Compare(a.Number, b.Number))
	})
	return s.step("stories", toLines(s.t, members))
}

// number returns the articles that are kept, in order.
func (s *shuffle) number(records []storyRecord) (articles []*shuffled) {
	s.t.Helper()
	var in []object
	for i, r := range records {
		in = append(in, object{"row": i, "id": r.ID, "url": r.URL, "site": r.Site, "title": r.Title, "text": r.Text, "lang": r.Lang, "date": r.Date, "first_seen": r.FirstSeen, "type": r.Type, "error": r.Error})
	}
	type key struct{ id, hash string }
	first := map[key]*shuffled{}
	for _, out := range spread[object, textsOut](s, "texts", in) {
		var row int
		if err := json.Unmarshal(out.Row, &row); err != nil {
			s.t.Fatal(err)
		}
		k := key{out.ID, out.Hash}
		if old := first[k]; old == nil || out.Order < old.Order {
			first[k] = &shuffled{textsOut: out, text: records[row].Text}
		}
	}
	for _, a := range first {
		articles = append(articles, a)
	}
	slices.SortFunc(articles, func(a, b *shuffled) int { return cmp.Compare(a.Order, b.Order) })
	nodes := map[string]int64{}
	for i, a := range articles {
		a.number = int64(i)
		if _, ok := nodes[a.Hash]; !ok {
			nodes[a.Hash] = a.number
		}
		a.node = nodes[a.Hash]
	}
	return articles
}

// candidates returns the lines of lede step candidates.
func (s *shuffle) candidates(articles []*shuffled, nodes map[int64]*shuffled) []candidatesOut {
	s.t.Helper()
	lists, versions := map[uint64][]int64{}, map[string][]int64{}
	var in []candidatesIn
	for _, a := range articles {
		if a.number == a.node {
			line := candidatesIn{Node: a.node, Shingles: a.Shingles, Keys: len(a.Keys), Versions: slices.Compact(slices.Sorted(slices.Values(versions[a.ID])))}
			line.Versions = line.Versions[:min(8, len(line.Versions))]
			counts := map[int64]*[4]int64{}
			for _, key := range a.Keys[1:] {
				n := len(lists[key])
				for _, other := range lists[key] {
					c := counts[other]
					if c == nil {
						c = &[4]int64{other, 0, 0, int64(nodes[other].Shingles)}
						counts[other] = c
					}
					c[1]++
					if n < 64 {
						c[2] += int64(64 / n)
					}
				}
				if n < 64 {
					lists[key] = append(lists[key], a.node)
				} else {
					line.Full = true
				}
			}
			for _, c := range counts {
				line.Candidates = append(line.Candidates, *c)
			}
			in = append(in, line)
		}
		versions[a.ID] = append(versions[a.ID], a.node)
	}
	return spread[candidatesIn, candidatesOut](s, "candidates", in)
}

// copies returns the lines of lede step copies by node.
func (s *shuffle) copies(list []candidatesOut, nodes map[int64]*shuffled) map[int64]copiesOut {
	s.t.Helper()
	var in []object
	for _, c := range list {
		of := []object{}
		for _, x := range c.Of {
			of = append(of, object{"node": x[0], "keys": x[1], "version": x[2], "text": nodes[x[0]].text})
		}
		in = append(in, object{"node": c.Node, "text": nodes[c.Node].text, "keys": len(nodes[c.Node].Keys), "rest": c.Rest, "full": c.Full, "of": of})
	}
	near := map[int64]copiesOut{}
	for _, c := range spread[object, copiesOut](s, "copies", in) {
		near[c.Node] = c
	}
	return near
}

// parents returns the parents of copies, and the originals of all nodes.
func (s *shuffle) parents(near map[int64]copiesOut, nodes map[int64]*shuffled) (parents map[int64]nearOut, roots map[int64]int64) {
	s.t.Helper()
	type pair struct{ node, root int64 }
	compared := map[pair]*nearOut{} // nil if it is no copy
	parents = map[int64]nearOut{}
	for node, c := range near {
		parents[node] = c.Near[0]
	}
	for changed := true; changed; {
		s.rounds++
		changed = false
		roots = map[int64]int64{}
		for node := range nodes {
			root := node
			for p, ok := parents[root]; ok; p, ok = parents[root] {
				root = p.Node
			}
			roots[node] = root
		}
		wanted := map[int64][]int64{} // originals to compare with
		var in []object
		for node, c := range near {
			if c.All {
				continue
			}
			var of []object
			for _, x := range c.Near {
				root := roots[x.Node]
				if root == x.Node || slices.Contains(wanted[node], root) || slices.ContainsFunc(c.Near, func(y nearOut) bool { return y.Node == root }) {
					continue
				}
				wanted[node] = append(wanted[node], root)
				if _, ok := compared[pair{node, root}]; !ok {
					compared[pair{node, root}] = nil
					of = append(of, object{"node": root, "text": nodes[root].text})
				}
			}
			if len(of) > 0 {
				in = append(in, object{"roots": true, "node": node, "text": nodes[node].text, "of": of})
			}
		}
		s.unsure += len(in)
		for _, c := range spread[object, copiesOut](s, "copies", in) {
			for _, x := range c.Near {
				compared[pair{c.Node, x.Node}] = &x
			}
		}
		for node, list := range wanted {
			best := near[node].Near[0]
			for _, root := range list {
				if x := compared[pair{node, root}]; x != nil && cmp.Or(cmp.Compare(x.Shared, best.Shared), cmp.Compare(x.Likeness, best.Likeness), cmp.Compare(best.Node, x.Node)) > 0 {
					best = *x
				}
			}
			if best != parents[node] {
				parents[node], changed = best, true
			}
		}
	}
	return parents, roots
}

// storyRecord is an article as lede batch writes it.
type storyRecord struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Site      string `json:"site,omitempty"`
	Title     string `json:"title,omitempty"`
	Text      string `json:"text,omitempty"`
	Lang      string `json:"lang,omitempty"`
	Date      string `json:"date,omitempty"`
	FirstSeen string `json:"first_seen,omitempty"`
	Type      string `json:"type,omitempty"`
	Error     string `json:"error,omitempty"`
}

// checkShuffle compares the steps with lede stories, and returns the lines of both.
func checkShuffle(t *testing.T, records []storyRecord) (s *shuffle, lines []byte) {
	t.Helper()
	s = &shuffle{t: t, random: rand.New(rand.NewPCG(21, uint64(len(records))))}
	mixed := slices.Clone(records)
	s.random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	file := filepath.Join(t.TempDir(), "articles.jsonl")
	writeTestFile(t, file, toLines(t, mixed))
	var want, errs bytes.Buffer
	if code := run(context.Background(), []string{"stories", file, "--quiet"}, nil, &want, &errs); code != 0 {
		t.Fatalf("lede stories: exit status %d: %s", code, errs.String())
	}
	got := s.stories(records)
	if !bytes.Equal(got, want.Bytes()) {
		x, y := bytes.Split(want.Bytes(), []byte("\n")), bytes.Split(got, []byte("\n"))
		wrong := 0
		for i := range max(len(x), len(y)) {
			var a, b []byte
			if i < len(x) {
				a = x[i]
			}
			if i < len(y) {
				b = y[i]
			}
			if !bytes.Equal(a, b) {
				if wrong++; wrong <= 2 {
					t.Errorf("line %d\nlede stories %.1500s\nsteps        %.1500s", i+1, a, b)
				}
			}
		}
		t.Errorf("%d of %d lines are different", wrong, len(x))
	}
	return s, got
}
