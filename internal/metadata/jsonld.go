package metadata

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

// JSON-LD (https://www.w3.org/TR/json-ld11/) with the vocabulary of
// schema.org. It is read as a tree with a few references, which is how news
// sites write it, not as the full linked data that it could be.

// graph is all JSON-LD of a page.
type graph struct {
	roots []jsonValue
	byID  map[string]*jsonValue // made when the first reference is followed
	nodes []*jsonValue          // what may be the page's own subject
}

// readJSONLD adds what the scripts claim.
func (p *page) readJSONLD(scripts []string) {
	g := &graph{}
	for _, s := range scripts {
		if !strings.Contains(s, `"`) && strings.Contains(s, "&quot;") {
			s = tidy(s)
		}
		g.roots = append(g.roots, parseJSON(s)...)
	}
	for i := range g.roots {
		g.collect(&g.roots[i], 0)
	}
	main := g.main(p)
	if main != nil {
		p.readStory(g, main, 0)
		p.markStory(main)
		p.marks.video = main.typeName() == "VideoObject"
	}
	for _, n := range g.nodes {
		for _, t := range n.get("@type").texts() {
			p.markType(schemaName(t))
		}
		switch kind := typeClass(n.typeName()); {
		case n == main:
		case kind == classPage:
			// A WebPage beside the story often knows the dates, but its name
			// is that of the search engines.
			p.readStory(g, n, 2)
			p.markStory(n)
		case kind == classSite:
			p.found.add(ofSite, candidate{text: n.get("name").text(), from: fromJSONLD, rank: 3})
		}
	}
}

// collect lists the objects that may be about the page itself; what a story
// mentions, contains or is followed by is not.
func (g *graph) collect(v *jsonValue, depth int) {
	if depth > 6 || len(g.nodes) >= 200 {
		return
	}
	switch v.kind {
	case jsonArray:
		for i := range v.items {
			g.collect(&v.items[i], depth+1)
		}
	case jsonObject:
		if v.get("@type") != nil {
			g.nodes = append(g.nodes, v)
		}
		for _, k := range [...]string{"@graph", "mainEntity", "mainEntityOfPage"} {
			if sub := v.get(k); sub != nil {
				g.collect(sub, depth+1)
			}
		}
	}
}

// main is the object that describes the story: of several the one whose
// headline is most like the page's title, else the first.
func (g *graph) main(p *page) *jsonValue {
	var best *jsonValue
	var bestScore float64
	title := words(p.htmlTitle)
	for _, n := range g.nodes {
		var score float64
		switch typeClass(n.typeName()) {
		case classStory:
			score = 2
		case classThing:
			score = 1
		default:
			continue
		}
		head := n.get("headline").text()
		if head == "" {
			head = n.get("name").text()
		}
		if head != "" {
			score += 0.1
		}
		score += overlap(title, words(tidy(head)))
		if score > bestScore {
			best, bestScore = n, score
		}
	}
	return best
}

// headlineRank is that of the headline in JSON-LD.
const headlineRank = 2

// readStory adds the claims of one object; later ones rank lower.
func (p *page) readStory(g *graph, n *jsonValue, rank uint8) {
	add := func(what fact, key string, rank uint8) {
		for _, s := range n.get(key).texts() {
			p.found.add(what, candidate{text: s, from: fromJSONLD, rank: rank})
		}
	}
	add(ofTitle, "headline", headlineRank+rank)
	if n.get("headline") == nil {
		add(ofTitle, "name", 4+rank)
	}
	add(ofPublished, "datePublished", 1+rank)
	add(ofPublished, "dateCreated", 5+rank)
	add(ofPublished, "uploadDate", 5+rank)
	add(ofModified, "dateModified", 1+rank)
	add(ofStandfirst, "description", 3+rank)
	add(ofSection, "articleSection", 2+rank)
	add(ofTag, "keywords", 2+rank)
	add(ofLang, "inLanguage", 4+rank)
	if name := n.typeName(); typeClass(name) == classStory {
		p.found.add(ofType, candidate{text: name, from: fromJSONLD, rank: 1})
	} else {
		p.found.add(ofType, candidate{text: name, from: fromJSONLD, rank: 3})
	}
	for _, key := range [...]string{"author", "creator", "authors"} {
		g.persons(n.get(key), func(who candidate) {
			who.from, who.rank = fromJSONLD, 1+rank
			p.found.add(ofAuthor, who)
		})
	}
	for _, key := range [...]string{"publisher", "sourceOrganization"} {
		g.persons(n.get(key), func(who candidate) {
			p.found.add(ofSite, candidate{text: who.text, from: fromJSONLD, rank: 2})
		})
	}
	for _, key := range [...]string{"image", "thumbnailUrl"} {
		g.pictures(n.get(key), func(c candidate) {
			c.from, c.rank = fromJSONLD, 3+rank
			p.found.add(ofPicture, c)
		})
	}
}

// persons lists those named by a value: a string, an object, a reference, or
// an array of these.
func (g *graph) persons(v *jsonValue, yield func(candidate)) {
	v = g.resolve(v)
	if v == nil {
		return
	}
	switch v.kind {
	case jsonString:
		yield(candidate{text: v.text()})
	case jsonArray:
		for i := range v.items {
			if v.items[i].kind != jsonArray {
				g.persons(&v.items[i], yield)
			}
		}
	case jsonObject:
		who := candidate{url: v.get("url").text(), group: strings.HasSuffix(v.typeName(), "Organization")}
		name := v.get("name")
		if name.text() == "" {
			who.text = strings.TrimSpace(v.get("givenName").text() + " " + v.get("familyName").text())
			yield(who)
			return
		}
		for _, who.text = range name.texts() {
			yield(who)
		}
	}
}

func (g *graph) pictures(v *jsonValue, yield func(candidate)) {
	v = g.resolve(v)
	if v == nil {
		return
	}
	switch v.kind {
	case jsonString:
		yield(candidate{text: v.text()})
	case jsonArray:
		for i := range v.items {
			if v.items[i].kind != jsonArray {
				g.pictures(&v.items[i], yield)
			}
		}
	case jsonObject:
		for _, key := range [...]string{"url", "contentUrl"} {
			if src := v.get(key).text(); src != "" {
				yield(candidate{text: src, shot: &shot{caption: v.get("caption").text(), credit: v.get("creditText").text(),
					width: v.get("width").number(), height: v.get("height").number()}})
				return
			}
		}
	}
}

// resolve follows a reference such as {"@id": "#jane"} one step.
func (g *graph) resolve(v *jsonValue) *jsonValue {
	if v == nil || v.kind != jsonObject || v.get("name") != nil || v.get("url") != nil {
		return v
	}
	id := v.get("@id").text()
	if id == "" {
		return v
	}
	if g.byID == nil {
		g.byID = map[string]*jsonValue{}
		for i := range g.roots {
			g.identify(&g.roots[i])
		}
	}
	if target := g.byID[id]; target != nil {
		return target
	}
	return v
}

// identify notes every object that has an @id and more than that.
func (g *graph) identify(v *jsonValue) {
	for i := range v.items {
		g.identify(&v.items[i])
	}
	if len(v.members) > 1 {
		if id := v.get("@id").text(); id != "" && g.byID[id] == nil {
			g.byID[id] = v
		}
	}
	for i := range v.members {
		g.identify(&v.members[i].value)
	}
}

// get is the value of a key, with or without the prefix of the vocabulary, or
// nil. It may be asked of nil.
func (v *jsonValue) get(key string) *jsonValue {
	if v == nil {
		return nil
	}
	for i := range v.members {
		k := v.members[i].key
		if k == key || len(k) > len(key) && schemaName(k) == key {
			return &v.members[i].value
		}
	}
	return nil
}

// text is the value as a string: that of a string, the first of an array, the
// @value or name of an object.
func (v *jsonValue) text() string {
	if v == nil || v.kind == jsonString || v.kind == jsonBare {
		return v.scalar()
	}
	if t := v.texts(); len(t) > 0 {
		return t[0]
	}
	return ""
}

// scalar is the text of a value that holds no others.
func (v *jsonValue) scalar() string {
	switch {
	case v == nil:
	case v.kind == jsonString:
		return strings.TrimSpace(unescape(v.raw))
	case v.kind == jsonBare:
		if t := strings.Trim(v.raw, `'`); t != "null" && t != "true" && t != "false" {
			return t
		}
	}
	return ""
}

// texts is the value as strings.
func (v *jsonValue) texts() []string {
	if v == nil {
		return nil
	}
	switch v.kind {
	case jsonString, jsonBare:
		if t := v.scalar(); t != "" {
			return []string{t}
		}
	case jsonArray:
		var out []string
		for i := range v.items {
			if it := &v.items[i]; it.kind != jsonArray && len(out) < most {
				out = append(out, it.texts()...)
			}
		}
		return out
	case jsonObject:
		for _, key := range [...]string{"@value", "name"} {
			if sub := v.get(key); sub != nil && sub.kind != jsonObject {
				return sub.texts()
			}
		}
	}
	return nil
}

// number reads 600, "600" and "600px".
func (v *jsonValue) number() int {
	if v != nil && v.kind == jsonObject {
		v = v.get("value")
	}
	return leadingNumber(v.text())
}

func leadingNumber(s string) int {
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && end < 6 && isDigit(s[end]) {
		end++
	}
	n, _ := strconv.Atoi(s[:end])
	return n
}

// typeName is the @type without the prefix of the vocabulary: of several the
// one that says most about a story.
func (v *jsonValue) typeName() string {
	best := ""
	for _, t := range v.get("@type").texts() {
		t = schemaName(t)
		if best == "" || typeClass(t) > typeClass(best) {
			best = t
		}
	}
	return best
}

// schemaName drops "schema:" and "https://schema.org/".
func schemaName(s string) string {
	if i := strings.LastIndexAny(s, ":/#"); i >= 0 {
		return s[i+1:]
	}
	return s
}

// class sorts the types of schema.org by what they say about a page.
type class uint8

const (
	classOther class = iota // people, breadcrumbs, searches …
	classSite
	classPage
	classThing // something that a page can be about, but no story
	classStory
)

func typeClass(name string) class {
	switch name {
	case "WebSite", "NewsMediaOrganization":
		return classSite
	case "WebPage", "ItemPage", "CollectionPage", "AboutPage", "FAQPage", "QAPage", "ProfilePage", "MedicalWebPage":
		return classPage
	case "VideoObject", "AudioObject", "Recipe", "Event", "Product", "Review", "Question", "PodcastEpisode",
		"Book", "Movie", "Course", "JobPosting", "Dataset", "SoftwareApplication", "HowTo", "MediaGallery",
		"ImageGallery", "CreativeWork", "ClaimReview", "Quiz", "Episode":
		return classThing
	case "Report", "TechArticle":
		return classStory
	}
	if strings.HasSuffix(name, "Article") || strings.HasSuffix(name, "Posting") {
		return classStory
	}
	return classOther
}

// marks is what the page says of its own kind.
type marks struct {
	free, locked         bool // what the page says of its price, for machines
	wall                 bool // an element that is called a paywall
	live, gallery, video bool
}

// paywalled believes what is said for machines before the names of elements:
// templates have a paywall on every page.
func (m marks) paywalled() bool { return m.locked || m.wall && !m.free }

// isVideo reports whether the page is about a film: by JSON-LD, or by a type
// of OpenGraph such as video.other (https://ogp.me/#type_video).
func (p *page) isVideo() bool {
	for _, c := range p.found[ofType] {
		if strings.HasPrefix(c.text, "video.") || c.text == "video" {
			return true
		}
	}
	return p.marks.video
}

// markStory notes what JSON-LD says of the story
// (https://schema.org/isAccessibleForFree); a part of it may cost by itself.
func (p *page) markStory(n *jsonValue) {
	switch free := n.get("isAccessibleForFree").truth(); free {
	case "true":
		p.marks.free = true
	case "false":
		p.marks.locked = true
	}
	parts := n.get("hasPart")
	if parts == nil {
		return
	}
	list := []jsonValue{*parts}
	if parts.kind == jsonArray {
		list = parts.items
	}
	for i := range list {
		if list[i].get("isAccessibleForFree").truth() == "false" {
			p.marks.locked = true
		}
	}
}

// markType notes a kind of page by the name of its type in schema.org.
func (p *page) markType(name string) {
	switch name {
	case "LiveBlogPosting":
		p.marks.live = true
	case "ImageGallery", "MediaGallery":
		p.marks.gallery = true
	}
}

// markTier reads <meta name="article:content_tier">.
func (p *page) markTier(value string) {
	switch strings.ToLower(value) {
	case "locked", "metered", "paid", "premium", "subscription":
		p.marks.locked = true
	case "free":
		p.marks.free = true
	}
}

// markElement notes an element whose name says that the reader must pay.
func (p *page) markElement(n dom.Node, name string) {
	if !p.marks.wall && strings.Contains(name, "ywall") {
		p.marks.wall = p.d.Chars(n) > 0
	}
}

// truth reads true, "True" and "https://schema.org/True", and the same for
// false; all else is empty.
func (v *jsonValue) truth() string {
	if v == nil || v.kind != jsonString && v.kind != jsonBare {
		return ""
	}
	switch s := strings.ToLower(schemaName(strings.Trim(v.raw, " '"))); s {
	case "true", "false":
		return s
	}
	return ""
}
