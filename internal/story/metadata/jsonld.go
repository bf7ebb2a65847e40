package metadata

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

// graph is all JSON-LD (https://www.w3.org/TR/json-ld11/) of a page, with the
// vocabulary of schema.org. It is treated as a tree with a few references, as
// news sites write it, not as general linked data.
type graph struct {
	roots []jsonValue
	byID  map[string]*jsonValue // built for the first reference
	nodes []*jsonValue          // objects that may be about the page itself
}

// readJSONLD collects candidates from JSON-LD scripts.
func (p *page) readJSONLD(scripts []string) {
	g := &graph{}
	for _, s := range scripts {
		if !strings.Contains(s, `"`) && strings.Contains(s, "&quot;") {
			s = cleanText(s)
		}
		g.roots = append(g.roots, parseJSON(s)...)
	}
	for i := range g.roots {
		g.collect(&g.roots[i], 0)
	}
	main := g.main(p)
	if main != nil {
		p.readArticle(g, main, 0)
		p.readAccess(g, main)
		p.flags.video = main.typeName() == "VideoObject"
	}
	for _, n := range g.nodes {
		for _, t := range n.get("@type").texts(nil) {
			p.readType(schemaName(t))
		}
		switch kind := typeClass(n.typeName()); {
		case n == main:
		case kind == classPage:
			// A WebPage next to the article often has the dates, but its name
			// is written for search engines.
			p.readArticle(g, n, 2)
			p.readAccess(g, n)
		case kind == classSite:
			p.candidates.add(factSite, candidate{text: n.get("name").text(), source: sourceJSONLD, rank: 3})
		}
	}
}

// collect adds the objects that may be about the page itself to nodes. What an
// article mentions, contains or is followed by is not.
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

// main returns the object that describes the article, or nil. If there are
// several, it is the one whose headline is most similar to <title>.
func (g *graph) main(p *page) *jsonValue {
	var best *jsonValue
	var bestScore float64
	title := bag(p.htmlTitle)
	for _, n := range g.nodes {
		var score float64
		switch typeClass(n.typeName()) {
		case classArticle:
			score = 2
		case classThing:
			score = 1
		default:
			continue
		}
		head := cmp.Or(n.get("headline").text(), n.get("name").text())
		if head != "" {
			score += 0.1
		}
		score += dice(title, bag(cleanText(truncate(head, 1000))))
		if score > bestScore {
			best, bestScore = n, score
		}
	}
	return best
}

// readArticle collects candidates from an object. rank is added to their ranks.
func (p *page) readArticle(g *graph, n *jsonValue, rank uint8) {
	for i := range n.members {
		key := schemaName(n.members[i].key)
		if key == "name" && n.get("headline") != nil {
			continue // written for search engines
		}
		p.readMember(g, "ld="+key, &n.members[i].value, rank)
	}
	kind := candidate{text: n.typeName(), source: sourceJSONLD, rank: 3}
	if typeClass(kind.text) == classArticle {
		kind.rank = 1
	}
	p.candidates.add(factType, kind)
}

// readMember collects candidates from a member of an object, by its name in names.txt.
func (p *page) readMember(g *graph, name string, v *jsonValue, rank uint8) {
	rule, ok := metaRules()[name]
	if !ok {
		return
	}
	add := func(c candidate) {
		c.source, c.rank = rule.source, rule.rank+rank
		p.candidates.add(rule.what, c)
	}
	switch rule.what {
	case factAuthor:
		g.persons(v, add)
	case factSite:
		g.persons(v, func(who candidate) { add(candidate{text: who.text}) })
	case factImage:
		g.images(v, add)
	default:
		for _, s := range v.texts(nil) {
			add(candidate{text: s})
		}
	}
}

// readParsely collects candidates from the object in <meta name="parsely-page">.
func (p *page) readParsely(content string) {
	for _, v := range parseJSON(content) {
		for i := range v.members {
			p.readMember(&graph{}, "parsely="+v.members[i].key, &v.members[i].value, 0)
		}
	}
}

// persons calls yield for the persons and organizations in a value: a string, an
// object, a reference, or an array of these.
func (g *graph) persons(v *jsonValue, yield func(candidate)) {
	g.each(v, func(v *jsonValue) {
		if v.kind != jsonObject {
			yield(candidate{text: v.text()})
			return
		}
		who := candidate{url: v.get("url").text(), group: strings.HasSuffix(v.typeName(), "Organization")}
		name := v.get("name")
		if name.text() == "" {
			who.text = strings.TrimSpace(v.get("givenName").text() + " " + v.get("familyName").text())
			yield(who)
			return
		}
		for _, who.text = range name.texts(nil) {
			yield(who)
		}
	})
}

// images calls yield for the images in a value, which is like that of persons.
func (g *graph) images(v *jsonValue, yield func(candidate)) {
	g.each(v, func(v *jsonValue) {
		if v.kind != jsonObject {
			yield(candidate{text: v.text()})
			return
		}
		for _, key := range [...]string{"url", "contentUrl"} {
			if src := v.get(key).text(); src != "" {
				yield(candidate{text: src, image: &imageInfo{
					caption: v.get("caption").text(), credit: v.get("creditText").text(),
					width: v.get("width").number(), height: v.get("height").number(),
				}})
				return
			}
		}
	})
}

// each calls yield for v or the elements of the array v, with references
// resolved, if they are strings or objects.
func (g *graph) each(v *jsonValue, yield func(*jsonValue)) {
	v = g.resolve(v)
	switch {
	case v == nil:
	case v.kind == jsonString || v.kind == jsonObject:
		yield(v)
	case v.kind == jsonArray:
		for i := range v.items {
			if v.items[i].kind != jsonArray {
				g.each(&v.items[i], yield)
			}
		}
	}
}

// resolve returns the target of a reference such as {"@id": "#jane"}, or v
// itself.
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

// identify adds all objects with an @id and other members to byID.
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

// get returns the value of a key, with or without the prefix of the vocabulary,
// or nil. v may be nil.
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

// text returns the value as a string: a string itself, the first element of an
// array, or the @value or name of an object.
func (v *jsonValue) text() string {
	if v == nil {
		return ""
	}
	switch v.kind {
	case jsonString:
		return strings.TrimSpace(unescape(v.raw))
	case jsonUnquoted:
		if t := strings.Trim(v.raw, `'`); t != "null" && t != "true" && t != "false" {
			return t
		}
		return ""
	}
	if t := v.texts(nil); len(t) > 0 {
		return t[0]
	}
	return ""
}

// texts appends the value as strings.
func (v *jsonValue) texts(out []string) []string {
	if v == nil {
		return out
	}
	switch v.kind {
	case jsonString, jsonUnquoted:
		if t := v.text(); t != "" {
			out = append(out, t)
		}
	case jsonArray:
		from := len(out)
		for i := range v.items {
			if it := &v.items[i]; it.kind != jsonArray && len(out)-from < maxCandidates {
				out = it.texts(out)
			}
		}
	case jsonObject:
		for _, key := range [...]string{"@value", "name"} {
			if sub := v.get(key); sub != nil && sub.kind != jsonObject {
				return sub.texts(out)
			}
		}
	}
	return out
}

// number parses 600, "600" and "600px".
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

// typeName returns the @type without the prefix of the vocabulary. If there are
// several, it is the one of the highest class.
func (v *jsonValue) typeName() string {
	best := ""
	for _, t := range v.get("@type").texts(nil) {
		t = schemaName(t)
		if best == "" || typeClass(t) > typeClass(best) {
			best = t
		}
	}
	return best
}

// schemaName removes prefixes such as "schema:" and "https://schema.org/".
func schemaName(s string) string {
	if i := strings.LastIndexAny(s, ":/#"); i >= 0 {
		return s[i+1:]
	}
	return s
}

// class groups the types of schema.org by what they mean for a page.
type class uint8

const (
	classOther class = iota // people, breadcrumbs, searches and so on
	classSite
	classPage
	classThing // a possible subject of a page other than an article
	classArticle
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
		return classArticle
	}
	if strings.HasSuffix(name, "Article") || strings.HasSuffix(name, "Posting") {
		return classArticle
	}
	return classOther
}

// flags are what the page declares about its access and its form.
type flags struct {
	free, locked         bool // machine-readable statements about access
	wall                 bool // an element is named a paywall
	live, gallery, video bool
	forum                bool
}

// paywalled prefers machine-readable statements to the names of elements,
// because some templates contain a paywall on every page.
func (m flags) paywalled() bool { return m.locked || m.wall && !m.free }

// isVideo reports whether the main content is a video, by JSON-LD or by an
// OpenGraph type such as video.other (https://ogp.me/#type_video).
func (p *page) isVideo() bool {
	return p.flags.video || slices.ContainsFunc(p.candidates[factType], func(c candidate) bool {
		return c.text == "video" || strings.HasPrefix(c.text, "video.")
	})
}

// readAccess reads whether an article is free
// (https://schema.org/isAccessibleForFree). This may be stated for a part of it.
func (p *page) readAccess(g *graph, n *jsonValue) {
	const key = "isAccessibleForFree"
	p.flags.free = p.flags.free || n.get(key).boolean() == "true"
	p.flags.locked = p.flags.locked || n.get(key).boolean() == "false"
	g.each(n.get("hasPart"), func(part *jsonValue) {
		p.flags.locked = p.flags.locked || part.get(key).boolean() == "false"
	})
}

// readType reads the form of the page from the name of a schema.org type.
func (p *page) readType(name string) {
	switch name {
	case "LiveBlogPosting":
		p.flags.live = true
	case "ImageGallery", "MediaGallery":
		p.flags.gallery = true
	case "DiscussionForumPosting", "QAPage", "Question":
		p.flags.forum = true
	}
}

// readContentTier reads the value of <meta name="article:content_tier">.
func (p *page) readContentTier(value string) {
	switch strings.ToLower(value) {
	case "locked", "metered", "paid", "premium", "subscription":
		p.flags.locked = true
	case "free":
		p.flags.free = true
	}
}

// readPaywallElement reads the class or id of an element.
func (p *page) readPaywallElement(n dom.Node, name string) {
	if !p.flags.wall && strings.Contains(name, "ywall") {
		p.flags.wall = p.d.Chars(n) > 0
	}
}

// boolean returns "true" for true, "True" and "https://schema.org/True",
// "false" likewise, and "" for everything else.
func (v *jsonValue) boolean() string {
	if v == nil || v.kind != jsonString && v.kind != jsonUnquoted {
		return ""
	}
	switch s := strings.ToLower(schemaName(strings.Trim(v.raw, " '"))); s {
	case "true", "false":
		return s
	}
	return ""
}
