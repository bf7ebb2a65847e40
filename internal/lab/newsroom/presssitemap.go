package newsroom

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"strings"
	"time"
)

const newsSitemapPath = "/sitemap-news.xml"

type newsURLSet struct {
	XMLName xml.Name  `xml:"urlset"`
	NS      string    `xml:"xmlns,attr"`
	News    string    `xml:"xmlns:news,attr"`
	URLs    []newsURL `xml:"url"`
}

type newsURL struct {
	Loc         string `xml:"loc"`
	Publication struct {
		Name     string `xml:"news:name"`
		Language string `xml:"news:language"`
	} `xml:"news:news>news:publication"`
	Date  string `xml:"news:news>news:publication_date"`
	Title string `xml:"news:news>news:title"`
}

type sitemapIndex struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []sitemapURL `xml:"sitemap"`
}

// sitemap serves the sitemaps of the site.
func (q *pressQuery) sitemap(path string) bool {
	s, t := q.site, &q.site.traits
	if t.sitemap == "" {
		return false
	}
	var render func() []byte
	mediaType := "application/xml; charset=utf-8"
	month, isMonth := strings.CutPrefix(path, "/sitemaps/month-")
	month = strings.TrimSuffix(strings.TrimSuffix(month, ".gz"), ".xml")
	switch {
	case path == newsSitemapPath && t.newsSitemap:
		render = func() []byte { return s.newsSitemap(q.root, q.at) }
	case path == t.sitemapPath && t.sitemap == "text":
		mediaType = "text/plain; charset=utf-8"
		render = func() []byte { return s.textSitemap(q.root, q.at) }
	case path == t.sitemapPath && t.sitemap == "one":
		render = func() []byte { return s.storySitemap(q.root, q.at, "", t.listsPages) }
	case path == t.sitemapPath:
		render = func() []byte { return s.indexSitemap(q.root, q.at) }
	case path == "/sitemaps/pages.xml" && t.listsPages && t.sitemap != "one":
		render = func() []byte { return s.storySitemap(q.root, q.at, "none", true) }
	case isMonth && (t.sitemap == "index" || t.sitemap == "gz"):
		if m, err := time.Parse("2006-01", month); err != nil || m.After(q.at) || m.Before(s.firstMonth()) {
			return false
		}
		render = func() []byte { return s.storySitemap(q.root, q.at, month, false) }
	default:
		return false
	}
	q.rec.Kind = SitemapPage
	if strings.HasSuffix(path, ".gz") {
		mediaType = "application/x-gzip"
		plain := render
		render = func() []byte { return zip(plain()) }
	}
	q.sendList(mediaType, render)
	return true
}

// firstMonth returns the first month of the archive.
func (s *PressSite) firstMonth() time.Time {
	t := s.press.opts.Start.Add(-s.press.opts.Archive)
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// storySitemap lists the stories of a month, of all if month is empty.
func (s *PressSite) storySitemap(root string, at time.Time, month string, pages bool) []byte {
	m := urlset{}
	if pages {
		m.URLs = append(m.URLs, sitemapURL{Loc: root + "/"})
		for _, path := range s.pagePaths() {
			m.URLs = append(m.URLs, sitemapURL{Loc: root + path})
		}
	}
	if month != "none" {
		for _, k := range s.newest(at, 0, 1<<30, func(k int) bool {
			e, _ := s.entry(k)
			return month == "" || e.time().Format("2006-01") == month
		}) {
			st := s.story(k)
			u := sitemapURL{Loc: root + s.path(st, st.section)}
			if s.traits.lastmod {
				u.LastMod = s.lastChange(k, at).Format(time.RFC3339)
			}
			m.URLs = append(m.URLs, u)
		}
	}
	return marshal(m)
}

// indexSitemap lists the other sitemaps.
func (s *PressSite) indexSitemap(root string, at time.Time) []byte {
	m := sitemapIndex{}
	add := func(path string, t time.Time) {
		u := sitemapURL{Loc: root + path}
		if s.traits.lastmod {
			u.LastMod = t.Format(time.RFC3339)
		}
		m.Maps = append(m.Maps, u)
	}
	ext := ".xml"
	if s.traits.sitemap == "gz" {
		ext += ".gz"
	}
	for t := s.firstMonth(); !t.After(at); t = t.AddDate(0, 1, 0) {
		last := s.lastEvent(at)
		if end := t.AddDate(0, 1, 3); end.Before(last) {
			last = end
		}
		add("/sitemaps/month-"+t.Format("2006-01")+ext, last)
	}
	if s.traits.listsPages {
		add("/sitemaps/pages.xml", s.press.opts.Start)
	}
	if s.traits.newsSitemap {
		add(newsSitemapPath, s.lastEvent(at))
	}
	return marshal(m)
}

// newsSitemap lists the stories of two days.
func (s *PressSite) newsSitemap(root string, at time.Time) []byte {
	m := newsURLSet{NS: "http://www.sitemaps.org/schemas/sitemap/0.9", News: "http://www.google.com/schemas/sitemap-news/0.9"}
	for _, k := range s.newest(at, 0, 100, nil) {
		st := s.story(k)
		if st.date.Before(at.Add(-48 * time.Hour)) {
			break
		}
		u := newsURL{Loc: root + s.path(st, st.section), Date: st.date.Format(time.RFC3339), Title: st.title}
		u.Publication.Name, u.Publication.Language = s.Title, s.Lang
		m.URLs = append(m.URLs, u)
	}
	return marshal(m)
}

// textSitemap lists the stories as lines of text.
func (s *PressSite) textSitemap(root string, at time.Time) []byte {
	var b strings.Builder
	for _, k := range s.newest(at, 0, 1<<30, nil) {
		st := s.story(k)
		b.WriteString(root + s.path(st, st.section) + "\n")
	}
	return []byte(b.String())
}

// zip compresses data.
func zip(data []byte) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		panic("newsroom: " + err.Error())
	}
	z.Write(data)
	z.Close()
	return out.Bytes()
}
