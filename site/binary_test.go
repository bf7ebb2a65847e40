package site_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede/site"
)

func binaryOf(t testing.TB, v interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := v.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// matched returns what a profile finds on a page, to compare it with another one.
func matched(t testing.TB, p *site.Profile) string {
	t.Helper()
	d := parse(t, page(t, daily, storyOf(90)))
	s := match(p, d)
	if s == nil {
		return "nothing"
	}
	return marked(d, s.Static) + "--\n" + marked(d, s.Tail) + "--\n" + d.Text(s.Headline) + d.Text(s.Body) + s.TitleSuffix
}

func TestObservationRoundTrip(t *testing.T) {
	o := observe(t, page(t, daily, storyOf(1)), "https://marrow.example/1")
	b := binaryOf(t, o)
	if len(b) > 8<<10 {
		t.Errorf("the observation has %d bytes", len(b))
	}
	var back site.Observation
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(binaryOf(t, &back), b) {
		t.Error("the round trip changed the observation")
	}
}

func TestProfileRoundTrips(t *testing.T) {
	p := learned(t, daily, 12)
	learn(t, p, video, 20, 24)
	want := matched(t, p)
	if !strings.Contains(want, "Town and county") {
		t.Fatal("nothing is known")
	}
	t.Run("binary", func(t *testing.T) {
		b := binaryOf(t, p)
		back := site.New("")
		if err := back.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(binaryOf(t, back), b) {
			t.Error("the round trip changed the profile")
		}
		if got := matched(t, back); got != want || back.Name() != p.Name() || back.Pages() != p.Pages() {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("JSON", func(t *testing.T) {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		back := site.New("")
		if err := json.Unmarshal(b, back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || !bytes.Equal(again, b) {
			t.Error("the round trip changed the profile")
		}
		if got := matched(t, back); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		// People may correct what was learned.
		edited := strings.Replace(string(b), `div.text"`, `div.words"`, 1)
		if err := json.Unmarshal([]byte(edited), back); err != nil || edited == string(b) {
			t.Error("an edited profile: ", err)
		}
	})
}

// TestStoredProfileLearnsTheSame checks that a profile that is stored and read after
// every page is the one that was kept in memory, to the last bit.
func TestStoredProfileLearnsTheSame(t *testing.T) {
	kept, stored := site.New("marrow.example"), site.New("marrow.example")
	for i := range 60 {
		design := daily
		if i%3 == 1 {
			design = video
		}
		learn(t, kept, design, i, i+1)
		learn(t, stored, design, i, i+1)
		b := binaryOf(t, stored)
		stored = new(site.Profile)
		if err := stored.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(binaryOf(t, kept), b) {
			t.Fatalf("they differ after %d pages", i+1)
		}
	}
}

// TestDamage checks that flipped bits and truncation are detected.
func TestDamage(t *testing.T) {
	for _, b := range [][]byte{
		binaryOf(t, learned(t, daily, 4)),
		binaryOf(t, observe(t, page(t, daily, storyOf(1)), "")),
	} {
		read := func(b []byte) error {
			if string(b[:3]) == "LdP" {
				return new(site.Profile).UnmarshalBinary(b)
			}
			return new(site.Observation).UnmarshalBinary(b)
		}
		for i := 3 * 8; i < 8*len(b); i += 1 + i%7 {
			bad := bytes.Clone(b)
			bad[i/8] ^= 1 << (i % 8)
			if err := read(bad); !errors.Is(err, site.ErrCorrupt) {
				t.Fatalf("bit %d flipped: %v", i, err)
			}
		}
		for n := 3; n < len(b); n += 1 + n/50 {
			if err := read(b[:n]); !errors.Is(err, site.ErrCorrupt) {
				t.Fatalf("truncated after %d bytes: %v", n, err)
			}
		}
		newer := withChecksum(append(append(bytes.Clone(b[:3]), b[3]+1), b[4:len(b)-4]...))
		if err := read(newer); !errors.Is(err, site.ErrVersion) {
			t.Errorf("a newer version: %v", err)
		}
	}
	if err := new(site.Profile).UnmarshalBinary(nil); !errors.Is(err, site.ErrCorrupt) {
		t.Errorf("no bytes: %v", err)
	}
	for _, s := range []string{
		`{"version":1,"pages":-1}`, `{"version":1,"templates":[{"weight":-1}]}`, `[]`,
		`{"version":1,"templates":[{"rows":{"x":""}}]}`, `{"version":1,"templates":[{"rows":{"1":"zz"}}]}`,
		`{"version":1,"templates":[{"habits":{"mast":[]}}]}`, `{"version":1,"templates":[{"shapes":["00"]}]}`,
		`{"version":1,"seen":[""]}`, `{"version":1,"templates":[{"static":[{"key":""}]}]}`,
	} {
		if err := json.Unmarshal([]byte(s), new(site.Profile)); !errors.Is(err, site.ErrCorrupt) {
			t.Errorf("%s: %v", s, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"version":9}`), new(site.Profile)); !errors.Is(err, site.ErrVersion) {
		t.Errorf("a newer version: %v", err)
	}
}

// withChecksum appends the checksum, so that the contents are decoded.
func withChecksum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// TestOldVersions checks that what older versions of lede wrote can be read, used and
// learned from.
func TestOldVersions(t *testing.T) {
	read := func(name string) []byte {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	p, j := new(site.Profile), new(site.Profile)
	if err := p.UnmarshalBinary(read("profile-1.bin")); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(read("profile-1.json"), j); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*site.Profile{p, j} {
		got := matched(t, p)
		if *update {
			if err := os.WriteFile("testdata/profile-1.txt", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := string(read("profile-1.txt")); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	second := new(site.Profile) // its counts are rounded
	if err := second.UnmarshalBinary(read("profile-2.bin")); err != nil {
		t.Fatal(err)
	}
	now := learned(t, daily, 12)
	learn(t, now, video, 20, 24)
	if got, want := matched(t, second), matched(t, now); got != want {
		t.Errorf("version 2: got %s\nwant %s", got, want)
	}
	o := new(site.Observation)
	if err := o.UnmarshalBinary(read("observation-1.bin")); err != nil {
		t.Fatal(err)
	}
	if got := site.New("").Add(o); got != site.NewTemplate {
		t.Errorf("an old observation: %v", got)
	}
}
