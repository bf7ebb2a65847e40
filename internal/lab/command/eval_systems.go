package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/neighbours"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/methods/stadynot"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// chooseSystems sets up the systems: methods, predictions, programs.
func (e *evaluation) chooseSystems(ctx context.Context) error {
	f := e.flags
	names := f.methods
	if len(names) == 0 {
		for _, m := range lede.Methods() {
			if !strings.Contains(m.Name, ":") {
				names = append(names, m.Name)
			}
		}
	}
	if slices.Equal(names, []string{"none"}) {
		names = nil
	}
	if f.Browser && !slices.ContainsFunc(names, cli.UsesLayout) {
		return errors.New("--browser requires the method wrapper: no other method uses the layout")
	}
	if e.links != nil && !slices.ContainsFunc(names, cli.UsesLinkText) {
		return errors.New("--anchors requires the method twcem: no other method uses the text of links")
	}
	if err := e.addMethods(ctx, names); err != nil {
		return err
	}
	if err := e.addPredictions(); err != nil {
		return cli.Fail(err)
	}
	if err := e.addRivals(); err != nil {
		return cli.Fail(err)
	}
	seen := map[string]bool{}
	for _, s := range e.systems {
		if seen[s.Name()] {
			return fmt.Errorf("two systems are called %s; rename one", s.Name())
		}
		seen[s.Name()] = true
	}
	if len(e.systems) == 0 {
		return errors.New("nothing to measure: use --methods, --pred or --rival")
	}
	return nil
}

// addMethods adds methods of lede, each with every number of neighbours.
func (e *evaluation) addMethods(ctx context.Context, names []string) error {
	numbers := e.flags.neighbours
	var around *neighbourhood
	if len(numbers) == 0 {
		numbers = []string{"0"}
	} else {
		var err error
		if around, err = e.loadNeighbours(ctx); err != nil {
			return err
		}
	}
	for _, name := range names {
		for _, n := range numbers {
			called := name + "+" + n
			if n == "0" {
				called = name
			}
			know, err := around.siteOf(name, n)
			if err != nil {
				return err
			}
			if err := e.addMethod(called, name, know); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMethod adds a method of lede. If know is not nil, it returns what is known
// about the site of a page.
func (e *evaluation) addMethod(called, name string, know func(*eval.Input) lede.Site) error {
	x, err := lede.New(lede.WithMethod(name), lede.WithReasons(false))
	if err != nil {
		return err
	}
	e.systems = append(e.systems, eval.Method(called, func(ctx context.Context, in *eval.Input) (*article.Article, string, error) {
		opts := []lede.Option{lede.WithURL(in.URL), lede.WithLinkText(e.links.Find(in.URL))}
		if e.flags.Browser && cli.UsesLayout(name) {
			opts = append(opts, lede.WithLayout(e.web.Layout)) // all variants share it
		}
		if know != nil {
			if s := know(in); s != nil {
				opts = append(opts, lede.WithSite(s))
			}
		}
		found, err := x.ExplainDocument(ctx, in.Doc, opts...)
		if err != nil {
			return nil, "", err
		}
		return found.Article, found.MethodTitle(), nil
	}))
	return nil
}

func (e *evaluation) addPredictions() error {
	by := map[string]*eval.Predictions{}
	for _, s := range e.flags.preds {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--pred %s: not of the form NAME=FILE", s)
		}
		if by[name] == nil {
			by[name] = eval.NewPredictions(name, e.corpora)
			e.systems = append(e.systems, by[name])
		}
		err := by[name].Read(file, func(p corpus.Problem) error {
			if e.flags.strict {
				return p
			}
			e.problem(p)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) addRivals() error {
	for _, s := range e.flags.rivals {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--rival %s: not of the form NAME=COMMAND", s)
		}
		p, err := eval.Pipe(name, strings.Fields(command), eval.PipeOptions{})
		if err != nil {
			return err
		}
		e.pipes = append(e.pipes, p)
		e.systems = append(e.systems, p)
	}
	return nil
}

// neighbourhood holds the pages of sites that have several.
type neighbourhood struct {
	pages map[pageKey]*neighbour
	all   sync.Map // from the first page of a site to the *stadynot.Support of all its pages
}

type pageKey struct{ corpus, id string }

// neighbour is a page that is used to learn about its site.
type neighbour struct {
	site     []*neighbour // all pages of the site, in the order of the corpus
	at       int          // in site
	name     string       // of the site
	category string       // from the address; may be empty
	doc      *dom.Document
	observed *site.Observation // nil if extraction failed
}

// loadNeighbours reads all pages of sites that have several.
func (e *evaluation) loadNeighbours(ctx context.Context) (*neighbourhood, error) {
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
		read := 0
		sites := map[string][]*corpus.Gold{}
		for i := range c.Gold {
			g := &c.Gold[i]
			sites[g.SiteName()] = append(sites[g.SiteName()], g)
		}
		for name, golds := range sites {
			if len(golds) < 2 {
				continue
			}
			e.bar.Step("reading sites of "+c.Name, read, len(c.Gold), "pages")
			read += len(golds)
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
			continue // reported by the run
		}
		doc, err := dom.Parse(ctx, html, dom.Options{Charset: charset})
		if err != nil {
			continue
		}
		p := &neighbour{at: len(pages), name: name, category: neighbours.Category(g.URL), doc: doc}
		if found, err := x.ExplainDocument(ctx, doc, lede.WithURL(g.URL), lede.WithReasons(false)); err == nil {
			p.observed = found.Observe()
		}
		pages = append(pages, p)
		a.pages[pageKey{c.Name, g.ID}] = p
	}
	for _, p := range pages {
		p.site = pages
	}
	return nil
}

// neighbourCount parses a number of neighbours; -1 means all.
func neighbourCount(s string) (int, error) {
	if s == "all" {
		return -1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("--neighbours: %q is neither a number nor all", s)
	}
	return n, nil
}

// around returns n other pages of the site, those of the same category first,
// starting with the next page of the corpus.
func (p *neighbour) around(n int) []*neighbour {
	categories := make([]string, len(p.site))
	for i, o := range p.site {
		categories[i] = o.category
	}
	var near []*neighbour
	for _, i := range neighbours.Nearest(categories, p.at, n) {
		near = append(near, p.site[i])
	}
	return near
}

// supportReader is implemented by StaDyNoT, which learns from neighbours in its
// own way.
type supportReader interface {
	Site(*stadynot.Support, *dom.Document) *method.Site
}

// siteOf returns a function that returns what the neighbours of a page show about
// its site.
func (a *neighbourhood) siteOf(name, neighbours string) (func(*eval.Input) lede.Site, error) {
	n, err := neighbourCount(neighbours)
	if err != nil || n == 0 {
		return nil, err
	}
	m, err := lede.NewMethod(name)
	if err != nil {
		return nil, err
	}
	paper, byPaper := m.(supportReader)
	return func(in *eval.Input) lede.Site {
		p := a.pages[pageKey{in.Corpus, in.ID}]
		switch {
		case p == nil || in.Doc == nil:
			return nil
		case byPaper:
			return fixedSite{paper.Site(a.support(p, n), in.Doc)}
		}
		profile := site.New(p.name)
		for _, o := range p.around(n) {
			if o.observed != nil {
				profile.Add(o.observed)
			}
		}
		return profile
	}, nil
}

// support counts the keys of the neighbours. If all pages are used, the count is
// shared by all of them.
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

// fixedSite is a lede.Site that is the same for every page.
type fixedSite struct{ *method.Site }

// Match implements lede.Site.
func (s fixedSite) Match(*site.Fingerprint) *method.Site { return s.Site }
