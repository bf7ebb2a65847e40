package newsroom

import (
	"encoding/json"
	"encoding/xml"
	"strconv"
	"strings"
	"time"
)

const commentFeedPath = "/comments/feed/"

// feed serves the feeds of the site.
func (q *pressQuery) feed(path string) bool {
	s, t := q.site, &q.site.traits
	switch {
	case t.feed == "":
		return false
	case path == commentFeedPath && t.commentFeed:
		q.rec.Kind = FeedPage
		q.sendList("application/rss+xml; charset=utf-8", func() []byte { return s.commentFeed(q.root, q.at) })
		return true
	case path == "/feed" && t.feedPath == "/feed/":
		http301(q, t.feedPath)
		return true
	case path != t.feedPath:
		return false
	}
	q.rec.Kind = FeedPage
	mediaType := map[string]string{"rss": "application/rss+xml", "rdf": "text/xml", "atom": "application/atom+xml", "json": "application/feed+json"}[t.feed]
	switch {
	case t.feedFault == "header":
		mediaType += "; charset=iso-8859-1"
	case t.feedFault != "charset":
		mediaType += "; charset=utf-8"
	}
	q.sendList(mediaType, func() []byte { return s.feedFile(q.root, q.at) })
	return true
}

// feedStories returns the stories of the feed as they are at a time.
func (s *PressSite) feedStories(at time.Time) []*story {
	var list []*story
	for _, k := range s.newest(at, 0, s.traits.feedLength, nil) {
		list = append(list, s.storyAt(k, at))
	}
	return list
}

// feedURL returns the address of a story in the feed.
func (s *PressSite) feedURL(root string, st *story) string {
	p := s.path(st, st.section)
	if s.traits.feedTracking {
		sep := "?"
		if strings.Contains(p, "?") {
			sep = "&"
		}
		p += sep + "utm_source=rss&utm_medium=feed"
	}
	return root + p
}

// feedFile returns the feed, with the fault of the site.
func (s *PressSite) feedFile(root string, at time.Time) []byte {
	var out []byte
	switch s.traits.feed {
	case "atom":
		out = s.atomFeed(root, at)
	case "rdf":
		out = s.rdfFeed(root, at)
	case "json":
		return s.jsonFeed(root, at)
	default:
		out = s.rssFeed(root, at)
	}
	switch s.traits.feedFault {
	case "charset":
		return []byte(strings.Replace(string(out), `encoding="UTF-8"`, `encoding="ISO-8859-1"`, 1))
	case "ampersand":
		// As a system that pastes strings together writes it.
		page := strings.ReplaceAll(string(out), "&amp;", "&")
		return []byte(strings.Replace(page, "</title>", " & more</title>", 1))
	}
	return out
}

func (s *PressSite) rssFeed(root string, at time.Time) []byte {
	f := rss{Version: "2.0", DC: "http://purl.org/dc/elements/1.1/"}
	f.Channel.Title, f.Channel.Link, f.Channel.Description, f.Channel.Language = s.Title, root+"/", s.Title, s.Lang
	for _, st := range s.feedStories(at) {
		guid := root + s.path(st, st.section)
		if s.choose("guid", 3) == 0 {
			guid = s.Name + "-" + strconv.Itoa(s.number(st.i))
		}
		f.Channel.Items = append(f.Channel.Items, rssItem{
			Title: st.title, Link: s.feedURL(root, st), GUID: guid, PubDate: st.date.Format(time.RFC1123Z),
			Creators: st.authors, Category: st.section.Label, Description: st.standfirst,
		})
	}
	return marshal(f)
}

func (s *PressSite) atomFeed(root string, at time.Time) []byte {
	f := atom{Title: s.Title, ID: root + "/", Updated: s.lastEvent(at).Format(time.RFC3339), Link: atomLink{root + "/"}}
	for _, st := range s.feedStories(at) {
		e := atomEntry{
			Title: st.title, ID: root + s.path(st, st.section), Link: atomLink{s.feedURL(root, st)},
			Published: st.date.Format(time.RFC3339), Updated: st.date.Format(time.RFC3339),
			Authors: st.authors, Summary: st.standfirst,
		}
		if !st.modified.IsZero() {
			e.Updated = st.modified.Format(time.RFC3339)
		}
		f.Entries = append(f.Entries, e)
	}
	return marshal(f)
}

type rdfFile struct {
	XMLName xml.Name `xml:"rdf:RDF"`
	RDF     string   `xml:"xmlns:rdf,attr"`
	NS      string   `xml:"xmlns,attr"`
	DC      string   `xml:"xmlns:dc,attr"`
	Channel struct {
		About       string `xml:"rdf:about,attr"`
		Title       string `xml:"title"`
		Link        string `xml:"link"`
		Description string `xml:"description"`
	} `xml:"channel"`
	Items []rdfItem `xml:"item"`
}

type rdfItem struct {
	About       string `xml:"rdf:about,attr"`
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	Description string `xml:"description"`
	Date        string `xml:"dc:date"`
}

func (s *PressSite) rdfFeed(root string, at time.Time) []byte {
	f := rdfFile{RDF: "http://www.w3.org/1999/02/22-rdf-syntax-ns#", NS: "http://purl.org/rss/1.0/", DC: "http://purl.org/dc/elements/1.1/"}
	f.Channel.About, f.Channel.Title, f.Channel.Link, f.Channel.Description = root+"/", s.Title, root+"/", s.Title
	for _, st := range s.feedStories(at) {
		url := s.feedURL(root, st)
		f.Items = append(f.Items, rdfItem{About: url, Title: st.title, Link: url, Description: st.standfirst, Date: st.date.Format(time.RFC3339)})
	}
	return marshal(f)
}

type jsonFeed struct {
	Version string     `json:"version"`
	Title   string     `json:"title"`
	Home    string     `json:"home_page_url"`
	Items   []jsonItem `json:"items"`
}

type jsonItem struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	Published string `json:"date_published"`
	Modified  string `json:"date_modified,omitempty"`
}

func (s *PressSite) jsonFeed(root string, at time.Time) []byte {
	f := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: s.Title, Home: root + "/"}
	for _, st := range s.feedStories(at) {
		x := jsonItem{ID: strconv.Itoa(s.number(st.i)), URL: s.feedURL(root, st), Title: st.title, Summary: st.standfirst, Published: st.date.Format(time.RFC3339)}
		if !st.modified.IsZero() {
			x.Modified = st.modified.Format(time.RFC3339)
		}
		f.Items = append(f.Items, x)
	}
	out, err := json.Marshal(f)
	if err != nil {
		panic("newsroom: " + err.Error())
	}
	return out
}

// commentFeed returns readers' comments, which are no stories.
func (s *PressSite) commentFeed(root string, at time.Time) []byte {
	f := rss{Version: "2.0", DC: "http://purl.org/dc/elements/1.1/"}
	g := s.site.grammar
	f.Channel.Title, f.Channel.Link, f.Channel.Language = s.Title+": "+g.ui["comments"], root+"/", s.Lang
	for _, st := range s.feedStories(at)[:10] {
		r := s.site.stream(streamBoilerplate, -st.i-1)
		user := g.generate(r, nil, "username")
		url := root + s.path(st, st.section) + "#comment-" + strconv.Itoa(s.number(st.i))
		f.Channel.Items = append(f.Channel.Items, rssItem{
			Title: user + ": " + st.title, Link: url, GUID: url,
			PubDate: st.date.Add(time.Hour).Format(time.RFC1123Z), Description: g.generate(r, nil, "comment"),
		})
	}
	return marshal(f)
}
