package markup

import "errors"

var (
	// ErrCostly is the error for pages that would cost far more than they are
	// worth, where [Options.Wary] says so. Flatten the page to read it.
	ErrCostly = errors.New("markup: the page would cost far more than it is worth; flatten it first")
	// ErrOpenTitle is the error for pages that never end their <title>, where
	// [Options.Wary] says so: all that follows it is text of the title. End it
	// to read the page.
	ErrOpenTitle = errors.New("markup: the page never ends its <title>; end it first")
)

const (
	// mostClones is how many formatting elements may be opened anew, all in all.
	// HTML5 opens every unclosed <font> again in every block that follows, so a few
	// kilobytes can ask for gigabytes. Of 5,200 pages none needs a tenth.
	mostClones = 50_000
	// mostAttributes on one tag are more than any author would write.
	mostAttributes = 1000
)

// guard counts what a page costs, and gives up where somebody is wary of it.
type guard struct {
	wary   bool
	clones int
}

// countClone counts one more formatting element that is opened anew.
func (p *parser) countClone() {
	if p.guard.clones++; p.guard.wary && p.guard.clones > mostClones {
		p.err = ErrCostly
	}
}

// tooMany gives up on a tag with this many attributes, and reports whether it did.
func (p *parser) tooMany(attributes int) bool {
	if !p.guard.wary || attributes <= mostAttributes {
		return false
	}
	p.err = ErrCostly
	return true
}

// checkTitle gives up where a title goes on to the end of the page.
func (p *parser) checkTitle(e *element, end int) {
	if p.guard.wary && e == elementTitle && end == len(p.page) {
		p.err = ErrOpenTitle
	}
}
