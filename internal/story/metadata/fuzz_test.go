package metadata

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

func FuzzJSONLD(f *testing.F) {
	for _, s := range []string{
		`{"@type":"NewsArticle","headline":"a","author":[{"@id":"#x"}],"image":{"url":"/a"}}`,
		`{"@graph":[{"@id":"#x","name":"b"},{"@type":["Article"],"author":{"@id":"#x"}}]}`,
		`{"@type":"NewsArticle","isAccessibleForFree":"False","hasPart":[{"isAccessibleForFree":false}],"author":{"@type":"Organization","name":["a","b"]}}`,
		`<!-- [{"a":"b "c" d",}, /* x */ {b:1}] -->`, `{"a":"\ud83d\ude00\u12`, `[[[[{"@graph":[`, "{\"a\":\"b\"\n\"c\":\"d\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := &page{d: parse(t, "<p>x"), headline: dom.None}
		p.readJSONLD([]string{s, s})
	})
}

func FuzzDate(f *testing.F) {
	for _, s := range []string{"2024-05-03T15:47:42+02:00", "3. Mai 2024, 9.05 Uhr", "٣ مايو ٢٠٢٤", "2012年1月5日 10:30", "May 3rd, 2024 12:10 a.m. (CET)", "31/2/24", "1714751262000", "99999999",
		"۱۱ اسفند ۱۴۰۴", "۱۴۰۴/۱۲/۱۱", "ngày 3 tháng 5 năm 2024", "३ मई २०२४", "๓ พฤษภาคม พ.ศ. ๒๕๖๗"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, monthFirst bool) {
		c := dateParser{monthFirst: monthFirst, persian: monthFirst, thai: monthFirst}
		d, at := c.find(s)
		if at < -1 || at > len(s) || (at < 0) != d.IsZero() {
			t.Fatalf("%q: %v at %d", s, d, at)
		}
		m, ok := c.parse(s)
		for _, d := range []article.Date{d, m} {
			if y := d.Time.UTC().Year(); !d.IsZero() && (y < firstYear-1 || y > 2300) {
				t.Errorf("%q is in the year %d", s, y)
			}
		}
		if ok == m.IsZero() {
			t.Errorf("%q: %v, %v", s, m, ok)
		}
	})
}

func FuzzByline(f *testing.F) {
	for _, s := range []string{"By Ann Lee and Bob Ray, Staff writer", "Von: A | B", "Published May 3 by A. B. Cee", "作者：王小明", "（记者 王小明 通讯员 李红）", "【記者王小明台北5日電】", "文・浜田太郎", "김하늘·이바다 기자", "A, MD, Ph.D. (a@b.example)", "by by by", "&lt;b&gt; und"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, visible bool) {
		for _, name := range splitNames(s, visible) {
			if name == "" || name != collapseSpace(name) || strings.Contains(name, "://") {
				t.Errorf("%q names %q", s, name)
			}
		}
		for _, read := range eastAsianLanguages() {
			for _, name := range read.names(s) {
				if name == "" || !strings.Contains(s, name) {
					t.Errorf("%q names %q", s, name)
				}
			}
		}
		if name, ok := afterBy(s); !ok && name != "" || len(name) > len(s) {
			t.Errorf("%q is by %q, %v", s, name, ok)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(story(f), "https://www.quaycourier.example/2024/05/03/x")
	f.Add(`<title>a | b</title><h1>a</h1><p class=byline>By A B, C and D | 3/4/2012 10:00 -0500`, "http://a.co.uk/")
	f.Add(`<html lang=de><ol class=crumb><li><a href=a>b</a><li><h1>c d e</h1></ol><h2>c d e f</h2>Published by<a href=/author/x>X Y</a> and <a>Z</a>`, "http://a.example/")
	f.Add(`<h1><a href=/>a</a></h1><time datetime=2024-05-03T>x</time><b itemprop=author><i itemprop=name>`, "::")
	f.Fuzz(func(t *testing.T, page, url string) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
		if err != nil {
			return
		}
		now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		facts := Read(d, Options{URL: url, Title: dom.None, Body: dom.None, Now: now})
		if strings.ContainsAny(facts.Title, "\n\t") || facts.Title != strings.TrimSpace(facts.Title) {
			t.Errorf("title %q is not folded", facts.Title)
		}
		if !utf8.ValidString(facts.Title) {
			t.Errorf("title %q is not UTF-8", facts.Title)
		}
		if !facts.Published.IsZero() && (facts.Published.Time.Year() < firstYear || facts.Published.Time.After(now.AddDate(0, 0, 3))) {
			t.Errorf("published %v", facts.Published)
		}
		for _, a := range facts.Authors {
			if a.Name == "" || !utf8.ValidString(a.Name) || a.URL != "" && !strings.HasPrefix(a.URL, "http") {
				t.Errorf("author %+q", a)
			}
		}
		for _, im := range facts.Images {
			if !strings.HasPrefix(im.URL, "http") {
				t.Errorf("image %q", im.URL)
			}
		}
	})
}
