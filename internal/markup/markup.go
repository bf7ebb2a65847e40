// Package markup parses HTML fast. It builds the tree that golang.org/x/net/html
// builds, of the same type of nodes, in a fifth of the time and with a handful
// of allocations: nodes and attributes come in slabs, and their strings are
// pieces of the page wherever nothing had to change in them.
//
// It follows the HTML Standard, whose sections the comments cite (13.2.5 is the
// tokenizer, 13.2.6 the building of the tree). Where x/net reads the standard
// otherwise, so does markup, and says so with "as in x/net": the tests hold the
// two against each other on every kind of page.
package markup

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unsafe"

	"golang.org/x/net/html"
)

var (
	// ErrTooDeep is the error for pages with more than 512 elements inside each
	// other, as in x/net. Write the page with less nesting to read it.
	ErrTooDeep = errors.New("markup: more than 512 elements nested in each other; flatten the page first")
	// ErrLost is the error for the few pages whose tags leave the rules of the
	// standard, as x/net knows them, without an answer.
	ErrLost = errors.New("markup: the tags cross in a way that has no tree; flatten the page first")
)

// piece is how much of a page is read between two looks at the clock.
const piece = 8 << 10

// Options say how to read a page.
type Options struct {
	// Scripting says that what stands in <noscript> is text, as in a browser that
	// runs scripts.
	Scripting bool
	// Own says that the caller will never change the page again, so that its
	// strings may be pieces of it as it is.
	Own bool
	// Wary says to give up on pages that would cost far more than they are worth,
	// and on those that are all title. The limits are those of guard.
	Wary bool
}

// Tree is a page that was read.
type Tree struct {
	Root  *html.Node
	Nodes int // how many there are, without comments and blank text
	Text  int // bytes of text that is neither blank nor raw
}

// Parse builds the tree of a page as golang.org/x/net/html does.
func Parse(ctx context.Context, page []byte, scripting bool) (*html.Node, error) {
	t, err := Read(ctx, page, Options{Scripting: scripting})
	return t.Root, err
}

// Read builds the tree of a page, in a fifth of the time that x/net takes. The
// page must be UTF-8. When the context ends, the error is its cause.
func Read(ctx context.Context, page []byte, o Options) (Tree, error) {
	p := parser{
		page: normalize(page, o.Own), scripting: o.Scripting, framesetOK: true, mode: inInitial,
		stack: make([]open, 0, 64), active: make([]*html.Node, 0, 16), ampersand: -1,
	}
	p.guard.wary = o.Wary
	p.nuls = strings.IndexByte(p.page, 0) >= 0
	p.slabs.next = min(max(smallestSlab, strings.Count(p.page, "<")), largestSlab)
	p.slabs.wide = max(smallestSlab, p.slabs.next/2)
	p.doc = p.slabs.node()
	p.doc.Type = html.DocumentNode
	for ahead := 0; p.err == nil && p.tok.kind != endToken; {
		if p.pos >= ahead {
			if ctx.Err() != nil {
				return Tree{}, context.Cause(ctx)
			}
			ahead = p.pos + piece
		}
		p.next()
		p.process()
	}
	if p.err != nil {
		return Tree{}, p.err
	}
	for n, text := range p.joined {
		n.Data = string(text)
	}
	return Tree{p.doc, p.slabs.made - p.empty, p.shown}, nil
}

// normalize copies the page, which the caller may change later, with its line
// ends as \n (13.2.3.5). One that nobody will change, and that has no others, is
// taken as it is.
func normalize(page []byte, own bool) string {
	i := bytes.IndexByte(page, '\r')
	switch {
	case i < 0 && own:
		return unsafe.String(unsafe.SliceData(page), len(page))
	case i < 0:
		return string(page)
	}
	var b strings.Builder
	b.Grow(len(page))
	for i >= 0 {
		b.Write(page[:i])
		b.WriteByte('\n')
		page = page[i+1:]
		if len(page) > 0 && page[0] == '\n' {
			page = page[1:]
		}
		i = bytes.IndexByte(page, '\r')
	}
	b.Write(page)
	return b.String()
}

type parser struct {
	page  string   // all strings of the tree are pieces of it where possible
	pos   int      // where the next token begins
	nuls  bool     // the page has some
	raw   *element // the tokenizer reads its text as raw, up to its end tag
	tok   token
	slabs slabs
	known map[string]string // character references seen so far

	ampersand int // where the next one stands, as far as has been looked

	doc            *html.Node
	head, form     *html.Node
	stack          []open       // of open elements (13.2.4.2)
	count          [256]uint16  // of open elements of HTML by their number
	active         []*html.Node // list of active formatting elements (13.2.4.3); nil is a marker
	mode, original mode         // insertion modes (13.2.4.1)
	templates      []mode
	htmlKeys       keys // of attributes merged into <html>
	bodyKeys       keys // and into <body>
	scripting      bool
	framesetOK     bool
	fostering      bool
	quirks         bool
	joined         map[*html.Node][]byte // text nodes that got more than one piece
	empty          int                   // nodes that are comments or blank text
	shown          int                   // bytes of text that is neither blank nor raw
	guard          guard
	err            error
}

// process runs the current token through the rules until one has taken it.
func (p *parser) process() {
	// The end of the page closes one template a turn; all else ends sooner.
	const turns = 2000
	for range turns {
		if p.inForeign() {
			if p.foreignToken() {
				return
			}
		} else if p.dispatch() {
			return
		}
		if p.err != nil {
			return
		}
	}
	p.err = ErrLost
}

// imply runs a start tag that the page left out.
func (p *parser) imply(e *element) {
	tok := p.tok
	p.tok = token{kind: startToken, element: e, atom: e.atom, data: e.name}
	p.process()
	p.tok = tok
}

// mode is an insertion mode (13.2.4.1).
type mode uint8

const (
	inNone mode = iota
	inInitial
	inBeforeHTML
	inBeforeHead
	inHead
	inHeadNoscript
	inAfterHead
	inBody
	inText
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	inTemplate
	inAfterBody
	inFrameset
	inAfterFrameset
	inAfterAfterBody
	inAfterAfterFrameset
	inNothing
)

// dispatch gives the token to the current mode, which reports whether it took
// it; otherwise the token comes again, to the mode that is current then.
func (p *parser) dispatch() bool {
	switch p.mode {
	case inBody:
		return p.body()
	case inText:
		return p.text()
	case inTable:
		return p.table()
	case inCell:
		return p.cell()
	case inRow:
		return p.row()
	case inTableBody:
		return p.tableBody()
	case inHead:
		return p.inHead()
	case inInitial:
		return p.initial()
	case inBeforeHTML:
		return p.beforeHTML()
	case inBeforeHead:
		return p.beforeHead()
	case inHeadNoscript:
		return p.headNoscript()
	case inAfterHead:
		return p.afterHead()
	case inCaption:
		return p.caption()
	case inColumnGroup:
		return p.columnGroup()
	case inTemplate:
		return p.template()
	case inAfterBody:
		return p.afterBody()
	case inFrameset:
		return p.frameset()
	case inAfterFrameset:
		return p.afterFrameset()
	case inAfterAfterBody:
		return p.afterAfterBody()
	case inAfterAfterFrameset:
		return p.afterAfterFrameset()
	case inNothing:
		return true
	}
	p.err = ErrLost
	return true
}

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
