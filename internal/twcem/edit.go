package twcem

// editDistance is the distance of Levenshtein between a and b (formula 1, with
// a match at no cost), or most where it is no less. Neither may be longer than
// longTitle.
func editDistance(a, b []rune, most int) int {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) >= most {
		return most
	}
	var buf [longTitle + 1]int
	row := buf[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		corner := row[0]
		row[0] = i + 1
		least := row[0]
		for j, y := range b {
			e := corner
			if x != y {
				e++
			}
			corner = row[j+1]
			e = min(e, corner+1, row[j]+1)
			row[j+1] = e
			least = min(least, e)
		}
		if least >= most {
			return most
		}
	}
	return min(row[len(b)], most)
}
