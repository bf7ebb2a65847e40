package trees

// node asks whether a row's bin of a feature is above one. A node with no gain asks
// nothing, and all rows go below.
type node struct {
	feature int
	bin     uint8
	gain    float64
}

// better is the node with the larger gain, or else the earlier question: the order
// in which they were tried must not matter.
func better(a, b node) node {
	switch {
	case a.gain != b.gain && a.gain > b.gain:
		return a
	case a.gain != b.gain:
		return b
	case a.feature < b.feature || a.feature == b.feature && a.bin < b.bin:
		return a
	}
	return b
}

// judge knows what a slope is worth.
type judge struct {
	g, h          float64 // one unit of a slope
	l2, minWeight float64
}

// worth is twice the loss that a leaf of this slope saves, G²/(H+λ).
func (j *judge) worth(g, h float64) float64 {
	return g * g / (h + j.l2)
}

// addGains adds what each cut of a feature gains in a leaf. Halves that are too
// light gain nothing.
func (j *judge) addGains(gains []float64, bins []slope, whole slope) {
	wholeG, wholeH := float64(whole.g)*j.g, float64(whole.h)*j.h
	before := j.worth(wholeG, wholeH)
	var below slope
	gain := 0.0
	for i := range gains {
		if s := bins[i]; s != (slope{}) {
			below.g += s.g
			below.h += s.h
			g, h := float64(below.g)*j.g, float64(below.h)*j.h
			gain = 0
			if h >= j.minWeight && wholeH-h >= j.minWeight {
				gain = j.worth(g, h) + j.worth(wholeG-g, wholeH-h) - before
			}
		}
		gains[i] += gain
	}
}

// leastGain is what a question must gain: less is rounding.
const leastGain = 1e-6

// best is the cut with the largest gain.
func best(gains []float64, feature int) node {
	found := node{}
	for i, gain := range gains {
		if gain > found.gain && gain > leastGain {
			found = node{feature: feature, bin: uint8(i), gain: gain}
		}
	}
	return found
}
