package newsroom

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// An addressStyle is how the addresses of a site are made.
type addressStyle struct {
	pattern    string
	phrase     phrase
	hasSection bool
	param      string // name of the parameter with the number, if that is in the query
	native     bool   // slugs have the letters of the language, percent-encoded
}

// addressPatterns are the addresses of stories. {i} is a number, {id} an opaque
// id. Most papers in Latin letters have the headline in the address; a quarter of
// these patterns do not.
var addressPatterns = []string{
	"/{yyyy}/{mm}/{dd}/{slug}/",
	"/{yyyy}/{mm}/{dd}/{slug}",
	"/{section}/{yyyy}/{mm}/{dd}/{slug}-{i}",
	"/{section}/{yyyy}/{mm}/{dd}/{slug}/",
	"/{yyyy}/{mm}/{slug}/",
	"/{yyyy}/{mm}/{slug}-{i}.htm",
	"/{section}/{slug}",
	"/{section}/{slug}/",
	"/{section}/{slug}.html",
	"/{slug}/",
	"/news/{slug}.html",
	"/{section}/{slug}-{i}.html",
	"/{section}/{slug}-a{id}.html",
	"/story/{id}/{slug}",
	"/{section}/{slug}/article_{id}.html",
	"/news/{slug}-{i}",
	"/{i}/{slug}.html",
	"/article/{section}/{slug}/{id}",
	"/news/{i}.html",
	"/{section}/article{i}.ece",
	"/article/{i}",
	"/{section}/{i}",
	"/a/{id}",
	"/article?id={i}",
}

// addressPatternsEast are more common in Asia.
var addressPatternsEast = []string{
	"/{yyyy}/{mm}{dd}/c{i}.html",
	"/{section}/{yyyy}-{mm}-{dd}/doc-{id}.shtml",
	"/{section}/{yyyy}{mm}{dd}/content_{i}.shtml",
	"/n1/{yyyy}/{mm}{dd}/{i}.html",
	"/news/articleView.html?idxno={i}",
	"/article/{i}",
	"/news/{slug}/",
}

func (s *PressSite) drawStyle() addressStyle {
	patterns := addressPatterns
	if s.Lang == "zh" || s.Lang == "ja" || s.Lang == "ko" {
		patterns = addressPatternsEast
	}
	style := addressStyle{pattern: pick(s, "address", patterns), native: s.is("native slugs", 50)}
	var err error
	if style.phrase, err = parsePhrase(style.pattern); err != nil {
		panic("newsroom: address " + style.pattern + ": " + err.Error())
	}
	style.hasSection = strings.HasPrefix(style.pattern, "/{section}/")
	if _, query, ok := strings.Cut(style.pattern, "?"); ok {
		style.param, _, _ = strings.Cut(query, "=")
	}
	return style
}

// number returns the number of a story in addresses, as a content system that
// numbers all that it keeps would give it.
func (s *PressSite) number(k int) int { return 10000 + s.choose("first number", 900000) + k*3 }

// opaqueID returns the id of a story in addresses.
func (s *PressSite) opaqueID(k int) string {
	h := s.look.hash("id " + strconv.Itoa(k))
	if s.choose("id", 2) == 0 {
		return strconv.FormatUint(h, 16)[:8]
	}
	return strconv.FormatUint(h, 36)[:7]
}

// path returns the path and query of a story under a section.
func (s *PressSite) path(st *story, sec section) string {
	return s.traits.style.phrase.expand(st.date, func(slot string) string {
		switch slot {
		case "i":
			return strconv.Itoa(s.number(st.i))
		case "id":
			return s.opaqueID(st.i)
		case "slug":
			return s.slug(st)
		case "section":
			return sec.Slug
		}
		panic("newsroom: address of " + s.Name + ": unknown slot " + slot)
	})
}

// slug returns the headline as a part of an address.
func (s *PressSite) slug(st *story) string {
	title := st.title
	latin := slugOf(title, 14)
	if len(latin) >= 12 && (s.Lang == "en" || s.Lang == "de" || s.Lang == "fr" || !s.traits.style.native) {
		return latin
	}
	if s.traits.style.native {
		words := strings.Fields(strings.Map(func(c rune) rune {
			if strings.ContainsRune("\"'‘’“”„«»‹›:;,.?!()[]#%&/、。，：？！「」《》·–—-", c) {
				return ' '
			}
			return c
		}, title))
		return escapePath(strings.ToLower(strings.Join(words[:min(len(words), 14)], "-")))
	}
	return "n" + strconv.FormatUint(hash(title), 36)
}

// escapePath returns a path with other than ASCII letters percent-encoded.
func escapePath(p string) string {
	return strings.TrimPrefix((&url.URL{Path: "/" + p}).EscapedPath(), "/")
}

// An address is what an address of a site leads to.
type address struct {
	story int
	form  string // page, amp, print, old
	path  string // the canonical path
	moved bool   // redirects to the canonical address
}

// Lookup returns the story at an address in any of its forms: with tracking
// parameters, session ids or fragments, on the mobile host, AMP and print
// versions, under another section, and addresses of an earlier system. It knows
// the stories up to the latest time that the site was asked about.
func (s *PressSite) Lookup(address string) (story int, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return 0, false
	}
	if u.Host != "" {
		sub, name := splitHost(u.Host)
		if name != s.Name || sub != "" && sub != "www" && sub != "m" {
			return 0, false
		}
	}
	a, ok := s.find(u)
	return a.story, ok
}

// find returns what an address of the site leads to.
func (s *PressSite) find(u *url.URL) (address, bool) {
	a := address{form: "page"}
	p, q := "/"+escapePath(strings.TrimPrefix(u.Path, "/")), u.Query()
	t := &s.traits
	if len(p) > 2000 {
		return a, false
	}
	if n, ok := strings.CutPrefix(p, "/node/"); ok && t.oldAddresses {
		k, err := strconv.Atoi(strings.TrimSuffix(n, "/"))
		if _, exists := s.entry(k - 500); err != nil || !exists {
			return a, false
		}
		st := s.story(k - 500)
		return address{story: k - 500, form: "old", path: s.path(st, st.section), moved: true}, true
	}
	if rest, ok := strings.CutPrefix(p, "/amp/"); ok && t.amp {
		a.form, p = "amp", "/"+rest
	} else if t.amp && q.Has("amp") {
		a.form = "amp"
	}
	if rest, ok := strings.CutPrefix(p, "/print/"); ok && t.print {
		a.form, p = "print", "/"+rest
	} else if t.print && q.Has("print") {
		a.form = "print"
	}
	if t.style.param != "" {
		p += "?" + t.style.param + "=" + q.Get(t.style.param)
	}
	if k, ok := s.byPath(p); ok {
		a.story, a.path = k, p
		return a, true
	}
	// A slash too many or missing is a redirect.
	other := strings.TrimSuffix(p, "/")
	if other == p {
		other += "/"
	}
	if k, ok := s.byPath(other); ok {
		a.story, a.path, a.moved = k, other, true
		return a, true
	}
	if t.second {
		return s.findSecond(a, p)
	}
	return a, false
}

// findSecond looks for a story under its second section.
func (s *PressSite) findSecond(a address, p string) (address, bool) {
	dir, rest, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
	for _, sec := range s.site.sections {
		if sec.Slug == dir {
			continue
		}
		canonical := "/" + sec.Slug + "/" + rest
		k, ok := s.byPath(canonical)
		if !ok {
			continue
		}
		if second, ok := s.secondSection(k); ok && second.Slug == dir {
			a.story, a.path = k, canonical
			return a, true
		}
	}
	return a, false
}

func (s *PressSite) byPath(p string) (int, bool) {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	k, ok := s.table.paths[hash(p)]
	return int(k), ok
}

// form returns the address of another form of a story.
func (s *PressSite) form(st *story, form string) string {
	p := s.path(st, st.section)
	sep := "?"
	if strings.Contains(p, "?") {
		sep = "&"
	}
	switch form {
	case "old":
		return "/node/" + strconv.Itoa(st.i+500)
	case "amp", "print":
		if s.choose(form+" form", 2) == 0 && sep == "?" {
			return "/" + form + p
		}
		return p + sep + form + "=1"
	}
	return p
}

// lastChange returns when a story was last changed by a time, or published.
func (s *PressSite) lastChange(k int, at time.Time) time.Time {
	e, _ := s.entry(k)
	last := e.time()
	for _, t := range s.changes(k) {
		if !t.After(at) {
			last = t
		}
	}
	return last
}
