package command

import (
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
	names := e.methods
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
	if err := e.addMethods(ctx, names); err != nil {
		return err
	}
	if err := errors.Join(e.addPredictions(), e.addRivals()); err != nil {
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
	var numbers []int // -1 means all
	for _, s := range e.neighbours {
		n, err := strconv.Atoi(s)
		if s == "all" {
			n = -1
		} else if err != nil || n < 0 {
			return fmt.Errorf("--neighbours: %q is neither a number nor all", s)
		}
		numbers = append(numbers, n)
	}
	var sites neighbourhood
	if len(numbers) == 0 {
		numbers = []int{0}
	} else {
		var err error
		if sites, err = e.loadNeighbours(ctx); err != nil {
			return err
		}
	}
	for _, name := range names {
		for i, n := range numbers {
			if n == 0 {
				if err := e.addMethod(name, name, nil); err != nil {
					return err
				}
				continue
			}
			m, err := lede.NewMethod(name)
			if err != nil {
				return err
			}
			if err := e.addMethod(name+"+"+e.neighbours[i], name, func(in *eval.Input) lede.Site { return sites.learn(m, in, n) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMethod adds a method of lede. If learn is not nil, it returns what is known
// about the site of a page, or nil.
func (e *evaluation) addMethod(called, name string, learn func(*eval.Input) lede.Site) error {
	x, err := lede.New(lede.WithMethod(name), lede.WithReasons(false))
	if err != nil {
		return err
	}
	e.systems = append(e.systems, eval.Method(called, func(ctx context.Context, in *eval.Input) (*article.Article, string, error) {
		opts := []lede.Option{lede.WithURL(in.URL)}
		if learn != nil {
			if s := learn(in); s != nil {
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
	for _, s := range e.preds {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--pred %s: not of the form NAME=FILE", s)
		}
		if by[name] == nil {
			by[name] = eval.NewPredictions(name, e.corpora)
			e.systems = append(e.systems, by[name])
		}
		if err := by[name].Read(file, e.problem); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) addRivals() error {
	for _, s := range e.rivals {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("--rival %s: not of the form NAME=COMMAND", s)
		}
		p, err := eval.Pipe(name, strings.Fields(command), eval.PipeOptions{})
		if err != nil {
			return err
		}
		e.systems = append(e.systems, p)
	}
	return nil
}

// neighbourhood has the pages of sites that have several.
type neighbourhood map[pageKey]*neighbour

type pageKey struct{ corpus, id string }

// neighbour is a page that is used to learn about its site.
type neighbour struct {
	site     *neighbourSite
	at       int // in the pages of site
	doc      *dom.Document
	observed *site.Observation // nil if extraction failed
}

type neighbourSite struct {
	name       string
	pages      []*neighbour // in the order of the corpus
	categories []string     // of the pages, from their URLs; may be empty
	support    func() *stadynot.Support
}

// loadNeighbours reads all pages of sites that have several.
func (e *evaluation) loadNeighbours(ctx context.Context) (neighbourhood, error) {
	all := neighbourhood{}
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
		read := 0
		for name, golds := range sites {
			e.bar.Step("reading sites of "+c.Name, read, len(c.Gold), "pages")
			if read += len(golds); len(golds) < 2 {
				continue
			}
			s := &neighbourSite{name: name}
			s.support = sync.OnceValue(func() *stadynot.Support { return support(s.pages) })
			for _, g := range golds {
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				html, err := c.Page(g)
				if err != nil {
					continue // reported by the run
				}
				doc, err := dom.Parse(ctx, html, dom.Options{Charset: c.Charset})
				if err != nil {
					continue
				}
				p := &neighbour{site: s, at: len(s.pages), doc: doc}
				if found, err := x.ExplainDocument(ctx, doc, lede.WithURL(g.URL), lede.WithReasons(false)); err == nil {
					p.observed = found.Observe()
				}
				s.pages, s.categories = append(s.pages, p), append(s.categories, neighbours.Category(g.URL))
				all[pageKey{c.Name, g.ID}] = p
			}
		}
	}
	return all, nil
}

// around returns n other pages of the site, those of the same category first,
// starting with the next page of the corpus.
func (p *neighbour) around(n int) (near []*neighbour) {
	for _, i := range neighbours.Nearest(p.site.categories, p.at, n) {
		near = append(near, p.site.pages[i])
	}
	return near
}

// support counts the keys of pages.
func support(pages []*neighbour) *stadynot.Support {
	s := stadynot.NewSupport()
	for _, p := range pages {
		s.Add(p.doc)
	}
	return s
}

// learn returns what n neighbours of a page, or all if n is negative, show about its
// site, in the way of the method.
func (all neighbourhood) learn(m method.Method, in *eval.Input, n int) lede.Site {
	p := all[pageKey{in.Corpus, in.ID}]
	if p == nil {
		return nil
	}
	if paper, ok := m.(interface {
		Site(*stadynot.Support, *dom.Document) *method.Site
	}); ok {
		if n < 0 || n >= len(p.site.pages)-1 {
			return fixedSite{paper.Site(p.site.support(), in.Doc)}
		}
		return fixedSite{paper.Site(support(p.around(n)), in.Doc)}
	}
	profile := site.New(p.site.name)
	for _, o := range p.around(n) {
		if o.observed != nil {
			profile.Add(o.observed)
		}
	}
	return profile
}

// fixedSite is a lede.Site that is the same for every page.
type fixedSite struct{ *method.Site }

// Match implements lede.Site.
func (s fixedSite) Match(*site.Fingerprint) *method.Site { return s.Site }
