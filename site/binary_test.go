package site_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
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

// reads tells what a profile says of a page, to compare it with another's.
func reads(t testing.TB, p *site.Profile) string {
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
		t.Errorf("an observation takes %d bytes", len(b))
	}
	var back site.Observation
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(binaryOf(t, &back), b) {
		t.Error("the observation came back changed")
	}
}

func TestProfileRoundTrips(t *testing.T) {
	p := learned(t, daily, 12)
	learn(t, p, video, 20, 24)
	want := reads(t, p)
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
			t.Error("the profile came back changed")
		}
		if got := reads(t, back); got != want || back.Name() != p.Name() || back.Pages() != p.Pages() {
			t.Errorf("it says\n%s\nwant\n%s", got, want)
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
			t.Error("the profile came back changed")
		}
		if got := reads(t, back); got != want {
			t.Errorf("it says\n%s\nwant\n%s", got, want)
		}
		// People may correct what was learned.
		edited := strings.Replace(string(b), `div.text"`, `div.words"`, 1)
		if err := json.Unmarshal([]byte(edited), back); err != nil || edited == string(b) {
			t.Error("an edited profile: ", err)
		}
	})
}

// Whatever bit is turned over, or wherever it is cut off, it is noticed.
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
				t.Fatalf("bit %d turned over: %v", i, err)
			}
		}
		for n := 3; n < len(b); n += 1 + n/50 {
			if err := read(b[:n]); !errors.Is(err, site.ErrCorrupt) {
				t.Fatalf("cut off after %d bytes: %v", n, err)
			}
		}
		newer := sealed(append(append(bytes.Clone(b[:3]), 2), b[4:len(b)-4]...))
		if err := read(newer); !errors.Is(err, site.ErrVersion) {
			t.Errorf("a newer version: %v", err)
		}
	}
	if err := new(site.Profile).UnmarshalBinary(nil); !errors.Is(err, site.ErrCorrupt) {
		t.Errorf("nothing at all: %v", err)
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

// sealed adds the checksum, so that what is inside is looked at.
func sealed(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}
