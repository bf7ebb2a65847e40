package newsroom

import (
	"html"
	"slices"
	"strconv"
	"time"
)

// A link is a link to another page. Its strings are escaped.
type link struct {
	URL, Title, Teaser, Date, Section string
	Pic                               *picture
	Author, Handle, Post              string // of a microblog
}

// An advert is an advertisement.
type advert struct {
	Text, URL string
	N         int
	Pic       *picture
}

// A comment is a reader's comment.
type comment struct {
	User, Text, Date string
	N, Likes         int
}

func (v *view) sectionLink(s section) link {
	if s.Slug == "" {
		return link{URL: v.Base + "/", Title: v.UI("home")}
	}
	return link{URL: v.Base + "/" + s.Slug + "/", Title: html.EscapeString(s.Label)}
}

// Nav returns the main navigation.
func (v *view) Nav() []link {
	links := []link{v.sectionLink(section{})}
	for _, s := range v.Site.sections {
		links = append(links, v.sectionLink(s))
	}
	return links
}

// Shares returns the social buttons. The networks are made up.
func (v *view) Shares() []link {
	var links []link
	for _, name := range []string{"Chirper", "Facepage", "Pinwall", "Mailit"} {
		links = append(links, link{Title: name, URL: "https://" + slug(name) + ".example/share?u=" + v.Canonical})
	}
	return links
}

// linkTo returns a link to a story with everything for a teaser.
func (v *view) linkTo(st *story) link {
	l := link{
		URL:     html.EscapeString(v.Base + v.Site.path(st)),
		Title:   html.EscapeString(st.title),
		Teaser:  html.EscapeString(st.standfirst),
		Date:    html.EscapeString(v.Site.grammar.formatDate(st.date, v.Site.config.Date)),
		Section: html.EscapeString(st.section.Label),
		Pic:     &picture{site: v.Site, base: v.Base, key: strconv.Itoa(st.i) + "-lead", W: 320, H: 180},
	}
	if v.Site.config.Post > 0 {
		l.Author, l.Handle = html.EscapeString(st.authors[0]), handle(st.authors[0])
		l.Post = markUp(v.Site.post(st))
	}
	return l
}

// Related returns n random other stories.
func (v *view) Related(n int) []link {
	var list []*story
	for _, k := range v.r.Perm(pagesPerSite) {
		if st := v.recent[k]; len(list) < n && (v.st == nil || st.i != v.st.i) {
			list = append(list, st)
		}
	}
	return v.list(list)
}

// MostRead returns a list that is the same on every page of the site.
func (v *view) MostRead(n int) []link {
	var list []*story
	for _, k := range v.Site.stream(streamStaff, staffSize).Perm(pagesPerSite)[:n] {
		list = append(list, v.recent[k])
	}
	return v.list(list)
}

// Latest returns the n newest stories.
func (v *view) Latest(n int) []link { return v.list(v.recent[:n]) }

func (v *view) list(stories []*story) []link {
	var links []link
	for _, st := range stories {
		v.noise(st.title)
		links = append(links, v.linkTo(st))
	}
	return links
}

// Advert returns the next advertisement.
func (v *view) Advert() advert {
	text := v.Site.grammar.generate(v.r, nil, "advert")
	v.noise(text)
	n := 1 + v.r.IntN(9999)
	return advert{
		Text: html.EscapeString(text), N: n,
		URL: "https://ads.clickery.example/c?id=" + strconv.Itoa(n),
		Pic: &picture{site: v.Site, base: v.Base, key: "ad" + strconv.Itoa(n%20), W: 300, H: 250},
	}
}

// Comments returns the readers' comments.
func (v *view) Comments() []comment {
	most := v.Site.config.Comments
	if most == 0 {
		return nil
	}
	g := v.Site.grammar
	rules := g.rules["comment"]
	var list []comment
	t := v.st.date
	for n, k := range v.r.Perm(len(rules))[:min(len(rules), 1+v.r.IntN(most))] {
		t = t.Add(time.Duration(10+v.r.IntN(300)) * time.Minute)
		text := g.fill(v.r, nil, rules[k])
		v.noise(text)
		v.gold.Comments = append(v.gold.Comments, text)
		list = append(list, comment{
			User: html.EscapeString(g.generate(v.r, nil, "username")),
			Text: html.EscapeString(text),
			Date: html.EscapeString(g.formatDate(t, v.Site.config.Date)),
			N:    n + 1, Likes: v.r.IntN(80),
		})
	}
	return list
}

// Stories returns n headlines of an index page, starting with number from.
func (v *view) Stories(from, n int) []link {
	list := slices.DeleteFunc(slices.Clone(v.recent), func(st *story) bool { return v.section.Slug != "" && st.section != v.section })
	list = list[min(from, len(list)):]
	var links []link
	for _, st := range list[:min(n, len(list))] {
		v.gold.Links = append(v.gold.Links, Link{URL: "https://" + v.Site.Host + v.Site.path(st), Title: st.title})
		links = append(links, v.linkTo(st))
	}
	return links
}

// Sponsors returns n advertisements that look like stories.
func (v *view) Sponsors(n int) []advert {
	var list []advert
	for range n {
		list = append(list, v.Advert())
	}
	return list
}

// Cloud returns every tag of the language with its font size in Section.
func (v *view) Cloud() []link {
	var tags []string
	for i := range v.Site.grammar.rules["tag"] {
		tags = append(tags, v.Site.grammar.name("tag", i, 1))
	}
	links := v.links("tag", tags)
	for i := range links {
		links[i].Section = strconv.Itoa(9 + i*5%9)
	}
	return links
}

// Editor returns the name of the editor of the page.
func (v *view) Editor() string {
	return html.EscapeString(v.Site.reporter(staffSize + v.st.i%3))
}
