// Package site learns what the pages of a news site have in common.
//
// A page adds an [Observation] to the [Profile] of its site: its rows of text,
// its tag paths and, if the extraction was confident, where it has its headline
// and body. On the next page of the site, the Profile finds rows
// that are the same on all pages (StaDyNoT's static noise), what always follows
// the body, and where the parts of the story are:
//
//	p := site.New("paper.example")
//	ex, err := lede.New(lede.WithSite(p))
//	…
//	for _, page := range pages {
//		x, err := ex.Explain(ctx, page)
//		if err == nil {
//			p.Add(x.Observe())
//		}
//	}
//
// The pages of a site are clustered by their tag paths, so that articles, videos
// and live pages each have a template, and so has a new design. Counts decay with
// every page of the same template, and the template that was not used for the longest
// time makes room for a new one.
//
// Nothing is labelled by hand, and a profile does not grow without bound: it has some
// 20 KB of JSON, however many pages it has seen. People can read and edit it.
//
// The package does no I/O. Package site/store keeps profiles in a file.
package site
