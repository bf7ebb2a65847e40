package stories

import "testing"

func TestNormalisedWords(t *testing.T) {
	for _, c := range [][2]string{
		{"The “U.S.” said it wouldn’t pay $1,200,000.50", "the us said 'it wouldn't' pay 1.200.000,50"},
		{"10km in 12 300 steps", "10 km in 12,300 steps"},
		{"Erdoğan und Müller", "Erdogan und Mu\u0308ller"},
		{"co-operation — at 14:30", "Co operation, at 14.30"},
		{"ﬁve ｆｉｖｅ", "five five"},
		{"٢٠٢٤", "2024"},
		{"كِتَابٌ", "كتاب"},
		{"東京の天気は、晴れです。", "東京の天気は晴れです"},
		{"ｶﾞｽ", "ガス"},
		{"soft\u00adhyphen", "softhyphen"},
	} {
		a, b := splitWords(c[0]), splitWords(c[1])
		same := len(a) == len(b)
		for i := range a {
			same = same && a[i].hash == b[i].hash
		}
		if !same {
			t.Errorf("%q and %q differ: %d and %d words", c[0], c[1], len(a), len(b))
		}
	}
}
