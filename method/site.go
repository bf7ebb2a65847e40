package method

import "github.com/lede-news/lede/dom"

// Site is what is known of the site that a page comes from, found again on
// this page. It comes from neighbour pages or from a profile that was learned.
type Site struct {
	// Pages is how many pages of the same make the knowledge comes from.
	Pages int
	// Static tells by node what is the same on all pages of the site, such as
	// menus and imprints: StaDyNoT's static noise. Nil when that is unknown.
	Static []bool
	// Tail tells by node what stands after the body of every page, such as
	// "Read more" and "Sign up", though its text may change. Nil when unknown.
	Tail []bool
	// Headline, Body, Byline and Date are where the site has them on this
	// page, or dom.None.
	Headline, Body, Byline, Date dom.Node
	// TitleSuffix is what the site puts after every <title>, such as " | The Daily".
	TitleSuffix string
}

// SiteReader is a method that makes use of Page.Site by itself. What others
// choose is corrected by it afterwards.
type SiteReader interface {
	Method
	ReadsSite() bool
}
