package follow

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/page/links"
)

// Some servers answer addresses that do not exist with status 200 and a page that may
// look like a story. Titles of error pages are known in many languages; others are
// found out: if a page does not have the headline that its link has, an address that
// does not exist is fetched once, to compare the page with.

// probeAgain is the time after which a site is asked again what it answers for
// addresses that do not exist.
const probeAgain = 30 * 24 * time.Hour

// missingPage is what a site shows for addresses that do not exist: hashes of the title
// and the text, or nil if it answers with an error as it should.
type missingPage struct {
	probed      time.Time
	title, text []byte
}

// isMissing reports whether a page is what the site shows for addresses that do not
// exist. The error is that of the state, or that of the context.
func (v *visit) isMissing(ctx context.Context, p *page, a *article.Article) (bool, error) {
	m := &v.site.missing
	if isDoubtful(p, a) && time.Since(m.probed) > probeAgain {
		found, err := v.probe(ctx, p.url)
		if err != nil {
			return false, err
		}
		*m = found
		if err := v.f.state.write(func(st *state) { st.saveSite(v.site) }); err != nil {
			return false, err
		}
	}
	return m.title != nil && bytes.Equal(m.title, hashOf(a.Title)) || m.text != nil && bytes.Equal(m.text, hashOf(a.Text())), nil
}

// noSuchPage is the name of a page that no site has.
const noSuchPage = "no-such-page-4f1c9a7e"

// probe fetches an address beside another one that does not exist.
func (v *visit) probe(ctx context.Context, address string) (m missingPage, err error) {
	m.probed = time.Now()
	u, err := url.Parse(address)
	if err != nil {
		return m, nil
	}
	u.Path, u.RawPath, u.RawQuery, u.Fragment = path.Join(path.Dir("/"+u.Path), noSuchPage+path.Ext(u.Path)), "", "", ""
	resp, err := v.f.polite.Do(ctx, fetch.Request{URL: u.String()})
	switch {
	case ctx.Err() != nil:
		return m, context.Cause(ctx)
	case waitOf(err) != nil:
		m.probed = time.Time{} // it is asked later
		return m, nil
	case err != nil || resp.Status != http.StatusOK:
		return m, nil
	}
	a, err := v.extract(ctx, &Page{Response: resp})
	if ctx.Err() != nil {
		return m, context.Cause(ctx)
	}
	if err == nil && a.Title != "" {
		m.title = hashOf(a.Title)
	}
	if err == nil && a.Text() != "" {
		m.text = hashOf(a.Text())
	}
	return m, nil
}

// isDoubtful reports whether a page does not have the headline that is expected: it has
// the name of the site instead, or no word of the text of its link, or of its address
// if that is all that is known.
func isDoubtful(p *page, a *article.Article) bool {
	text := p.linkText
	isLatin := func(r rune) bool { return unicode.In(r, unicode.Latin) }
	if slug := path.Base(pathOf(p.url)); text == "" && strings.Count(slug, "-") >= 3 && strings.ContainsFunc(a.Title, isLatin) {
		text = slug
	}
	return a.Title == "" || sameText(a.Title, a.Site) || text != "" && !shareWords(text, a.Title)
}

func sameText(a, b string) bool { return slices.Equal(wordsOf(a), wordsOf(b)) }

// shareWords reports whether two texts have a word in common. Short words do not count;
// where no spaces are written, two letters are a word.
func shareWords(a, b string) bool {
	a = " " + strings.Join(wordsOf(a), " ") + " "
	for _, w := range wordsOf(b) {
		letters := []rune(w)
		if len(letters) > 3 && strings.Contains(a, " "+w+" ") {
			return true
		}
		for i := range len(letters) - 1 {
			if links.IsSign(letters[i]) && strings.Contains(a, string(letters[i:i+2])) {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
