package site_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/correct"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// FuzzDecode decodes damaged data with a correct checksum: it must be refused or
// be usable.
func FuzzDecode(f *testing.F) {
	p := learned(f, daily, 3)
	f.Add(binaryOf(f, p)[:len(binaryOf(f, p))-4])
	o := binaryOf(f, observe(f, page(f, daily, storyOf(1)), ""))
	f.Add(o[:len(o)-4])
	j, _ := json.Marshal(p)
	f.Add(j)
	html := page(f, daily, storyOf(1))
	d := parse(f, html)
	known := observe(f, html, "")
	f.Fuzz(func(t *testing.T, b []byte) {
		var p, q site.Profile
		var o site.Observation
		if err := o.UnmarshalBinary(withChecksum(bytes.Clone(b))); err == nil {
			q.Add(&o)
			match(&q, d)
			if err := new(site.Observation).UnmarshalBinary(binaryOf(t, &o)); err != nil {
				t.Error("a decoded observation cannot be decoded again: ", err)
			}
		} else if !errors.Is(err, site.ErrCorrupt) && !errors.Is(err, site.ErrVersion) {
			t.Error(err)
		}
		if p.UnmarshalBinary(withChecksum(bytes.Clone(b))) != nil && json.Unmarshal(b, &p) != nil {
			return
		}
		use(t, &p, d, known)
	})
}

// use calls all methods of a profile.
func use(t *testing.T, p *site.Profile, d *dom.Document, o *site.Observation) {
	s := match(p, d)
	sel := &method.Selection{Title: dom.None, Keep: []dom.Node{d.Root()}}
	correct.Selection(d, sel, s).Text(d)
	p.Add(o)
	p.Merge(p)
	if err := p.Describe(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
	b := binaryOf(t, p)
	if err := new(site.Profile).UnmarshalBinary(b); err != nil {
		t.Error("a profile cannot be decoded again: ", err)
	}
	j, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(j, new(site.Profile)); err != nil {
		t.Error("a profile cannot be decoded again from JSON: ", err)
	}
	if len(b) > maxBytes {
		t.Errorf("the profile has %d bytes", len(b))
	}
}

// FuzzLearn learns from any page and matches it.
func FuzzLearn(f *testing.F) {
	f.Add(page(f, daily, storyOf(1)), page(f, video, storyOf(2)))
	f.Add([]byte("<p>x"), []byte("<table><td><h1>a</h1>"))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		p := site.New("fuzz.example")
		var last *dom.Document
		var seen *site.Observation
		for i := range 6 {
			html := one
			if i%2 == 1 {
				html = two
			}
			d, err := dom.Parse(context.Background(), html, dom.Options{Limits: dom.Limits{Nodes: 20000}})
			if err != nil {
				return
			}
			sel := &method.Selection{Title: d.First(dom.H1), Keep: []dom.Node{d.Root()}}
			seen = confident(d, sel)
			var back site.Observation
			if err := back.UnmarshalBinary(binaryOf(t, seen)); err != nil {
				t.Fatal("an observation cannot be decoded: ", err)
			}
			p.Add(&back)
			last = d
		}
		use(t, p, last, seen)
	})
}
