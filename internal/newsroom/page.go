package newsroom

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"text/template"
	"unicode/utf8"
)

// A Page is one page of a site with what should be found on it.
type Page struct {
	Path string // on the site, such as /news/story7.htm
	HTML []byte
	Gold Gold
}

//go:embed templates
var templateFiles embed.FS

type look struct {
	tmpl *template.Template
	css  string
}

// templates are text templates: contextual escaping would drop comments and
// tidy markup that is untidy on purpose, and the view escapes all it gives.
var templates = sync.OnceValue(func() map[string]look {
	shared := template.Must(template.ParseFS(templateFiles, "templates/shared/*.tmpl"))
	all := map[string]look{}
	for _, h := range siteList() {
		dir := "templates/" + h.Name
		t := template.Must(shared.Clone())
		template.Must(t.ParseFS(templateFiles, dir+"/*.tmpl"))
		css, err := fs.ReadFile(templateFiles, dir+"/style.css")
		if err != nil {
			panic("newsroom: " + err.Error())
		}
		all[h.Name] = look{t, string(css)}
	}
	return all
})

// Page returns article i of the site, for any i from 0 on. It panics if i is negative.
func (s *Site) Page(i int) Page { return s.page(i, "") }

// page writes article i with base before every address inside the site.
func (s *Site) page(i int, base string) Page {
	if i < 0 {
		panic(fmt.Sprintf("newsroom: page %d of %s: want 0 or more", i, s.Name))
	}
	st := s.story(i)
	v := newView(s, base)
	v.st, v.r = st, s.stream(streamFurniture, i)
	path := s.path(st)
	v.gold.ID = fmt.Sprintf("%s-%06d", s.Name, i)
	v.gold.URL = "https://" + s.Host + path
	v.gold.Type = "article"
	v.gold.Title = st.title
	page := Page{Path: path, HTML: v.run("article")}
	v.gold.Text = strings.Join(v.lines, "\n")
	v.gold.With = with(v.lines)
	v.gold.Without = v.gold.without(v.r, v.shown)
	page.Gold = v.gold
	return page
}

// Index returns a page of headlines: the home page for "", or that of a section
// (see [Site.Sections]). An unknown section gives the zero Page.
func (s *Site) Index(section string) Page { return s.index(section, "") }

func (s *Site) index(slug, base string) Page {
	v := newView(s, base)
	path, id, title := "/", s.Name+"-home", s.Title
	if slug != "" {
		path, id = "/"+slug+"/", s.Name+"-section-"+slug
		for _, x := range s.sections {
			if x.Slug == slug {
				v.front, title = x, x.Label
			}
		}
		if v.front.Slug == "" {
			return Page{}
		}
	}
	v.r = s.stream(streamFurniture, -1-int(hash(slug)>>1))
	v.gold.ID, v.gold.URL, v.gold.Type, v.gold.Title = id, "https://"+s.Host+path, "index", title
	page := Page{Path: path, HTML: v.run("index")}
	v.gold.Related = nil
	page.Gold = v.gold
	return page
}

// run executes a template; a template that fails is a bug of this package.
func (v *view) run(name string) []byte {
	var out bytes.Buffer
	if err := v.Site.tmpl.ExecuteTemplate(&out, name, v); err != nil {
		panic("newsroom: " + err.Error())
	}
	if v.Site.habits.ASCII {
		return ascii(out.Bytes())
	}
	return out.Bytes()
}

// ascii writes every other character as a number, so that the page reads the
// same whatever charset its meta element claims.
func ascii(src []byte) []byte {
	var out bytes.Buffer
	for _, c := range string(src) {
		if c < utf8.RuneSelf {
			out.WriteByte(byte(c))
		} else {
			fmt.Fprintf(&out, "&#%d;", c)
		}
	}
	return out.Bytes()
}
