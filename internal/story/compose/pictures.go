package compose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/words"
)

// story is the part of the page with the story.
type story struct {
	start    dom.Node        // where the story with its header begins
	last     dom.Node        // the last selected text, or dom.None
	declared map[string]bool // keys of the pictures in the metadata
}

// findStory finds where the story begins and ends.
func (c *composer) findStory() story {
	s := story{last: c.lastText, declared: make(map[string]bool)}
	for _, im := range c.opts.Declared {
		s.declared[pictureKey(im.URL)] = true
	}
	if c.lastText != dom.None {
		s.start = c.storyStart(c.firstText)
	}
	return s
}

// storyStart returns the start of the element that has both the headline and the
// first text of the story. Its lead picture may stand before the headline.
func (c *composer) storyStart(first dom.Node) dom.Node {
	d, title := c.doc, c.opts.Title
	if title <= 0 || title > first {
		title = first
	}
	if a := d.Closest(first, dom.Article, dom.Main); a != dom.None && d.Contains(a, title) {
		return a
	}
	a := d.CommonAncestor(title, first)
	for _, tag := range []dom.Tag{dom.Article, dom.Main} {
		if p := d.Closest(a, tag); p != dom.None {
			return p
		}
	}
	if tag := d.Tag(a); tag == dom.Body || tag == dom.HTML || tag == dom.Text {
		return title
	}
	return a
}

// choosePictures decides which pictures are the story's. A picture is given once,
// in the largest version that the page has, with the caption of any of them.
func (c *composer) choosePictures(s story) {
	first, described := make(map[string]*medium), make(map[dom.Node]bool)
	for i := range c.media {
		m := &c.media[i]
		if m.image == nil {
			m.own = true
			if m.video != nil {
				m.describe(c.doc)
			}
			continue
		}
		key := pictureKey(m.image.URL)
		if !c.isOwn(m, s, s.declared[key]) {
			continue
		}
		if len(m.box.elements) > 0 && !described[m.box.elements[0]] { // the first of a figure has the caption
			described[m.box.elements[0]] = true
			m.describe(c.doc)
		}
		other := first[key]
		if other == nil {
			m.own, first[key] = true, m
			continue
		}
		if isLarger(m.image, other.image) { // the first is shown until this one is loaded
			other.image.URL, other.image.Width, other.image.Height = m.image.URL, m.image.Width, m.image.Height
			other.nodes[0] = m.node
		}
		describe(other.image, m.image)
	}
}

// minPicture is the least width in pixels of a picture that is shown for its own
// sake.
const minPicture = 300

// signs is a sum of the weights of signs for and against something.
type signs int

func (s *signs) add(weight signs, is bool) {
	if is {
		*s += weight
	}
}

// isOwn adds up the signs for and against a picture of the story. Others are icons,
// portraits of authors, advertisements and teasers.
func (c *composer) isOwn(m *medium, s story, declared bool) bool {
	const threshold = 2
	d, n, im := c.doc, m.node, m.image
	var score signs
	selected, figure := c.mask[n], d.Closest(n, dom.Figure) != dom.None
	score.add(2, selected)
	score.add(2, figure && (selected || len(m.box.elements) > 0 || d.Words(d.Closest(n, dom.Figure)) == 0))
	score.add(6, declared)
	score.add(1, m.box.text != "" || m.box.credit != "")
	score.add(1, m.box.named)
	score.add(1, im.Width >= minPicture)
	score.add(1, im.Width >= 2*minPicture)
	score.add(-9, s.last != dom.None && n > s.last && d.WordsBetween(s.last+1, n) > 0)
	score.add(-9, im.Width < minPicture && !m.box.named && isSymbol(im.URL))
	score.add(-4, !selected && !figure && d.Closest(n, dom.Aside, dom.Nav, dom.Footer, dom.Form) != dom.None)
	score.add(-2, !selected && im.Height > 0 && im.Width >= 4*im.Height)
	score.add(-9, d.Closest(n, dom.Pre) != dom.None)
	score.add(-7, score >= threshold && c.isInForeignBox(n))
	score.add(-7, score >= threshold && c.leadsElsewhere(m))
	score.add(-4, score >= threshold && !selected && !m.box.named && c.isTeaser(n))
	return score >= threshold
}

// isSubstantial reports whether the page says something about a picture, or it is
// large.
func isSubstantial(im *article.Image) bool {
	const minAltWords = 3
	return im.Caption != "" || im.Credit != "" || im.Width >= minPicture || strings.Count(im.Alt, " ")+1 >= minAltWords
}

// Words in the names of boxes whose pictures are not the story's: those of teasers only if most
// of the box is a link.
const (
	foreignList = "ad ads adv advert advertisement advertising advertorial anzeige anzeigen werbung publicidad publicite pubblicita reklama " +
		"sponsor sponsored author authors autor autoren auteur byline avatar gravatar bio contributor contributors logo logos emoji smiley badge " +
		"spinner loader newsletter newsletters subscribe subscription signup paywall related recommended recommendation recommendations taboola outbrain " +
		"promo promotion social sharing comment comments nav navbar navigation menu breadcrumb breadcrumbs footer cookie consent appstore"
	teaserList = "teaser teasers card recirc more readmore"
	videoList  = "video videos player videoplayer jwplayer"
)

var (
	foreignWords = words.NewSet(foreignList)
	teaserWords  = words.NewSet(teaserList)
	videoWords   = words.NewSet(videoList)
	boxWords     = words.NewSet(foreignList + " " + teaserList + " " + videoList)
	// authorWords are words in the addresses of pages about authors.
	authorWords = words.NewSet("author authors autor autoren autore autori auteur auteurs auteure autores autorzy redakteur redaktion " +
		"profile people staff contributor contributors journalist")
	// symbolFolders are the folders of drawings: pictures of a story are photographs.
	symbolFolders = words.NewSet("icon icons logo logos avatar avatars blavatar emoji emojis badges newsletters sprites")
)

// isSymbol reports whether an address is that of a drawing or of a file in a
// folder of icons.
func isSymbol(addr string) bool {
	path := urlPath(addr)
	return strings.HasSuffix(path, ".svg") || slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return symbolFolders[s] })
}

// isNamed reports whether the class or id of n has a word of the set.
func isNamed(d *dom.Document, n dom.Node, set words.Set) bool {
	return set.IsInName(d.Attr(n, "class")) || set.IsInName(d.Attr(n, "id"))
}

// maxLinkDensity is the share of links in the text beside a picture of the story.
const maxLinkDensity = 0.3

// isInForeignBox reports whether a picture is in a small box that is not part of
// the story by its name or tag.
func (c *composer) isInForeignBox(n dom.Node) bool {
	d := c.doc
	const maxLevels = 8
	for p, i := n, 0; p != dom.None && i < maxLevels; p, i = d.Parent(p), i+1 {
		switch tag := d.Tag(p); {
		case tag == dom.Article && d.Words(p) == 0: // only the picture
		case tag == dom.Article && !c.hasText(p) && c.textSums[d.Len()] > 0:
			return true // another story
		case tag == dom.Article || tag == dom.Main || tag == dom.Body || d.Words(p) > maxCaption:
			return false
		case tag == dom.Nav || tag == dom.Footer || tag == dom.Form:
			return true
		case !isNamed(d, p, boxWords): // as most
		case isNamed(d, p, foreignWords), d.LinkDensity(p) > maxLinkDensity && isNamed(d, p, teaserWords):
			return true
		case isNamed(d, p, videoWords) && d.Closest(n, dom.Figure) == dom.None:
			return true // the still of a video
		}
	}
	return false
}

// leadsElsewhere reports whether a picture is a link to another page, as in
// advertisements. A link to the large file or to a place on the page
// is none, and a caption shows that the picture is the story's.
func (c *composer) leadsElsewhere(m *medium) bool {
	d, im := c.doc, m.image
	a := d.Closest(m.node, dom.A)
	if a == dom.None {
		return false
	}
	to := c.link(d.Attr(a, "href"))
	switch page := c.opts.URL; {
	case to == "" || isPictureFile(to) || pictureKey(to) == pictureKey(im.URL):
		return false
	case authorWords.IsInName(urlPath(to)):
		return true
	case page != "" && strings.HasPrefix(links.Key(to), links.Key(page)):
		return false
	case page != "" && strings.Contains(unescape(to), links.Key(page)): // to share or print it
		return true
	case d.Words(a) == 0 && m.box.named:
		return false
	case d.Words(a) == 0: // in a paragraph of the story
		if p := d.Closest(a, dom.P); p != dom.None && c.hasText(p) {
			return false
		}
	}
	banner := im.Height > 0 && 2*im.Width >= 5*im.Height
	return im.Alt == "" || banner
}

// isTeaser reports whether a picture shares a small box with a link.
func (c *composer) isTeaser(n dom.Node) bool {
	d := c.doc
	for p := d.Parent(n); p != dom.None && d.Words(p) <= maxCaption; p = d.Parent(p) {
		if d.Words(p) > 0 && d.Tag(p).IsBlock() {
			return d.LinkDensity(p) > maxLinkDensity && !c.isLightbox(p)
		}
	}
	return false
}

// isLightbox reports whether the link around or in n leads to a place on the page.
func (c *composer) isLightbox(n dom.Node) bool {
	d := c.doc
	a := d.Closest(n, dom.A)
	if a == dom.None {
		for a = range d.All(n, dom.A) {
			break
		}
	}
	return a != dom.None && strings.HasPrefix(strings.TrimSpace(d.Attr(a, "href")), "#")
}

// describe sets what im lacks from another copy of the same picture.
func describe(im, other *article.Image) {
	im.Alt = cmp.Or(im.Alt, other.Alt)
	if im.Caption == "" && im.Credit == "" {
		im.Caption, im.Credit = other.Caption, other.Credit
	}
	if im.Alt != "" && words.Fold(im.Caption) == words.Fold(im.Alt) {
		im.Alt = "" // it would be read twice
	}
}
