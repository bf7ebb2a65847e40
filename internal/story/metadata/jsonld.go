package metadata

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// object is a JSON object. Its values are those that encoding/json stores in an any.
type object = map[string]any

// graph is all JSON-LD (https://www.w3.org/TR/json-ld11/) of a page, with the
// vocabulary of schema.org. It is treated as a tree with a few references, as
// news sites write it, not as general linked data.
type graph struct {
	roots []any
	byID  map[string]object // built for the first reference
	nodes []object          // those that may be about the page itself
}

var extraComma = regexp.MustCompile(`(?:,\s*)+([}\]])`)

// parseJSON returns the objects and arrays of a script up to the first error. It tolerates line
// breaks inside strings, commas after the last item, and comments and CDATA around the data.
func parseJSON(s string) (out []any) {
	const maxBytes, maxValues = 1 << 20, 64
	s = strings.Map(func(r rune) rune { return max(r, ' ') }, truncate(s, maxBytes))
	if _, data, ok := strings.Cut(s, "[CDATA["); ok {
		s = data
	}
	for len(out) < maxValues {
		i := strings.IndexAny(s, "{[")
		if i < 0 {
			break
		}
		var v any
		d := json.NewDecoder(strings.NewReader(s[i:]))
		if d.Decode(&v) != nil {
			if fixed := extraComma.ReplaceAllString(s[i:], "$1"); len(fixed) < len(s)-i {
				s = fixed
				continue
			}
			break
		}
		out = append(out, v)
		s = s[i+int(d.InputOffset()):]
	}
	return out
}

// readJSONLD collects candidates from JSON-LD scripts.
func (p *page) readJSONLD(scripts []string) {
	g := &graph{}
	for _, s := range scripts {
		g.roots = append(g.roots, parseJSON(s)...)
	}
	g.collect(g.roots, 0)
	main := g.main(p)
	for i, n := range g.nodes {
		for _, t := range texts(n["@type"]) {
			p.readType(schemaName(t))
		}
		switch name := typeName(n); {
		case i == main:
			p.readArticle(g, n, 0)
			p.flags.video = name == "VideoObject"
		case typeClass(name) == classPage:
			// A WebPage next to the article often has the dates, but its name
			// is written for search engines.
			p.readArticle(g, n, 2)
		case typeClass(name) == classSite:
			p.candidates.add(factSite, candidate{text: text(n["name"]), source: sourceJSONLD, rank: 3})
		}
	}
}

// collect adds the objects that may be about the page itself to nodes. What an
// article mentions, contains or is followed by is not.
func (g *graph) collect(v any, depth int) {
	if depth > 6 || len(g.nodes) >= 200 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			g.collect(item, depth+1)
		}
	case object:
		if v["@type"] != nil {
			g.nodes = append(g.nodes, v)
		}
		for _, k := range [...]string{"@graph", "mainEntity", "mainEntityOfPage"} {
			g.collect(v[k], depth+1)
		}
	}
}

// main returns the index in nodes of the object that describes the article, or -1. If there are
// several, it is the one whose headline is most similar to <title>.
func (g *graph) main(p *page) int {
	best, bestScore := -1, 0.0
	title := bag(p.htmlTitle)
	for i, n := range g.nodes {
		var score float64
		switch typeClass(typeName(n)) {
		case classArticle:
			score = 2
		case classThing:
			score = 1
		default:
			continue
		}
		head := cmp.Or(text(n["headline"]), text(n["name"]))
		if head != "" {
			score += 0.1
		}
		score += dice(title, bag(cleanText(truncate(head, 1000))))
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// readArticle collects candidates from an object. rank is added to their ranks.
func (p *page) readArticle(g *graph, n object, rank uint8) {
	for _, key := range slices.Sorted(maps.Keys(n)) {
		if key == "name" && n["headline"] != nil {
			continue // written for search engines
		}
		p.readMember(g, "ld="+schemaName(key), n[key], rank)
	}
	kind := candidate{text: typeName(n), source: sourceJSONLD, rank: 3}
	if typeClass(kind.text) == classArticle {
		kind.rank = 1
	}
	p.candidates.add(factType, kind)
	// https://schema.org/isAccessibleForFree may be stated for a part of the article.
	access := boolean(n["isAccessibleForFree"])
	p.flags.free = p.flags.free || access == "true"
	p.flags.locked = p.flags.locked || access == "false"
	for _, part := range g.each(n["hasPart"]) {
		if part, ok := part.(object); ok && boolean(part["isAccessibleForFree"]) == "false" {
			p.flags.locked = true
		}
	}
}

// readMember collects candidates from a member of an object, by its name in names.txt.
func (p *page) readMember(g *graph, name string, v any, rank uint8) {
	rule, ok := metaRules()[name]
	if !ok {
		return
	}
	var list []candidate
	switch rule.what {
	case factAuthor, factSite:
		list = g.persons(v)
	case factImage:
		list = g.images(v)
	default:
		for _, s := range texts(v) {
			list = append(list, candidate{text: s})
		}
	}
	for _, c := range list {
		c.source, c.rank = rule.source, rule.rank+rank
		p.candidates.add(rule.what, c)
	}
}

// persons returns the persons and organizations in a value: a string, an
// object, a reference, or an array of these.
func (g *graph) persons(v any) (list []candidate) {
	for _, v := range g.each(v) {
		o, ok := v.(object)
		if !ok {
			list = append(list, candidate{text: text(v)})
			continue
		}
		who := candidate{url: text(o["url"]), group: strings.HasSuffix(typeName(o), "Organization")}
		for _, who.text = range texts(o["name"]) {
			list = append(list, who)
		}
		if text(o["name"]) == "" {
			who.text = strings.TrimSpace(text(o["givenName"]) + " " + text(o["familyName"]))
			list = append(list, who)
		}
	}
	return list
}

// images returns the images in a value, which is like that of persons.
func (g *graph) images(v any) (list []candidate) {
	for _, v := range g.each(v) {
		o, ok := v.(object)
		if !ok {
			list = append(list, candidate{text: text(v)})
			continue
		}
		list = append(list, candidate{text: cmp.Or(text(o["url"]), text(o["contentUrl"])), image: article.Image{
			Caption: text(o["caption"]), Credit: text(o["creditText"]), Width: number(o["width"]), Height: number(o["height"]),
		}})
	}
	return list
}

// each returns v or the elements of the array v, with references resolved, if they are strings
// or objects.
func (g *graph) each(v any) (out []any) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, v := range list {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case object:
			out = append(out, g.resolve(v))
		}
	}
	return out
}

// resolve returns the target of a reference such as {"@id": "#jane"}, or v
// itself.
func (g *graph) resolve(v object) object {
	id := text(v["@id"])
	if id == "" || v["name"] != nil || v["url"] != nil {
		return v
	}
	if g.byID == nil {
		g.byID = map[string]object{}
		g.identify(g.roots)
	}
	if target := g.byID[id]; target != nil {
		return target
	}
	return v
}

// identify adds all objects with an @id and other members to byID.
func (g *graph) identify(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			g.identify(item)
		}
	case object:
		if id := text(v["@id"]); id != "" && len(v) > 1 && g.byID[id] == nil {
			g.byID[id] = v
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			g.identify(v[key])
		}
	}
}

// text returns a value as a string: a string itself, the first element of an
// array, or the @value or name of an object.
func text(v any) string {
	if t := texts(v); len(t) > 0 {
		return t[0]
	}
	return ""
}

// texts returns a value as strings.
func texts(v any) (out []string) {
	switch v := v.(type) {
	case string:
		if t := strings.TrimSpace(v); t != "" {
			out = []string{t}
		}
	case float64:
		out = []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case []any:
		for _, item := range v[:min(len(v), maxCandidates)] {
			if _, nested := item.([]any); !nested {
				out = append(out, texts(item)...)
			}
		}
	case object:
		for _, key := range [...]string{"@value", "name"} {
			if _, nested := v[key].(object); v[key] != nil && !nested {
				return texts(v[key])
			}
		}
	}
	return out
}

// number parses 600, "600", "600px" and {"value": 600}.
func number(v any) int {
	if o, ok := v.(object); ok {
		v = o["value"]
	}
	return leadingNumber(text(v))
}

func leadingNumber(s string) int {
	digits := leading(strings.TrimSpace(s), func(r rune) bool { return r >= '0' && r <= '9' })
	n, _ := strconv.Atoi(truncate(digits, 6))
	return n
}

// boolean returns "true" for true, "True" and "https://schema.org/True",
// "false" likewise, and "" for everything else.
func boolean(v any) string {
	if b, ok := v.(bool); ok {
		return strconv.FormatBool(b)
	}
	s, _ := v.(string)
	switch s = strings.ToLower(schemaName(strings.TrimSpace(s))); s {
	case "true", "false":
		return s
	}
	return ""
}

// typeName returns the @type without the prefix of the vocabulary. If there are
// several, it is the one of the highest class.
func typeName(v object) string {
	best := ""
	for _, t := range texts(v["@type"]) {
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

// readType reads the form of the page from the name of a schema.org type.
func (p *page) readType(name string) {
	switch name {
	case "LiveBlogPosting":
		p.flags.live = true
	case "ImageGallery", "MediaGallery":
		p.flags.gallery = true
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
