package trees

// Scores scores n rows, whose bins stand row after row as Bin makes them. Each row
// gets Outputs scores in out: log-odds, or one a class. It takes no memory for
// models of up to 256 columns.
func (m *Model) Scores(bins []uint8, n int, out []float32) {
	if n < 0 || len(bins) < n*m.Width() || len(out) < n*len(m.bias) {
		panic(m.wrong(bins, n))
	}
	var room [onStack * sheetWords]uint64
	words := room[:]
	if m.Width() > onStack {
		words = make([]uint64, m.Width()*sheetWords)
	}
	now, later := sheet{words: words}, sheet{words: words}
	for i := range n {
		if now.add(i, 0); now.full() || i == n-1 {
			m.score(&now, &later, bins, out)
		}
	}
	if later.count > 0 {
		m.finish(&later, bins, out)
	}
}

// score scores the rows of a sheet and empties it. Where rows may leave early, those
// that stay are gathered in later until they fill a sheet, too.
func (m *Model) score(now, later *sheet, bins []uint8, out []float32) {
	m.turn(now, bins)
	if m.stop.after == 0 {
		for k := range m.bias {
			clear(now.sums[:])
			m.addTrees(now, bins, k, m.trees)
			m.write(now, k, out)
		}
		now.count = 0
		return
	}
	m.addTrees(now, bins, 0, m.trees[:m.stop.after])
	m.write(now, 0, out)
	for i, row := range now.rows[:now.count] {
		if m.stop.leaves(now.sums[i]) {
			continue
		}
		if later.add(int(row), now.sums[i]); later.full() {
			m.finish(later, bins, out)
		}
	}
	now.count = 0
	clear(now.sums[:])
}

// finish scores the rows that stayed, by the trees that are left.
func (m *Model) finish(later *sheet, bins []uint8, out []float32) {
	m.turn(later, bins)
	m.addTrees(later, bins, 0, m.trees[m.stop.after:])
	m.write(later, 0, out)
	later.count = 0
}

func (m *Model) turn(s *sheet, bins []uint8) {
	if m.symmetric {
		s.turn(bins, m.Width())
	}
}

func (m *Model) write(s *sheet, output int, out []float32) {
	for i, row := range s.rows[:s.count] {
		out[int(row)*len(m.bias)+output] = float32(m.bias[output] + m.unit*float64(s.sums[i]))
	}
}

// addTrees adds the leaves that trees have for an output.
func (m *Model) addTrees(s *sheet, bins []uint8, output int, trees []span) {
	width := m.Width()
	for _, t := range trees {
		leaves := (*[leafRoom]int16)(m.leaves[t.leavesOf(output):])
		if m.symmetric {
			s.addSymmetric(m.splits[t.split:int(t.split)+int(t.depth)], leaves)
			continue
		}
		for j, row := range s.rows[:s.count] {
			s.sums[j] += int32(leaves[m.leafOf(t, bins[int(row)*width:(int(row)+1)*width])])
		}
	}
}
