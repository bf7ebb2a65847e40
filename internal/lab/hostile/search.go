package hostile

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// sizes are those of the pages of a search. They are so large that what any page costs
// does not count; small ones are more frequent, since more of them can be tried.
var sizes = []int{64 << 10, 64 << 10, 64 << 10, 128 << 10, 128 << 10, 256 << 10, 1 << 20}

// A Found is a page of a search with its cost.
type Found struct {
	Recipe
	Size int
	Cost float64
}

// Page returns the page.
func (f Found) Page() []byte { return f.Recipe.Page(f.Size) }

// A Search looks for the page with the highest cost for each byte. It keeps the most
// expensive pages that it has seen, changes one of them, and tries the result.
type Search struct {
	cost   func(r Recipe, size int) float64
	random *rand.Rand
	pieces []string
	best   []Found // the most expensive first
}

// kept is the number of pages that a search goes on from.
const kept = 40

// NewSearch returns a search that begins with the given kinds, whose cost it measures.
// cost returns what a page of a size costs, such as the time for each byte. The same seed
// gives the same search if the costs are the same.
func NewSearch(seed uint64, kinds []Recipe, cost func(r Recipe, size int) float64) *Search {
	s := &Search{cost: cost, random: rand.New(rand.NewPCG(seed, seed)), pieces: slices.Clone(extraPieces)}
	for _, r := range kinds {
		for _, p := range r.Parts {
			s.pieces = append(s.pieces, p.Piece)
		}
		s.best = append(s.best, s.measure(r, sizes[0]))
	}
	slices.SortStableFunc(s.best, byCost)
	return s
}

// extraPieces are inserted besides those of the kinds.
var extraPieces = []string{
	"<p>", "</p>", "<div>", "</div>", "<a href=x>", "</a>", "<b>", "</b>", "<table>", "<td>", "<tr>", "</table>", "<li>", "<ul>",
	"<br>", "<h1>", "<form>", "<select>", "<svg>", "<math>",
	"<article>", "<main>", "<section>", "<span>", "<title>", "<noscript>", "<template>", "<details>",
	"<figure>", "<time>", "<address>", `<p class="author">`, `<div class="comments">`,
	"x", " ", "\n", ".", ",", "{i}", "by ", "1 May 2024", "Ann Quay", "é", "中", "\x00", "\xff", "&amp;", "<!--", "-->",
	`"`, "'", "=", ">", "<", "/", "{", "}", "[", "]", ":", "@",
}

// Best returns the most expensive pages, the first one first.
func (s *Search) Best() []Found { return slices.Clone(s.best) }

// measure returns the cost of a page. It is 0 for a page that is much smaller than it
// should be, since what any page costs would count.
func (s *Search) measure(r Recipe, size int) Found {
	f := Found{Recipe: r, Size: size}
	if len(r.Page(size)) >= size*3/4 {
		f.Cost = s.cost(r, size)
	}
	return f
}

// Step tries one more page. It reports whether that is the most expensive so far.
func (s *Search) Step() bool {
	// The square prefers the most expensive ones.
	x := s.random.Float64()
	parent := s.best[int(x*x*float64(len(s.best)))]
	r := Recipe{parent.Name, slices.Clone(parent.Parts)}
	for range 1 + s.random.IntN(3) {
		s.change(&r)
	}
	size := parent.Size
	if s.random.IntN(4) == 0 {
		size = sizes[s.random.IntN(len(sizes))]
	}
	return s.add(s.measure(r, size))
}

// add keeps a page if it is among the most expensive ones. Pages of one kind take at
// most a quarter of the room, so that the search does not forget the others.
func (s *Search) add(f Found) bool {
	first := f.Cost > s.best[0].Cost
	s.best = append(s.best, f)
	slices.SortStableFunc(s.best, byCost)
	kinds := map[string]int{}
	s.best = slices.DeleteFunc(s.best, func(f Found) bool {
		kinds[f.Name]++
		return kinds[f.Name] > kept/4
	})
	s.best = s.best[:min(len(s.best), kept)]
	return first
}

func byCost(a, b Found) int { return cmp.Compare(b.Cost, a.Cost) }

// Limits of a recipe, so that it can be read.
const (
	maxParts = 8
	maxPiece = 4000
)

// change makes one change.
func (s *Search) change(r *Recipe) {
	at := s.random.IntN(len(r.Parts))
	p := &r.Parts[at]
	switch s.random.IntN(9) {
	case 0: // a part of another page
		other := s.best[s.random.IntN(len(s.best))]
		if part := other.Parts[s.random.IntN(len(other.Parts))]; len(r.Parts) < maxParts {
			r.Parts = slices.Insert(r.Parts, at, part)
		}
	case 1: // another share
		p.Share = s.random.IntN(6)
	case 2:
		if len(r.Parts) > 1 {
			r.Parts = slices.Delete(r.Parts, at, at+1)
		}
	case 3: // a piece inside a piece
		i := s.random.IntN(len(p.Piece) + 1)
		p.Piece = limit(p.Piece[:i] + s.piece() + p.Piece[i:])
	case 4:
		p.Piece = limit(p.Piece + s.piece())
	case 5: // some of it again
		from, to := s.span(p.Piece)
		p.Piece = limit(p.Piece[:to] + strings.Repeat(p.Piece[from:to], 1+s.random.IntN(4)) + p.Piece[to:])
	case 6: // without some of it
		from, to := s.span(p.Piece)
		p.Piece = p.Piece[:from] + p.Piece[to:]
	case 7:
		p.Close = limit(p.Close + s.piece())
		if s.random.IntN(2) == 0 {
			p.Close = ""
		}
	case 8: // another order
		to := s.random.IntN(len(r.Parts))
		r.Parts[at], r.Parts[to] = r.Parts[to], r.Parts[at]
	}
	if p = &r.Parts[min(at, len(r.Parts)-1)]; p.Piece == "" {
		p.Piece = s.piece()
	}
}

func (s *Search) piece() string { return s.pieces[s.random.IntN(len(s.pieces))] }

// span returns a part of a piece.
func (s *Search) span(piece string) (from, to int) {
	from, to = s.random.IntN(len(piece)+1), s.random.IntN(len(piece)+1)
	return min(from, to), max(from, to)
}

func limit(piece string) string { return piece[:min(len(piece), maxPiece)] }
