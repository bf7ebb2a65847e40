package lede

import (
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/metadata"
)

// formOf believes what the page calls itself as long as its text agrees: many
// a story of full length has a film or a series of pictures at its head.
func formOf(facts *metadata.Facts, a *Article) article.Form {
	const (
		underFilm     = 80  // words: the most that describe a film
		underPictures = 600 // and the captions of a long series
	)
	switch {
	case facts.LiveBlog:
		return article.FormLiveBlog
	case facts.Gallery && a.Words() < underPictures:
		return article.FormGallery
	case facts.Video && a.Words() < underFilm:
		return article.FormVideo
	}
	return ""
}

func pageKind(t article.PageType) string {
	if t == article.TypeIndex {
		return "a page of links to articles"
	}
	return "another kind of page"
}

// endsInWall reports whether the first words behind the story stand in an
// element that is named for keeping readers out.
func endsInWall(d *dom.Document, story []bool) bool {
	last := dom.None
	for n := dom.Node(len(story)) - 1; n >= 0; n-- {
		if story[n] && d.IsText(n) {
			last = n
			break
		}
	}
	for n := last + 1; last != dom.None && int(n) < d.Len(); n++ {
		if !d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		for p := d.Parent(n); p != dom.None && !d.Contains(p, last); p = d.Parent(p) {
			if isWall(d.AttrOr(p, "class")) || isWall(d.AttrOr(p, "id")) {
				return true
			}
		}
		return false
	}
	return false
}

// isWall finds names such as paywall, subscriber-wall and regWall.
func isWall(name string) bool {
	if !strings.ContainsAny(name, "wW") {
		return false // most names end here
	}
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	for _, kind := range []string{"pay", "reg", "register", "registration", "login", "subscribe", "subscriber", "subscription", "premium", "meter"} {
		if strings.Contains(letters, kind+"wall") {
			return true
		}
	}
	return false
}
