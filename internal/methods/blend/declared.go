package blend

import (
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
)

// declaredTypes holds the types of schema.org and OpenGraph, in lower case, that
// pages which are no articles declare, and what they are. Read only.
var declaredTypes = map[string]article.PageType{
	"discussionforumposting": article.TypeOther,
	"qapage":                 article.TypeOther,
	"softwaresourcecode":     article.TypeOther,
	"product":                article.TypeOther,
	"profile":                article.TypeOther,
	"collectionpage":         article.TypeIndex,
	"product.group":          article.TypeIndex,
}

// declaredType returns what a page declares itself to be if that is no article but,
// for example, a thread of a forum or a product. A page that declares an article
// too, such as the review of a product, is taken for one; the answer is empty.
func declaredType(d *dom.Document) article.PageType {
	var found article.PageType
	isArticle := false
	see := func(name string) {
		const maxName = 100 // with the address of its vocabulary
		if len(name) > maxName {
			return
		}
		name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
		isArticle = isArticle || strings.HasSuffix(name, "article") || strings.HasSuffix(name, "blogposting")
		if found == "" {
			found = declaredTypes[name]
		}
	}
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		switch tag := d.Tag(n); {
		case tag == dom.Meta && d.Attr(n, "property") == "og:type":
			see(strings.TrimSpace(d.Attr(n, "content")))
		case tag == dom.Script && strings.EqualFold(d.Attr(n, "type"), "application/ld+json"):
			blocks.EachType(d.Raw(n), see)
		case tag.IsBlock():
			if name := d.Attr(n, "itemtype"); name != "" {
				see(name)
			}
		}
	}
	if isArticle {
		return ""
	}
	return found
}

// checkType returns the type of a page that looks like an article with the given
// probability, and that probability in the light of what the page declares.
func (c *choice) checkType(chance float32) (article.PageType, float32) {
	const certain = 0.95
	if chance < certain {
		if t := declaredType(c.page); t != "" {
			return t, 0
		}
	}
	if c.isCode() || c.listsCode() {
		return article.TypeOther, chance
	}
	return article.TypeArticle, chance
}

// isCode reports whether most of what is kept is code, as on the pages of
// repositories and pastes. Prose that a page shows as it was typed is none.
func (c *choice) isCode() bool {
	code, all := 0, 0 // words
	for i, kept := range c.kept {
		if kept {
			all += c.Blocks[i].Words()
			if c.InCode(i) {
				code += c.Blocks[i].Words()
			}
		}
	}
	if 2*code <= all {
		return false
	}
	signs, letters := 0, 0
	for i, kept := range c.kept {
		if !kept || !c.InCode(i) {
			continue
		}
		for _, r := range c.Text(i) {
			switch {
			case strings.ContainsRune("{}[]()<>=_;/\\|&*+#$%^~`@", r):
				signs++
			case unicode.IsLetter(r):
				letters++
			}
		}
	}
	const minSigns = 0.06 // for each letter; prose has a tenth of it
	return float64(signs) > minSigns*float64(letters)
}

// codeFiles are the ends of the names of files that repositories of code have.
const codeFiles = " c cc cfg cmake conf cpp cs css csproj dart ex gitattributes gitignore gradle go h hpp hs html ini ipynb java jl js json " +
	"kt lock lua m mod php pl ps1 py r rb rs rst scala sh sln sql sum swift tex toml ts tsx vue xml yaml yml md "

// listsCode reports whether the page lists files of code, as that of a repository
// does, of two kinds at least: links to "gazeta.pl" and "onet.pl" are none.
func (c *choice) listsCode() bool {
	const minFiles, maxBytes = 3, 40
	files, ending, mixed := 0, "", false
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if b.Counts.LinkDensity() < 0.9 || b.Words() > 4 {
			continue
		}
		name := strings.TrimSpace(c.Text(i))
		dot := strings.LastIndexByte(name, '.')
		if dot >= 0 && len(name) <= maxBytes && !strings.ContainsAny(name, " \n/") && strings.Contains(codeFiles, " "+name[dot+1:]+" ") {
			files++
			mixed = mixed || ending != "" && ending != name[dot+1:]
			ending = name[dot+1:]
		}
	}
	return files >= minFiles && mixed
}
