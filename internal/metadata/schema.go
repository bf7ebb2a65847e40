package metadata

import (
	"strconv"
	"strings"
)

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
