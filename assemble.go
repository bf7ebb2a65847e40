package lede

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/steps"
	"github.com/lede-news/lede/internal/story/cleaned"
	"github.com/lede-news/lede/internal/story/comments"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/lede-news/lede/internal/story/parts"
	"github.com/lede-news/lede/internal/words"
	"github.com/lede-news/lede/method"
)

// assemble builds the article from the selection and the page's metadata. It
// returns the cause of ctx if that is done before.
func (s *settings) assemble(ctx context.Context, page *method.Page, sel *method.Selection) (*Explanation, error) {
	doc := page.Doc
	steps := steps.New(ctx).Bound(max(doc.Size(), len(doc.AllText()))) // a parsed tree has no size
	if s.tables {
		sel = withTables(doc, sel, steps)
	}
	first, last := dom.None, dom.None // that were kept
	if len(sel.Keep) > 0 {
		first, last = sel.Keep[0], sel.Keep[len(sel.Keep)-1]
	}
	opts := metadata.Options{URL: s.url, Title: sel.Title, Body: first, End: last, Now: time.Now(), NoSources: s.noReasons, Steps: steps}
	if page.Site != nil {
		opts.TitleSuffix = page.Site.TitleSuffix
	}
	facts := metadata.Read(doc, opts)
	base := s.url
	if base == "" {
		base = facts.Canonical
	}
	// A variant, such as nce:paper, has what it selects and no more.
	variant := strings.Contains(s.chosenMethod().Name(), ":")
	title := facts.Title
	if variant {
		facts.Images, title = nil, ""
	}
	mask := bodyMask(doc, sel, facts.Headline, facts.StandfirstNode)
	if facts.StandfirstNode != dom.None && (variant || !keepsText(doc, mask)) { // there is no body below it
		facts.Standfirst, facts.StandfirstNode = "", dom.None
		delete(facts.Sources, "standfirst")
		mask = bodyMask(doc, sel, facts.Headline, dom.None)
	}
	blocks := compose.Options{
		URL: base, Pictures: s.pictures, Captions: s.captions, CaptionFallback: true, Title: facts.Headline,
		SelectedOnly: variant, Declared: facts.Images, Steps: steps,
	}
	a := &Article{
		URL: s.url, Canonical: facts.Canonical,
		Title: facts.Title, Standfirst: facts.Standfirst, Description: facts.Description, Authors: facts.Authors,
		Published: facts.Published, Modified: facts.Modified,
		Lang: facts.Lang, Site: facts.Site, Section: facts.Section, Tags: facts.Tags,
		Type: sel.Type, Confidence: sel.Confidence,
	}
	if doc.Truncated() {
		a.SetPartial(article.PartialNodes)
	}
	x := &Explanation{
		Article: a, Sources: facts.Sources, Candidates: facts.Candidates, places: facts.Places, doc: doc, sel: sel,
	}
	body := compose.DropTop(compose.Blocks(doc, mask, blocks), compose.Header{Title: a.Title, Standfirst: a.Standfirst, Authors: a.Authors})
	if variant && len(body.Article()) == 0 { // it selects the headline or the byline only
		body = compose.Blocks(doc, sel.Mask(doc), blocks)
	}
	x.body, a.Body = body, body.Article()
	if repeats(a.Body, a.Standfirst) {
		a.Standfirst = ""
		delete(facts.Sources, "standfirst")
	}
	if s.pictures {
		a.Lead, a.Body = compose.Lead(a.Body, facts.Images, a.Standfirst)
	}
	switch {
	case s.noReasons:
	case a.Lead == nil:
		delete(facts.Sources, "lead")
	case len(facts.Images) == 0 || a.Lead.URL != facts.Images[0].URL:
		facts.Sources["lead"] = "html" // the page shows it
	}
	if s.comments {
		a.Comments = comments.Find(doc, mask, steps)
	}
	if s.cleaned && len(sel.Keep) > 0 {
		a.Cleaned = cleaned.Page(doc, sel, cleaned.Options{URL: base, Title: title, NoPictures: !s.pictures, Steps: steps})
	}
	if a.Type == "" { // the method does not classify pages, but it found a story
		a.Type = article.TypeArticle
	}
	a.Paywalled = facts.Paywalled || endsAtPaywall(doc, mask)
	a.Form = formOf(&facts, a)
	if a.Form == article.FormVideo {
		a.Type = article.TypeOther
	}
	if a.Type == article.TypeArticle {
		a.NextPage = parts.Next(doc, parts.Story{URL: base, Body: first, End: last})
	}
	return x, steps.Look()
}

// bodyMask returns the selected nodes without the headline, which is not part of
// the body unless it is the beginning or the middle of a sentence, without the
// standfirst, and without the headings before these. shown and standfirst are what the
// metadata found, or dom.None.
func bodyMask(d *dom.Document, sel *method.Selection, shown, standfirst dom.Node) []bool {
	mask := sel.Mask(d)
	for _, n := range [...]dom.Node{sel.Title, shown} {
		if n != dom.None && endsLine(d, n) && (n == sel.Title || d.Tag(n).IsHeading()) {
			clear(mask[n:d.End(n)])
		}
	}
	if shown != dom.None && d.Tag(shown) == dom.H1 {
		dropSectionHeadings(d, mask, shown)
	}
	if standfirst != dom.None {
		clear(mask[standfirst:d.End(standfirst)])
		dropSectionHeadings(d, mask, standfirst)
	}
	return mask
}

// repeats reports whether the first paragraph of the body has the standfirst in it.
func repeats(body []Block, standfirst string) bool {
	i := slices.IndexFunc(body, func(b Block) bool { return b.Kind == article.Paragraph })
	return standfirst != "" && i >= 0 && strings.Contains(words.Fold(article.SpanText(body[i].Spans)), words.Fold(standfirst))
}

// keepsText reports whether the selected nodes have words.
func keepsText(d *dom.Document, mask []bool) bool {
	for n, kept := range mask {
		if kept && d.IsText(dom.Node(n)) && d.Words(dom.Node(n)) > 0 {
			return true
		}
	}
	return false
}

// dropSectionHeadings removes the headings before the headline: they name the
// section, unless text of the story follows them there.
func dropSectionHeadings(d *dom.Document, mask []bool, headline dom.Node) {
	for n := headline - 1; n > 0; n-- {
		if !mask[n] || !d.IsText(n) {
			continue
		}
		h := d.Closest(n, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6)
		if h == dom.None {
			return
		}
		clear(mask[h:d.End(h)])
	}
}

// endsLine reports whether no text follows that of n on its line.
func endsLine(d *dom.Document, n dom.Node) bool {
	text := d.AllText()
	from, to := d.Span(n)
	for from < to && (text[to-1] == ' ' || text[to-1] == '\n') {
		to--
	}
	return to == len(text) || text[to] == '\n'
}

// withTables adds the data tables inside the story to the selection.
func withTables(d *dom.Document, sel *method.Selection, steps *steps.Counter) *method.Selection {
	tables := compose.DataTables(d, sel.Mask(d), steps) // in page order, none inside another
	if len(tables) == 0 {
		return sel
	}
	more := *sel
	more.Keep = append(slices.Clone(sel.Keep), tables...)
	slices.Sort(more.Keep)
	inTable := func(n dom.Node) bool {
		i, found := slices.BinarySearch(tables, n)
		return found || i > 0 && d.Contains(tables[i-1], n)
	}
	more.Drop = slices.DeleteFunc(slices.Clone(sel.Drop), inTable)
	more.Reasons = slices.DeleteFunc(slices.Clone(sel.Reasons), func(r method.Reason) bool { return inTable(r.Node) })
	for _, t := range tables {
		more.Reasons = append(more.Reasons, method.Reason{Node: t, Kept: true, Why: "a table inside the story"})
	}
	slices.SortStableFunc(more.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	return &more
}

// formOf returns the form that the page declares, if its text is short enough
// for it: many full articles open with a video or a gallery.
func formOf(facts *metadata.Facts, a *Article) article.Form {
	const (
		maxVideoWords   = 80
		maxGalleryWords = 600 // the captions of a long series
	)
	switch {
	case facts.LiveBlog:
		return article.FormLiveBlog
	case facts.Gallery && a.WordCount() < maxGalleryWords:
		return article.FormGallery
	case facts.Video && a.WordCount() < maxVideoWords:
		return article.FormVideo
	}
	return ""
}

// endsAtPaywall reports whether the last words of the story, or the first after it, are in an
// element with a name such as paywall that has nothing else of the story.
func endsAtPaywall(d *dom.Document, story []bool) bool {
	isText := func(n dom.Node) bool { return d.IsText(n) && d.Words(n) > 0 }
	lastBefore := func(end dom.Node) dom.Node { // the last text of the story before a node
		for n := end - 1; n >= 0; n-- {
			if story[n] && isText(n) {
				return n
			}
		}
		return dom.None
	}
	last := lastBefore(dom.Node(len(story)))
	before := lastBefore(last)
	inWall := func(n, outside dom.Node) bool {
		for p := d.Parent(n); p != dom.None && (outside == dom.None || !d.Contains(p, outside)); p = d.Parent(p) {
			if isPaywallName(d.Attr(p, "class")) || isPaywallName(d.Attr(p, "id")) {
				return true
			}
		}
		return false
	}
	if before != dom.None && inWall(last, before) {
		return true
	}
	for n := last + 1; last != dom.None && int(n) < d.Len(); n++ {
		if isText(n) {
			return inWall(n, last)
		}
	}
	return false
}

// isPaywallName matches names such as paywall, subscriber-wall and regWall.
func isPaywallName(name string) bool {
	return strings.ContainsAny(name, "wW") && paywallName.MatchString(name) // most have no w
}

var paywallName = regexp.MustCompile(`(?i)(pay|reg|register|registration|login|subscri(be|ber|ption)|premium|meter)[^\pL]*wall`)

// detach replaces every text of an article that may be a slice of its page by a copy,
// so that a program that keeps articles does not keep their pages in memory. The text
// of the body and all addresses are copies already.
func detach(a *Article) {
	texts := []*string{&a.Title, &a.Standfirst, &a.Description, &a.Lang, &a.Site, &a.Section}
	image := func(im *article.Image) {
		if im != nil {
			texts = append(texts, &im.Alt, &im.Caption, &im.Credit)
		}
	}
	for i := range a.Authors {
		texts = append(texts, &a.Authors[i].Name)
	}
	for _, list := range [...][]string{a.Tags, a.Comments} {
		for i := range list {
			texts = append(texts, &list[i])
		}
	}
	image(a.Lead)
	for b := range a.Blocks() {
		texts = append(texts, &b.Lang)
		image(b.Image)
		if b.Video != nil {
			texts = append(texts, &b.Video.Title, &b.Video.Caption)
		}
		if b.Embed != nil {
			texts = append(texts, &b.Embed.Author, &b.Embed.Text)
		}
	}
	for _, t := range texts {
		*t = strings.Clone(*t)
	}
}
