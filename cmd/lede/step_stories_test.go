package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// wireRecords returns articles of the wire in all languages. Some have no date, some no
// date but when they were seen, some a date that is not believed, and some the id of an
// earlier one.
func wireRecords(n int, seed uint64) (list []storyRecord) {
	random := rand.New(rand.NewPCG(seed, 21))
	for a := range newsroom.NewWire(seed, newsroom.WireOptions{Articles: n}).Articles() {
		r := storyRecord{ID: a.ID, URL: a.URL, Site: a.Site, Title: a.Title, Text: a.Text, Lang: a.Lang, Type: "article"}
		if !a.Published.IsZero() {
			r.Date = a.Published.Format(time.RFC3339)
		}
		switch random.IntN(12) {
		case 0:
			r.Date = ""
		case 1, 2:
			r.FirstSeen = a.Seen.Format(time.RFC3339Nano)
		case 3:
			r.Date, r.FirstSeen = "", a.Seen.Format(time.RFC3339)
		case 4:
			r.Date, r.FirstSeen = a.Seen.AddDate(1, 0, 0).Format(time.RFC3339), a.Seen.Format(time.RFC3339)
		case 5:
			r.Date = a.Seen.Format(time.DateOnly)
		}
		if len(list) > 0 {
			old := list[max(0, len(list)-1-random.IntN(20))]
			switch random.IntN(40) {
			case 0, 1:
				r.ID = old.ID
			case 2:
				r.Text = old.Text
			case 3: // the same article again, with other facts
				r.ID, r.Text = old.ID, old.Text
			case 4:
				r.ID, r.Text, r.Date, r.FirstSeen = old.ID, old.Text, old.Date, old.FirstSeen
			case 5:
				r.Text = "Short notice " + fmt.Sprint(random.IntN(4))
			case 6:
				r.ID, r.Text = old.ID, "Short notice "+fmt.Sprint(random.IntN(4))
			case 7:
				r.Text, r.Error = "", "cannot be read"
			case 8:
				r.Type = "index"
			case 9:
				r.Title, r.Lang, r.Site = "", "", ""
			}
		}
		list = append(list, r)
	}
	return list
}

// The steps give byte for byte what lede stories gives.
func TestStepsAreStories(t *testing.T) {
	testkit.SkipRace(t)
	t.Parallel()
	n := 4000
	if testing.Short() {
		n = 800
	}
	for seed, n := range []int{n, n / 8} {
		s, lines := checkShuffle(t, wireRecords(n, uint64(seed)+40))
		stories := strings.Count(string(lines), "\n")
		if copies := strings.Count(string(lines), `"copy_of"`); stories < n/20 || copies < n/5 {
			t.Errorf("%d stories, %d copies", stories, copies)
		}
		t.Logf("%d stories, %d rounds, %d texts were compared with originals", stories, s.rounds, s.unsure)
	}
}

// letterWord returns a word for a number.
func letterWord(n int) string {
	b := []byte{'w'}
	for n = n*7919 + 7; n > 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// madeUp returns text of random words.
func madeUp(random *rand.Rand, words, vocabulary int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(letterWord(random.IntN(vocabulary)))
	}
	return b.String()
}

// changeWords replaces some words.
func changeWords(random *rand.Rand, text string, n int) string {
	words := strings.Split(text, " ")
	for range n {
		words[random.IntN(len(words))] = letterWord(int(random.Uint32()))
	}
	return strings.Join(words, " ")
}

var badDay = time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)

// at returns a time in minutes of a day.
func at(i int) string { return badDay.Add(time.Duration(i) * time.Minute).Format(time.RFC3339) }

func record(i int, text, date string) storyRecord {
	site := fmt.Sprintf("paper%d.example", i%9)
	return storyRecord{ID: fmt.Sprintf("a%d", i), URL: fmt.Sprintf("https://%s/%d", site, i), Site: site, Title: "Headline " + fmt.Sprint(i%50), Text: text, Lang: "en", Date: date, Type: "article"}
}

// originalsShareMost returns texts whose candidates are not the texts that they share most
// with, since the lists of these are full: their originals have to be compared as well,
// and that changes the originals of others.
func originalsShareMost(random *rand.Rand) (list []storyRecord) {
	first := func(text string, n int) string { return strings.Join(strings.Split(text, " ")[:n], " ") }
	add := func(text string) { list = append(list, record(len(list), text, at(len(list)))) }
	one, two, rare := madeUp(random, 300, 3000), madeUp(random, 300, 3000), madeUp(random, 60, 3000)
	for range 90 {
		add(changeWords(random, one, 2))
		add(changeWords(random, two, 2))
	}
	for range 5 {
		add(changeWords(random, first(one, 250)+" "+rare, 1))
		add(changeWords(random, first(two, 160)+" "+rare, 1))
	}
	for range 30 {
		add(changeWords(random, two+" "+first(one, 180)+" "+rare, 1))
	}
	return list
}

// Input that fills lists, that shares everything, and that has no order of its own gives
// the same, too.
func TestStepsAreStoriesBad(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(random *rand.Rand) []storyRecord{
		"none": func(*rand.Rand) []storyRecord { return nil },
		"one": func(random *rand.Rand) []storyRecord {
			return []storyRecord{record(1, madeUp(random, 200, 500), at(1))}
		},
		"one short": func(*rand.Rand) []storyRecord { return []storyRecord{record(1, "Too short.", "")} },
		"all undated": func(*rand.Rand) []storyRecord {
			list := wireRecords(400, 3)
			for i := range list {
				list[i].Date, list[i].FirstSeen = "", ""
			}
			return list
		},
		"all at one time": func(*rand.Rand) []storyRecord {
			list := wireRecords(400, 4)
			for i := range list {
				list[i].Date, list[i].FirstSeen = at(0), ""
			}
			return list
		},
		"before 1970": func(*rand.Rand) []storyRecord {
			list := wireRecords(300, 5)
			for i := range list {
				list[i].Date = strings.Replace(list[i].Date, "2026", "1869", 1)
			}
			return list
		},
		"equal texts": func(random *rand.Rand) (list []storyRecord) {
			texts := []string{madeUp(random, 150, 400), madeUp(random, 300, 400), "Short."}
			for i := range 400 {
				list = append(list, record(i/2, texts[random.IntN(3)], at(random.IntN(100))))
			}
			return list
		},
		"more than are listed": func(random *rand.Rand) (list []storyRecord) {
			text, n := madeUp(random, 60, 400), 10_100
			if testing.Short() {
				n = 100
			}
			for i := range n {
				list = append(list, record(i, text, at(i/50)))
			}
			return append(list, record(n, changeWords(random, text, 1), at(1)), record(n+1, changeWords(random, text, 1), at(n)))
		},
		"near copies": func(random *rand.Rand) (list []storyRecord) {
			text := madeUp(random, 300, 3000)
			for i := range 500 {
				list = append(list, record(i, changeWords(random, text, random.IntN(12)), at(random.IntN(300))))
			}
			return list
		},
		"drifting copies": func(random *rand.Rand) (list []storyRecord) {
			texts := []string{madeUp(random, 300, 3000), madeUp(random, 280, 3000), madeUp(random, 90, 3000)}
			for i := range 600 {
				k := random.IntN(3)
				texts[k] = changeWords(random, texts[k], 6)
				text := texts[k]
				if random.IntN(4) == 0 { // a round-up
					text += " " + texts[(k+1)%3]
				}
				list = append(list, record(i, text, at(i)))
			}
			return list
		},
		"originals that share most": originalsShareMost,
		"versions": func(random *rand.Rand) (list []storyRecord) {
			text := madeUp(random, 200, 3000)
			for i := range 300 {
				if text = changeWords(random, text, 5); i%20 == 0 {
					text = madeUp(random, 200, 3000)
				}
				r := record(i%3, text, at(i/2))
				if i%5 == 0 {
					r.Text = r.Text[:40]
				}
				list = append(list, r)
			}
			return list
		},
		"boilerplate": func(random *rand.Rand) (list []storyRecord) {
			notice := madeUp(random, 70, 3000)
			for i := range 400 {
				list = append(list, record(i, madeUp(random, 40+random.IntN(200), 3000)+" "+notice, at(random.IntN(3000))))
				if i%7 == 0 {
					list = append(list, record(1000+i, changeWords(random, list[len(list)-1].Text, 3), at(random.IntN(3000))))
				}
			}
			return list
		},
		"few words": func(random *rand.Rand) (list []storyRecord) {
			for i := range 400 {
				list = append(list, record(i, madeUp(random, 60, 40), at(random.IntN(60*24*30))))
			}
			return list
		},
		"odd ids": func(random *rand.Rand) (list []storyRecord) {
			ids := []string{"a", "a\x01", "a\x00", "a\x02", "ab", "ä", "\U0001f600", "\uffff", "a b", "", "<&>", "\u2028"}
			text := madeUp(random, 200, 3000)
			for i, id := range ids {
				for range 3 {
					r := record(i, changeWords(random, text, i%4), at(i%2))
					r.ID = id
					list = append(list, r)
				}
			}
			return list
		},
		"far apart": func(random *rand.Rand) (list []storyRecord) {
			for i := range 600 {
				subject := ""
				for range 40 { // words of its own
					subject += letterWord(100_000+i%30*100+random.IntN(25)) + " "
				}
				r := record(i, subject+madeUp(random, 30, 300), "")
				r.Date = badDay.Add(time.Duration(random.IntN(60*24)) * time.Hour).Format(time.RFC3339)
				list = append(list, r)
			}
			return list
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "versions" { // one with all steps is enough for the race detector
				testkit.SkipRace(t)
			}
			t.Parallel()
			s, lines := checkShuffle(t, make(rand.New(rand.NewPCG(uint64(len(name)), 1))))
			t.Logf("%d stories, %d copies, %d rounds, %d texts were compared with originals", strings.Count(string(lines), "\n"), strings.Count(string(lines), `"copy_of"`), s.rounds, s.unsure)
			if name == "near copies" && s.unsure == 0 {
				t.Error("no text was compared with the originals of its copies")
			}
			if name == "originals that share most" && s.rounds < 2 {
				t.Errorf("parents were found in %d rounds", s.rounds)
			}
		})
	}
}

// TestStepStoriesCount tests that a story says how many articles it has if only the first
// are in the input.
func TestStepStoriesCount(t *testing.T) {
	s := &shuffle{t: t}
	terms := s.step("terms", toLines(t, []object{{"node": 1, "id": "a", "time": 5, "hash": strings.Repeat("00", 16), "title": "Ferry returns", "text": "The ferry returns to the quay."}}))
	place := fromLines[placeLine](t, s.step("cluster", terms))[0]
	when, parent := int64(5), int64(1)
	members := []memberIn{
		{Story: place.Story, Number: 1, articleLine: articleLine{ID: "a", Time: &when}, Score: 1, Vector: place.Vector},
		{Story: place.Story, Number: 2, articleLine: articleLine{ID: "b", Time: &when}, Parent: &parent, ParentID: "a", CopyOf: "a"},
	}
	for _, want := range []int{2, 12_345} {
		for i := range members {
			members[i].Count = want
		}
		if line := fromLines[storyLine](t, s.step("stories", toLines(t, members)))[0]; line.Count != want || len(line.Articles) != 2 {
			t.Errorf("%d articles, %d listed, want %d and 2", line.Count, len(line.Articles), want)
		}
	}
}
