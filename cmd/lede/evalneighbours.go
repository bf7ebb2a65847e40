package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/stadynot"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// neighbourhood holds the pages of sites, as each other's neighbours.
type neighbourhood struct {
	pages map[pageKey]*neighbour
	all   sync.Map // by the first page of a site: its *stadynot.Support, of all pages
}

type pageKey struct{ corpus, id string }

// neighbour is a page that others can learn from.
type neighbour struct {
	site     []*neighbour // all pages of the site, in the order of the corpus
	at       int          // in site
	name     string       // of the site
	category string       // that the address shows; empty when it shows none
	doc      *dom.Document
	lesson   *site.Observation // nil when nothing could be extracted
}

// meetNeighbours reads all pages of sites that have several.
func (e *evaluation) meetNeighbours(ctx context.Context) (*neighbourhood, error) {
	for _, n := range e.flags.neighbours {
		if _, err := neighbourCount(n); err != nil {
			return nil, err
		}
	}
	around := &neighbourhood{pages: map[pageKey]*neighbour{}}
	x, err := lede.New()
	if err != nil {
		return nil, err
	}
	for _, c := range e.corpora {
		sites := map[string][]*corpus.Gold{}
		for i := range c.Gold {
			g := &c.Gold[i]
			sites[g.SiteName()] = append(sites[g.SiteName()], g)
		}
		for name, golds := range sites {
			if len(golds) < 2 {
				continue
			}
			e.bar.say("reading the %d pages of %s", len(golds), name)
			if err := around.addSite(ctx, x, c, name, golds, cmp.Or(e.flags.charset, c.Charset)); err != nil {
				return nil, err
			}
		}
	}
	return around, nil
}

func (a *neighbourhood) addSite(ctx context.Context, x *lede.Extractor, c *corpus.Corpus, name string, golds []*corpus.Gold, charset string) error {
	var pages []*neighbour
	for _, g := range golds {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		html, err := c.Page(g)
		if err != nil {
			continue // the run will tell
		}
		doc, err := dom.Parse(ctx, html, dom.Options{Charset: charset})
		if err != nil {
			continue
		}
		p := &neighbour{at: len(pages), name: name, category: category(g.URL), doc: doc}
		if found, err := x.ExplainDocument(ctx, doc, lede.WithURL(g.URL), lede.WithReasons(false)); err == nil {
			p.lesson = found.Observe()
		}
		pages = append(pages, p)
		a.pages[pageKey{c.Name, g.ID}] = p
	}
	for _, p := range pages {
		p.site = pages
	}
	return nil
}

// category is the first part of an address's path, where there are several: the
// section of a paper.
func category(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	first, rest, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if rest == "" {
		return ""
	}
	return first
}

// neighbourCount reads a number of neighbours; -1 is all of them.
func neighbourCount(s string) (int, error) {
	if s == "all" {
		return -1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("--neighbours takes numbers and all, not %q", s)
	}
	return n, nil
}

// around are so many other pages of the site: those of the same category
// first, from the next page of the corpus on.
func (p *neighbour) around(n int) []*neighbour {
	others := append(slices.Clone(p.site[p.at+1:]), p.site[:p.at]...)
	slices.SortStableFunc(others, func(a, b *neighbour) int {
		return cmp.Compare(b2i(a.category != p.category), b2i(b.category != p.category))
	})
	if n < 0 || n > len(others) {
		return others
	}
	return others[:n]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// stageOne is StaDyNoT, which learns from neighbours in its own way.
type stageOne interface {
	Site(*stadynot.Support, *dom.Document) *method.Site
}

// teacher tells a method what so many neighbours know of a page's site.
func (a *neighbourhood) teacher(name, neighbours string) (func(*eval.Input) lede.Site, error) {
	n, err := neighbourCount(neighbours)
	if err != nil || n == 0 {
		return nil, err
	}
	m, err := lede.NewMethod(name)
	if err != nil {
		return nil, err
	}
	paper, byPaper := m.(stageOne)
	return func(in *eval.Input) lede.Site {
		p := a.pages[pageKey{in.Corpus, in.ID}]
		switch {
		case p == nil || in.Doc == nil:
			return nil
		case byPaper:
			return given{paper.Site(a.support(p, n), in.Doc)}
		}
		profile := site.New(p.name)
		for _, o := range p.around(n) {
			if o.lesson != nil {
				profile.Add(o.lesson)
			}
		}
		return profile
	}, nil
}

// support counts the keys of the neighbours. That of all pages serves them all,
// since a page is no neighbour of itself.
func (a *neighbourhood) support(p *neighbour, n int) *stadynot.Support {
	count := func(pages []*neighbour) *stadynot.Support {
		s := stadynot.NewSupport()
		for _, o := range pages {
			s.Add(o.doc)
		}
		return s
	}
	if n >= 0 && n < len(p.site)-1 {
		return count(p.around(n))
	}
	if s, ok := a.all.Load(p.site[0]); ok {
		return s.(*stadynot.Support)
	}
	s, _ := a.all.LoadOrStore(p.site[0], count(p.site))
	return s.(*stadynot.Support)
}

// given is what is known of one page's site.
type given struct{ *method.Site }

// ReadPage gives it.
func (g given) ReadPage(*site.Page) *method.Site { return g.Site }
