package newsroom

import (
	"html"
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
		return link{URL: v.base + "/", Title: v.UI("home")}
	}
	return link{URL: v.base + "/" + s.Slug + "/", Title: html.EscapeString(s.Label)}
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
		links = append(links, link{Title: name, URL: "https://" + slug(name) + ".example/share?u=" + v.Canonical()})
	}
	return links
}

// linkTo returns a link to a story with everything for a teaser.
func (v *view) linkTo(st *story) link {
	l := link{
		URL:     html.EscapeString(v.base + v.Site.path(st)),
		Title:   html.EscapeString(st.title),
		Teaser:  html.EscapeString(st.standfirst),
		Date:    html.EscapeString(v.Site.grammar.formatDate(st.date, v.Site.config.Date)),
		Section: html.EscapeString(st.section.Label),
		Pic:     &picture{site: v.Site, base: v.base, key: strconv.Itoa(st.i) + "-lead", W: 320, H: 180},
	}
	if v.Site.config.Post > 0 {
		l.Author, l.Handle = html.EscapeString(st.authors[0]), handle(st.authors[0])
		l.Post = markUp(v.Site.post(st))
	}
	return l
}

// Related returns n random other stories.
func (v *view) Related(n int) []link {
	var links []link
	for _, k := range v.r.Perm(pagesPerSite) {
		if len(links) == n {
			break
		}
		st := v.recent[k]
		if v.st != nil && st.i == v.st.i {
			continue
		}
		v.noise(st.title)
		links = append(links, v.linkTo(st))
	}
	return links
}

// MostRead returns a list that is the same on every page of the site.
func (v *view) MostRead(n int) []link {
	return v.list(v.Site.stream(streamStaff, staffSize).Perm(pagesPerSite)[:n])
}

// Latest returns the n newest stories.
func (v *view) Latest(n int) []link {
	ks := make([]int, n)
	for k := range ks {
		ks[k] = k
	}
	return v.list(ks)
}

func (v *view) list(ks []int) []link {
	var links []link
	for _, k := range ks {
		st := v.recent[k]
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
		Pic: &picture{site: v.Site, base: v.base, key: "ad" + strconv.Itoa(n%20), W: 300, H: 250},
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
	var links []link
	for _, st := range v.recent {
		if v.section.Slug != "" && st.section != v.section {
			continue
		}
		if from--; from >= 0 {
			continue
		}
		if len(links) == n {
			break
		}
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
	g := v.Site.grammar
	var links []link
	for i := range g.rules["tag"] {
		t := g.name("tag", i, 1)
		links = append(links, link{
			Title: html.EscapeString(t), URL: v.base + "/tag/" + slugOrHash(t) + "/",
			Section: strconv.Itoa(9 + i*5%9),
		})
	}
	return links
}

// Editor returns the name of the editor of the page.
func (v *view) Editor() string {
	return html.EscapeString(v.Site.reporter(staffSize + v.st.i%3))
}
