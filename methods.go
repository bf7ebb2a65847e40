package lede

import (
	"fmt"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/coreex"
	"github.com/lede-news/lede/internal/methods/nce"
	"github.com/lede-news/lede/internal/methods/param"
	"github.com/lede-news/lede/internal/methods/stadynot"
	"github.com/lede-news/lede/internal/methods/twcem"
	"github.com/lede-news/lede/internal/methods/wrapper"
	"github.com/lede-news/lede/method"
)

// DefaultMethod is the name of the default method.
const DefaultMethod = "blend"

// defaultMethod is shared by all extractors that do not choose another.
var defaultMethod = sync.OnceValue(func() method.Method {
	m, err := NewMethod(DefaultMethod)
	if err != nil {
		panic(err) // DefaultMethod is one of Methods
	}
	return m
})

// MethodInfo describes a method.
type MethodInfo struct {
	Name, About string

	params func() []Param
	make   func(set []string) (method.Method, error)
}

// Params returns the settings of the method with their defaults.
func (m MethodInfo) Params() []Param { return m.params() }

// Param is a setting of a method that WithMethod can change by name.
type Param struct {
	Name, Value, About string
	// Min, Max and Step are the range in which lede-lab tune searches for the best
	// value. Step is 0 for settings that it leaves alone.
	Min, Max, Step float64
}

// Methods returns all methods, the default first. A name with a colon is a
// variant of the method before it, whose article has no picture or standfirst that it
// did not select.
func Methods() []MethodInfo {
	list := []MethodInfo{
		info("blend", "the default: a learned model judges every block of the page", blend.Config{}, wrap(blend.New)),
		info("nce",
			"NCE: the separator node, without the comments after it; refuses pages of links and counts Chinese words, unlike the paper",
			nce.Default(), wrap(nce.New)),
		info("nce:paper", "NCE, as the paper has it", nce.Paper(), wrap(nce.New)),
		info("coreex",
			"CoreEx: the nodes with the most text per link; with more weight on the amount of text than in the paper, and read where the page is in a form",
			coreex.Default(), wrap(coreex.New)),
		info("coreex:paper", "CoreEx, as the paper has it: R5, its best", coreex.Paper(), wrap(coreex.New)),
	}
	for n := 1; n <= 6; n++ {
		about := fmt.Sprintf("CoreEx, row R%d of the paper's Table 1", n)
		list = append(list, info(fmt.Sprintf("coreex:r%d", n), about, coreex.Row(n), wrap(coreex.New)))
	}
	return append(list,
		info("twcem",
			"TWCEM: from the first row that shares words with the title to the last and, beyond the paper, the rows near these",
			twcem.Default(), wrap(twcem.New)),
		info("twcem:paper", "TWCEM, as the paper has it", twcem.Paper(), wrap(twcem.New)),
		info("twcem:microblog", "TWCEM, with the paper's settings for short posts", twcem.Microblog(), wrap(twcem.New)),
		info("stadynot",
			"StaDyNoT: the page without what its neighbours repeat and without clusters of links; stricter than the paper",
			stadynot.Default(), wrap(stadynot.New)),
		info("stadynot:paper", "StaDyNoT, as the paper has it: α = 50, β = 20 %", stadynot.Paper(), wrap(stadynot.New)),
		info("wrapper",
			"the visual wrapper: finds the story by its place on the screen, learned from labelled pages; scrolls and cleans, unlike the paper",
			wrapper.Default(), wrap(wrapper.New)),
		info("wrapper:paper", "the visual wrapper, as the paper has it, learned from one site", wrapper.Paper(), wrap(wrapper.New)),
	)
}

// info returns the MethodInfo for a method with the given settings and constructor.
func info[C any](name, about string, config C, build func(C) method.Method) MethodInfo {
	params := func() []Param {
		var out []Param
		for _, p := range param.List(config) {
			out = append(out, Param(p))
		}
		return out
	}
	return MethodInfo{Name: name, About: about, params: params, make: func(set []string) (method.Method, error) {
		c := config
		for _, s := range set {
			key, value, ok := strings.Cut(s, "=")
			if !ok {
				return nil, fmt.Errorf("%w: setting %q of method %s is not of the form name=value", ErrOption, s, name)
			}
			if err := param.Set(&c, strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
				return nil, fmt.Errorf("%w: method %s: %w", ErrOption, name, err)
			}
		}
		return build(c), nil
	}}
}

func wrap[C any, M method.Method](build func(C) M) func(C) method.Method {
	return func(c C) method.Method { return build(c) }
}

// NewMethod returns the method of the given name, with settings such as
// "threshold=0.8" changed from their defaults.
func NewMethod(name string, set ...string) (method.Method, error) {
	var names []string
	for _, m := range Methods() {
		if m.Name == name {
			return m.make(set)
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("%w %q; available methods: %s", ErrUnknownMethod, name, strings.Join(names, ", "))
}
