package stories

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStems(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"The minister's €1,500 plan", "the minist s 1 500 plan"},
		{"Ministers, MINISTRY", "minist minist"},
		{"Żółć łódź Øre İstanbul ılık Straße", "zolc lodz ore istanb ilik straße"},
		{"Правительства правительство", "правит правит"},
		{"Αθήνας ΑΘΗΝΑΣ", "αθηνασ αθηνασ"},
		{"重庆啤酒", "重庆 庆啤 啤酒"},
		{"東京の", "東京 京の"},
		{"서울에서", "서울 울에 에서"},
		{"水", "水"},
		{"กรุงเทพ", "กรุ รุง ุงเ งเท เทพ"},
		{"والوزارة وزارة الوزارة", "وزار وزار وزار"},
		{"क़िले किताब", "क़िले किताब"},
		{"", ""},
		{"—…!", ""},
		{"a\xffb", "a b"},
	} {
		var got []string
		for w := range stems(test.text) {
			got = append(got, w.form)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("stems of %q: %q, want %q", test.text, s, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	terms := NewTerms(&Article{Title: "All Words Are Capitals", Text: "Yesterday Anna Kessel met the mayor. Officials of Bad Ostenau said nothing."})
	var pairs []string
	for _, x := range terms.terms {
		if class(x.hash%classes) == nameClass {
			pairs = append(pairs, x.text)
		}
	}
	slices.Sort(pairs)
	if want := []string{"Anna Kessel", "Bad Ostenau"}; !slices.Equal(pairs, want) {
		t.Errorf("pairs of names: %q, want %q", pairs, want)
	}
}

// article returns a made-up article with n words of a vocabulary.
func madeUp(r *rand.Rand, n int) *Article {
	var b strings.Builder
	for range n {
		k := int(float64(5000) / (1 + r.Float64()*4999)) // few are common
		fmt.Fprintf(&b, "w%dx%d ", k, r.IntN(k+1))
	}
	return &Article{Title: "about w1x0", Text: b.String(), Lang: "en", Published: time.Date(2026, 1, 1+r.IntN(28), 0, 0, 0, 0, time.UTC)}
}

func TestLikeness(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var f Frequencies
	var list []*Vector
	for range 50 {
		terms := NewTerms(madeUp(r, 20+r.IntN(400)))
		f.Add(terms)
		list = append(list, f.Weigh(terms))
	}
	list = append(list, f.Weigh(NewTerms(&Article{})))
	for i, a := range list {
		if s := Likeness(a, a); i < 50 && s < 0.99 || s > 1 {
			t.Errorf("article %d is like itself by %.3f", i, s)
		}
		for _, b := range list {
			s := Likeness(a, b)
			if s != Likeness(b, a) || s < 0 || s > 1 {
				t.Fatalf("likeness %v one way and %v the other", s, Likeness(b, a))
			}
		}
	}
	if s := Likeness(list[50], list[50]); s != 0 {
		t.Errorf("empty articles are alike by %v", s)
	}
}

func TestTimeApart(t *testing.T) {
	var f Frequencies
	at := func(date time.Time) *Vector {
		return f.Weigh(NewTerms(&Article{Title: "Bridge in Kessel closed", Text: "Engineers found a crack in the bridge.", Published: date}))
	}
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	same, week, year := Likeness(at(day), at(day)), Likeness(at(day), at(day.AddDate(0, 0, 7))), Likeness(at(day), at(day.AddDate(1, 0, 0)))
	if !(same > week && week > year && year > 0) {
		t.Errorf("likeness after no time, a week and a year: %.3f, %.3f, %.3f", same, week, year)
	}
	if unknown := Likeness(at(day), at(time.Time{})); unknown != same {
		t.Errorf("likeness with an unknown date is %.3f, want %.3f", unknown, same)
	}
	seen := f.Weigh(NewTerms(&Article{Title: "Bridge in Kessel closed", FirstSeen: day}))
	if seen.day != at(day).day {
		t.Error("an article without a date has not the day on which it was found")
	}
}

// TestRareWords checks that counts make a word lose weight.
func TestRareWords(t *testing.T) {
	var f Frequencies
	bridge := NewTerms(&Article{Text: "bridge", Lang: "en"})
	weight := func(lang string) float64 { return f.rarity(lang)(bridge.terms[0].hash) }
	before := weight("en")
	for range 200 {
		f.Add(bridge)
	}
	if after := weight("en"); after >= before/2 {
		t.Errorf("weight %.2f before, %.2f after 200 articles", before, after)
	}
	if other := weight("de"); other != before {
		t.Errorf("weight %.2f in a language without articles, want %.2f", other, before)
	}
	for range maxArticles {
		f.Add(bridge)
	}
	if f.articles > maxArticles || f.languages["en"] != f.articles {
		t.Errorf("%d articles, %d in English", f.articles, f.languages["en"])
	}
	if after := weight("en"); after > 0.01 {
		t.Errorf("weight %.3f of a word that all articles have", after)
	}
	for i := range 1000 {
		f.Add(NewTerms(&Article{Text: "bridge", Lang: fmt.Sprintf("x%d", i)}))
	}
	if len(f.languages) > maxLanguages+1 {
		t.Errorf("%d languages", len(f.languages))
	}
}

func TestBinaryForms(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	var f Frequencies
	for _, a := range []*Article{madeUp(r, 300), {}, {Title: "重庆啤酒", Lang: "zh-Hans", Text: "啤酒"}} {
		terms := NewTerms(a)
		f.Add(terms)
		v := f.Weigh(terms)
		data, err := v.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var w Vector
		if err := w.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if Likeness(v, v) != Likeness(v, &w) || !slices.Equal(v.Words(5), w.Words(5)) || !slices.Equal(v.Keys(9), w.Keys(9)) {
			t.Errorf("%q: the vector changed", a.Title)
		}
		for cut := range data {
			if cut > 2 && cut < 1150 {
				_ = w.UnmarshalBinary(data[:cut]) // must not panic
			}
		}
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var g Frequencies
	if err := g.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if g.articles != f.articles || !slices.Equal(g.counts, f.counts) {
		t.Error("the frequencies changed")
	}
	for _, bad := range [][]byte{nil, data[:1], data[:len(data)-1], append([]byte{9}, data[1:]...)} {
		if err := g.UnmarshalBinary(bad); err == nil {
			t.Errorf("%d bytes of damaged frequencies were read", len(bad))
		}
	}
	if g.articles != f.articles {
		t.Error("a damaged form changed the frequencies")
	}
}

func TestHugeText(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 10<<20), strings.Repeat("a ", 5<<20), strings.Repeat("重", 3<<20), strings.Repeat("Ab Cd ", 1<<20), strings.Repeat("\xff", 10<<20)} {
		terms := NewTerms(&Article{Title: text, Text: text})
		if len(terms.terms) > 2*maxWords+10 {
			t.Errorf("%d terms", len(terms.terms))
		}
		for _, x := range terms.terms {
			if len(x.text) > 400 {
				t.Errorf("a term has %d bytes", len(x.text))
			}
		}
		v := new(Frequencies).Weigh(terms)
		if data, _ := v.MarshalBinary(); len(data) > 64<<10 {
			t.Errorf("a vector of %d bytes", len(data))
		}
	}
}

func FuzzVector(f *testing.F) {
	var freq Frequencies
	data, err := freq.Weigh(NewTerms(&Article{Title: "Bridge in Kessel closed", Lang: "en"})).MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, "Bridge")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		v := freq.Weigh(NewTerms(&Article{Title: text, Text: text}))
		var w Vector
		if w.UnmarshalBinary(data) != nil {
			return
		}
		if s := Likeness(v, &w); !(s >= 0 && s <= 1) {
			t.Errorf("likeness %v", s)
		}
		w.Words(5)
		w.Keys(5)
		Shared(v, &w, 5)
		Shared(&w, v, 5)
	})
}
