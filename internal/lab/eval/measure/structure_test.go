package measure

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// goldStructureLine and foundStructureLine are the input of structure.py for a page.
type (
	goldStructureLine struct {
		ID       string           `json:"id"`
		Summary  []string         `json:"summary"`
		Sections []map[string]any `json:"sections"`
		Pictures []map[string]any `json:"pictures"`
		Authors  []string         `json:"authors"`
	}
	foundStructureLine struct {
		ID         string   `json:"id"`
		Blocks     []Block  `json:"blocks"`
		Lead       string   `json:"lead"`
		Standfirst string   `json:"standfirst"`
		Authors    []string `json:"authors"`
	}
)

// checkStructure compares the figures of this package with those of structure.py.
func checkStructure(t *testing.T, gold []corpus.Gold, found []*Output) {
	t.Helper()
	python, script := tool(t, "structure.py")
	var goldFile, foundFile bytes.Buffer
	pages := map[string][][]float64{}
	for i := range gold {
		g, o := &gold[i], found[i]
		line := goldStructureLine{ID: g.ID, Summary: g.Summary, Sections: []map[string]any{}, Authors: g.Authors}
		for _, s := range g.Sections {
			line.Sections = append(line.Sections, map[string]any{"headline": append([]string{}, s.Headline...), "paragraphs": append([]string{}, s.Paragraphs...)})
		}
		for _, p := range g.Pictures {
			line.Pictures = append(line.Pictures, map[string]any{"urls": p.URLs, "cover": p.Cover})
		}
		if err := json.NewEncoder(&goldFile).Encode(line); err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(&foundFile).Encode(foundStructureLine{g.ID, o.Structure.Blocks, o.Structure.Lead, o.Structure.Standfirst, o.Authors}); err != nil {
			t.Fatal(err)
		}
		for _, m := range All() {
			if v := m.Page(g, o); v != nil {
				pages[m.Name] = append(pages[m.Name], v)
			}
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gold.jsonl"), goldFile.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "found.jsonl"), foundFile.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, script, dir, filepath.Join(dir, "found.jsonl"), "--json")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Headings, Blocks, Pictures, Authors []float64
		Lead, Standfirst, Twice             float64
	}
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for name, figures := range map[string][]float64{
		"headings": want.Headings, "blocks": want.Blocks, "pictures": want.Pictures, "authors": want.Authors,
		"lead": {want.Lead}, "standfirst": {want.Standfirst}, "once": {1 - want.Twice},
	} {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		got := Figures(m[0], pages[name])
		if len(got) != len(figures) {
			t.Errorf("%s: got %v, structure.py has %v", name, got, figures)
			continue
		}
		for i, x := range got {
			if math.Abs(x-figures[i]) > 0.5e-4+1e-9 {
				t.Errorf("%s %s: got %v, structure.py has %v", name, m[0].Figures[i], x, figures[i])
			}
		}
	}
}

// TestStructureReferee compares the measures with structure.py on made-up pages.
func TestStructureReferee(t *testing.T) {
	t.Parallel()
	section := func(headline string, paragraphs ...string) corpus.Section {
		return corpus.Section{Headline: []string{headline}, Paragraphs: paragraphs}
	}
	gold := []corpus.Gold{
		{
			ID: "ferry", Summary: []string{"The ferry is late.", "Again."}, Authors: []string{"Ann Quay", "Bo Pier"},
			Sections: []corpus.Section{section("", "One.", "Two."), section("Fog", "Three.", "Three."), {Paragraphs: []string{"…"}}},
			Pictures: []corpus.Picture{{URLs: []string{"https://harbour.example/ferry-at-the-quay-640x480.jpg", "/x/77312.webp"}, Cover: true}, {URLs: []string{"https://harbour.example/fog.png"}}},
		},
		{ID: "tide", Sections: []corpus.Section{section("TIDE", "Straße", "渡轮 晚点")}, Authors: []string{"Cy"}, Summary: []string{"Low."}, Pictures: []corpus.Picture{{URLs: []string{"a.jpg"}}}},
		{ID: "empty", Sections: []corpus.Section{}},
		{ID: "gulls", Sections: []corpus.Section{section("Gulls", "Many.")}, Pictures: []corpus.Picture{{URLs: []string{"/gulls/1a2b3c4d5e.avif?w=1"}, Cover: true}}},
	}
	found := []*Output{
		{Authors: []string{"Ann Quay", "ann quay", "Pilot"}, Structure: &Structure{
			Lead: "https://cdn.example/w/ferry-at-the-quay-1200.webp?x=1", Standfirst: "The ferry is late. Again!",
			Blocks: []Block{
				{Kind: "heading", Text: "Fog"}, {Kind: "paragraph", Text: "one"}, {Kind: "paragraph", Text: "Two"}, {Kind: "paragraph", Text: "Three"}, {Kind: "paragraph", Text: "Three"}, {Kind: "paragraph", Text: "Three"},
				{Kind: "paragraph", Text: "Again."}, {Kind: "picture", URL: "https://harbour.example/fog.png"},
				{Kind: "picture", URL: "https://harbour.example/fog.png?small"}, {Kind: "picture", URL: "spinner.gif"},
			},
		}},
		{Structure: &Structure{Blocks: []Block{{Kind: "paragraph", Text: "LOW"}, {Kind: "heading", Text: "Tide"}, {Kind: "quote", Text: "STRASSE"}, {Kind: "paragraph", Text: "渡轮晚点。"}}}},
		{Structure: &Structure{Blocks: []Block{{Kind: "heading", Text: "Nothing"}}}},
		{Structure: &Structure{Lead: "https://x.example/gulls/1A2B3C4D5E/640x480/fp.jpg", Blocks: []Block{{Kind: "picture", URL: "b.jpg"}}}},
	}
	checkStructure(t, gold, found)
}

// TestStructureRefereeReal compares the measures with structure.py on the gold of
// real pages. The output is the gold with some of its parts removed, repeated and
// changed.
func TestStructureRefereeReal(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	var gold []corpus.Gold
	var found []*Output
	for _, g := range readCorpus(t, "fundus-publishers").Gold {
		if g.Sections == nil {
			continue
		}
		o := &Output{Authors: slices.Clone(g.Authors), Structure: new(Structure)}
		if draw.IntN(3) == 0 {
			o.Authors = append(o.Authors, "Ann Quay")
		}
		s := o.Structure
		add := func(kind, text string) {
			for range []int{0, 1, 1, 1, 1, 2}[draw.IntN(6)] {
				s.Blocks = append(s.Blocks, Block{Kind: kind, Text: damage(text, draw.IntN(14))})
			}
		}
		for _, sec := range g.Sections {
			for _, h := range sec.Headline {
				add([]string{"heading", "paragraph"}[draw.IntN(2)], h)
			}
			for _, p := range sec.Paragraphs {
				add([]string{"heading", "paragraph", "paragraph", "paragraph"}[draw.IntN(4)], p)
			}
		}
		for _, p := range g.Pictures {
			for range draw.IntN(3) {
				s.Blocks = append(s.Blocks, Block{Kind: "picture", URL: p.URLs[draw.IntN(len(p.URLs))] + []string{"", "?x=1", "/2"}[draw.IntN(3)]})
			}
			if p.Cover && draw.IntN(2) == 0 {
				s.Lead = p.URLs[0]
			}
		}
		if len(g.Summary) > 0 {
			s.Standfirst = damage(g.Summary[0], draw.IntN(14))
		}
		gold, found = append(gold, g), append(found, o)
	}
	checkStructure(t, gold, found)
}

// TestNoStructure leaves out extractors that return only text.
func TestNoStructure(t *testing.T) {
	t.Parallel()
	g := &corpus.Gold{Sections: []corpus.Section{{Paragraphs: []string{"Fog."}}}}
	if v := blocks.Page(g, &Output{Text: "Fog."}); v != nil {
		t.Errorf("only text: got %v, want nil", v)
	}
	if v := blocks.Page(g, &Output{Structure: new(Structure)}); !slices.Equal(v, []float64{0, 0, 1}) {
		t.Errorf("nothing found: got %v, want [0 0 1]", v)
	}
}
