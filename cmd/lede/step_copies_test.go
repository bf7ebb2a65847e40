package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/output/sink"
)

// Texts of real pages, in many languages and some of them in several versions, give the
// same.
func TestStepsAreStoriesCorpora(t *testing.T) {
	testkit.SkipRace(t)
	t.Parallel()
	files, _ := filepath.Glob(testkit.Shared("corpora", "*", "gold.jsonl"))
	if len(files) == 0 {
		t.Skip("there are no corpora")
	}
	every := 4
	if testing.Short() {
		every = 20
	}
	random := rand.New(rand.NewPCG(21, 21))
	var list []storyRecord
	for _, file := range files {
		n := 0
		for r, err := range sink.Read(t.Context(), file, nil) {
			if n++; err != nil || n%every != 0 {
				continue
			}
			a := storyRecord{ID: string(r.ID), URL: r.URL, Site: r.Site, Title: r.Title, Text: r.Text, Lang: r.Lang, Date: string(r.Date)}
			list = append(list, a)
			if words := strings.Split(a.Text, " "); n%3 == 0 && len(words) > 60 {
				a.URL += "?copy"
				a.Text = changeWords(random, strings.Join(words[:len(words)*3/4], " "), 3)
				if n%2 == 0 {
					a.ID += "-copy"
				}
				list = append(list, a)
			}
		}
	}
	s, lines := checkShuffle(t, list)
	copies := bytes.Count(lines, []byte(`"copy_of"`))
	t.Logf("%d articles, %d stories, %d copies, %d rounds, %d texts were compared with originals", len(list), bytes.Count(lines, []byte("\n")), copies, s.rounds, s.unsure)
	if copies < len(list)/10 {
		t.Errorf("%d copies of %d articles", copies, len(list))
	}
}

// Lines that a step cannot use are errors that name them.
func TestStepErrors(t *testing.T) {
	hash := strings.Repeat("ab", 16)
	s := &shuffle{t: t}
	terms := strings.TrimSpace(string(s.step("terms", []byte(`{"node":5,"id":"a","time":7,"hash":"`+hash+`","text":"The ferry returns."}`+"\n"))))
	place := fromLines[placeLine](t, s.step("cluster", []byte(terms)))[0]
	vector, err := json.Marshal(place.Vector)
	if err != nil {
		t.Fatal(err)
	}
	member := func(story, number, time, rest string) string {
		return `{"story":"` + story + `","number":` + number + `,"id":"a","time":` + time + rest + `,"vector":` + string(vector) + `}`
	}
	for _, c := range []struct{ step, in, want string }{
		{"candidates", `{"node":1,"candidates":[[1,2]]`, "line 1: not a line of JSON"},
		{"candidates", `{"node":"1"}`, "line 1: not a line of JSON"},
		{"copies", `{"node":1,"of":[]}`, "line 1: a text is missing"},
		{"copies", `{"node":1,"text":"x","of":[{"node":2}]}`, "line 1: a text is missing"},
		{"copies", `{"node":1,"text":"x","rest":3,"of":[{"node":2,"text":"y"}]}`, "rest is given"},
		{"copies", `{"node":1,"text":"x","of":[{"node":2,"text":"y","version":7}]}`, "version must be 0 or 1"},
		{"copies", `{"node":1,"text":"x","of":[` + strings.Repeat(`{"node":2,"text":"y"},`, 8) + `{"node":2,"text":"y"}]}`, "more texts than"},
		{"terms", `{"node":1}`, "line 1: a text is missing"},
		{"cluster", terms + "\n" + terms, "line 2: node 5 follows node 5"},
		{"cluster", strings.Replace(terms, `"time":7`, `"time":null`, 1), "time is missing"},
		{"cluster", strings.Replace(terms, `"time":7`, `"time":-7`, 1), "earlier than the one before"},
		{"cluster", terms + "\n" + strings.NewReplacer(`"node":5`, `"node":6`, `"time":7`, `"time":6`).Replace(terms), "line 2: the article is earlier"},
		{"cluster", strings.Replace(terms, hash, hash+hash, 1), "hash is not that of a text"},
		{"cluster", strings.Replace(terms, `"terms":"`, `"terms":"AAAA`, 1), "version 0"},
		{"cluster", strings.Replace(terms, `"terms":"`, `"terms":"?`, 1), "not a line of JSON"},
		{"cluster", terms[:len(terms)-9], "not a line of JSON"},
		{"stories", member("x", "1", "5", ""), "not the id of a story"},
		{"stories", member(place.Story, "1", "null", ""), "time is missing"},
		{"stories", `{"story":"` + place.Story + `","number":1,"time":5}`, "needs a vector"},
		{"stories", member(place.Story, "2", "5", "") + "\n" + member(place.Story, "1", "5", ""), "line 2: the lines are not sorted"},
		{"stories", member(place.Story, "2", "5", "") + "\n" + member("0000000000", "1", "5", ""), "line 2: the lines are not sorted"},
		{"stories", member(place.Story, "2", "5", `,"parent":1`), "only copies"},
		{"stories", strings.Replace(member(place.Story, "2", "5", ""), `"vector":"AQ`, `"vector":"Ag`, 1), "damaged"},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), []string{"step", c.step}, strings.NewReader(c.in+"\n"), &out, &errs)
		if code != 3 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("step %s < %.200s: exit status %d, %q, want 3 and %q", c.step, c.in, code, errs.String(), c.want)
		}
	}
}

// The candidates of a text are chosen by what they share, and versions come first.
func TestStepCandidates(t *testing.T) {
	s := &shuffle{t: t}
	in := `{"node":90,"shingles":640,"keys":41,"full":true,"versions":[7,3],"candidates":[[1,9,500,640],[2,10,500,640],[3,40,900,640],[4,4,90,300],[5,3,900,300],[6,20,0,640],[8,20,1,640],[9,20,1,640],[10,20,1,640],[11,20,1,640],[12,11,1,640]]}
{"node":91,"shingles":10,"keys":1,"versions":[3],"candidates":[[1,1,1,10]]}
{"node":92,"shingles":640,"keys":41,"versions":[],"candidates":[[1,9,500,640]]}
{"node":93,"shingles":640,"keys":41}
{"node":94,"shingles":640,"keys":41,"candidates":[[2,10,64,640]]}
`
	want := `{"node":90,"of":[[3,41,1],[7,41,1],[2,10,0],[4,4,0],[8,20,0],[9,20,0],[10,20,0],[11,20,0]],"rest":20,"full":true}
{"node":94,"of":[[2,10,0]],"rest":-1,"full":false}
`
	if got := string(s.step("candidates", []byte(in))); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The fast way to read a line reads what package encoding/json does, or nothing.
func TestTermsLine(t *testing.T) {
	line := `{"node":5,"id":"ä b","time":-7,"hash":"ab","terms":"AQID"}`
	lines := []string{
		line, strings.ReplaceAll(line, ":", ": "), strings.ReplaceAll(line, ",", ", "), `{}`, `{"node":5}`, `{"node" : 5 , "id" : "x" }`, `{"id":"","terms":""}`,
		`{"node":05}`, `{"node":-0}`, `{"node":+5}`, `{"node":5.0}`, `{"node":1e3}`, `{"node":99999999999999999999}`, `{"node":"5"}`, `{"id":5}`, `{"time":null}`, `{"id":null}`, `{"terms":null}`,
		`{"node":5,}`, `{"node":5,"node":6}`, `{"node":5}}`, `{"node":5} x`, `{"node":5`, `{"id":"x`, `{"id":"\u0041"}`, "{\"id\":\"\t\"}", "{\"id\":\"\xff\"}", `{"other":{"node":3},"node":4}`, `{"NODE":5}`,
		`{"terms":"?"}`, `{"terms":"AQI"}`, `{"terms":"AQ==AQ=="}`, `{"id":"a}b","hash":"a,b"}`, `[]`, `5`, `{"node":}`, `{"":5}`, `{node:5}`, `{"time":5 6}`,
	}
	for _, l := range lines {
		var fast, slow termsLine
		ok := fast.readLine([]byte(l))
		err := json.Unmarshal([]byte(l), &slow)
		if ok && (err != nil || !reflect.DeepEqual(fast, slow) && !(len(fast.Terms) == 0 && len(slow.Terms) == 0 && reflect.DeepEqual(fast.clusterKey, slow.clusterKey))) {
			t.Errorf("%s: %+v, want %+v (%v)", l, fast, slow, err)
		}
		if slices.Contains(lines[:3], l) && !ok {
			t.Errorf("%s is not read", l)
		}
	}
}

func TestFlag01(t *testing.T) {
	for text, want := range map[string]bool{"1": true, "true": true, "0": false, "false": false, "null": false} {
		got := flag01(!want)
		if err := json.Unmarshal([]byte(text), &got); text != "null" && (err != nil || bool(got) != want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestPlaceLine(t *testing.T) {
	for _, l := range []placeLine{{1, "x", .25, "shares <a> & \"b\"", []byte{1, 2}}, {0, "", 1, "", []byte{}}, {3, "y", 1e-9, "null}", []byte{0}}} {
		want, err := jsonLine(l)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := l.append([]byte("before")); err != nil || string(got) != "before"+string(want) {
			t.Errorf("%s, want %s (%v)", got, want, err)
		}
	}
}
