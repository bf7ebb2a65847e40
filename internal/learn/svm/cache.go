package svm

// cache holds the rows of the kernel matrix that were asked for last.
type cache struct {
	points *points
	gamma  float64
	rows   [][]float64 // by row of the matrix; nil when it is not held
	left   int         // how many more rows may be held

	// Rows that are held form a ring through entry len(rows), from the one asked
	// for last to the one asked for first.
	next, prev []int32
}

// newCache bounds the rows by megabytes, but holds two at least: a step of the
// solver uses two at once.
func newCache(p *points, gamma float64, megabytes int) *cache {
	n := p.len()
	c := &cache{
		points: p, gamma: gamma, rows: make([][]float64, n),
		left: max(2, megabytes<<20/(8*n)),
		next: make([]int32, n+1), prev: make([]int32, n+1),
	}
	c.next[n], c.prev[n] = int32(n), int32(n)
	return c
}

// row is valid until two other rows have been asked for.
func (c *cache) row(i int) []float64 {
	if c.rows[i] != nil {
		c.unlink(int32(i))
		c.linkFirst(int32(i))
		return c.rows[i]
	}
	c.rows[i] = c.room()
	c.linkFirst(int32(i))
	c.points.kernels(c.rows[i], i, c.gamma)
	return c.rows[i]
}

// room is memory for a row: new, or that of the row not used for longest.
func (c *cache) room() []float64 {
	if c.left > 0 {
		c.left--
		return make([]float64, len(c.rows))
	}
	last := c.prev[len(c.rows)]
	c.unlink(last)
	room := c.rows[last]
	c.rows[last] = nil
	return room
}

func (c *cache) unlink(i int32) {
	c.next[c.prev[i]], c.prev[c.next[i]] = c.next[i], c.prev[i]
}

func (c *cache) linkFirst(i int32) {
	ring := int32(len(c.rows))
	first := c.next[ring]
	c.next[ring], c.prev[i] = i, ring
	c.next[i], c.prev[first] = first, i
}
