// Package markup is a fast HTML5 parser. It builds the tree of
// golang.org/x/net/html, node for node, in a fifth of the time and with few
// allocations: nodes and attributes are in two slices without pointers, and texts are
// ranges of the page unless something in them had to change.
//
// The comments cite the sections of the HTML Standard (13.2.5 is the
// tokenizer, 13.2.6 the tree construction). The tests compare markup with x/net on
// all kinds of pages, and list where it follows the standard instead
// (departures_test.go). Where both deviate from the standard, on misnested tags
// that hardly any page has, the place is marked "as in x/net".
package markup

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"unsafe"
)

var (
	// ErrTooDeep means that elements are nested more than 512 deep, as in x/net.
	ErrTooDeep = errors.New("markup: elements are nested more than 512 deep; use Options.Flat")
	// ErrNoTree means that the tags are misnested in a way that the rules of
	// x/net do not cover.
	ErrNoTree = errors.New("markup: no tree for these misnested tags; use Options.Flat")
	// ErrCostly means that formatting elements are opened again so often that the tree
	// would be far larger than the page, or that a page has gigabytes.
	ErrCostly = errors.New("markup: the page is too expensive to parse; use Options.Flat")
)

// checkInterval is how many bytes are parsed between two checks of the context.
const checkInterval = 8 << 10

// Options control how a page is parsed.
type Options struct {
	// Scripting treats the content of <noscript> as text, as a browser that
	// runs scripts does.
	Scripting bool
	// NoCopy lets the tree refer to the bytes of the page, which the caller
	// must not change afterwards.
	NoCopy bool
	// Flat leaves out elements that are nested too deeply, but not their text, and
	// opens no formatting again, so that every page has a tree.
	Flat bool
	// CloseTitle ends a <title> without an end tag at the next tag. The standard
	// takes the rest of the page for its text.
	CloseTitle bool
	// MaxNodes is the number of nodes after which the rest of the page is ignored.
	// Zero means that there is no limit.
	MaxNodes int
}

// Parse builds the tree of a page, which must be UTF-8. When ctx is done, the
// error is its cause.
func Parse(ctx context.Context, page []byte, o Options) (*Tree, error) {
	if !o.NoCopy || bytes.IndexByte(page, '\r') >= 0 {
		page = normalize(page)
	}
	p := parser{
		Tree: Tree{page: unsafe.String(unsafe.SliceData(page), len(page))}, elements: elements(), flat: o.Flat,
		closeTitle: o.CloseTitle, scripting: o.Scripting, framesetOK: true, mode: inInitial, ampersand: -1, newlineAt: -1,
	}
	p.nuls = strings.IndexByte(p.page, 0) >= 0
	// A page has about 1.2 nodes for each tag, and growing their slice takes a fortieth of the time.
	tags := min(bytes.Count(page, []byte("<")), 1<<16)
	p.nodes, p.attrs, p.stack = make([]Node, 0, tags+tags/3+16), make([]Attr, 0, tags), make([]open, 0, 64)
	p.add(Node{}) // None
	p.add(Node{Type: DocumentNode})
	for checkAt := 0; p.err == nil && p.tok.kind != endToken; {
		if p.pos >= checkAt {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if len(p.page)+len(p.changed) > maxText {
				return nil, ErrCostly
			}
			checkAt = p.pos + checkInterval
		}
		if p.next(); o.MaxNodes > 0 && len(p.nodes) > o.MaxNodes {
			p.Truncated = p.tok.kind != endToken
			p.endPage()
		}
		p.process()
	}
	if p.err != nil {
		return nil, p.err
	}
	for n, text := range p.joined {
		p.nodes[n].span = p.keep(string(text))
	}
	p.Shown = len(p.nodes) - 1 - p.empty
	tree := p.Tree
	return &tree, nil
}

// maxText is how many bytes of the page, and of texts that differ from it, the nodes
// can refer to.
const maxText = math.MaxUint32

// normalize returns a copy of the page with its line ends as \n (13.2.3.5).
func normalize(page []byte) []byte {
	out := make([]byte, 0, len(page))
	for {
		i := bytes.IndexByte(page, '\r')
		if i < 0 {
			return append(out, page...)
		}
		out = append(out, page[:i+1]...)
		out[len(out)-1] = '\n'
		page = page[i+1:]
		if len(page) > 0 && page[0] == '\n' {
			page = page[1:]
		}
	}
}

type parser struct {
	Tree
	pos  int      // offset of the next token
	nuls bool     // whether the page has NUL bytes
	raw  *element // the tokenizer reads raw text up to the end tag of this element
	tok  token
	// A line feed at newlineAt, right after the start tag of preformatted text, is
	// dropped. tokStart is where a text token begins.
	newlineAt, tokStart int

	elements *elementTable

	ampersand int // offset of the next '&', or less than pos if not searched yet

	head, form     Ref
	stack          []open      // of open elements (13.2.4.2)
	count          [256]uint16 // open HTML elements by element.id
	active         []Ref       // list of active formatting elements (13.2.4.3); None is a marker
	mode, original mode        // insertion modes (13.2.4.1)
	templates      []mode
	htmlKeys       keys // attributes merged into <html>
	bodyKeys       keys // attributes merged into <body>
	scripting      bool
	framesetOK     bool
	fostering      bool
	quirks         bool
	joined         map[Ref][]byte // text nodes made of several tokens
	empty          int            // number of comments and blank text nodes
	clones         int            // formatting elements opened again, at most maxClones
	flat           bool           // see Options.Flat
	omitted        [256]int32     // elements left out of a flat tree and not closed yet, by element.id
	closeTitle     bool
	err            error
}

// process applies the rules to the current token until one consumes it.
func (p *parser) process() {
	// At the end of the page each pass closes one template; all else takes fewer.
	const maxPasses = 2000
	if p.flat && p.leaveOut() {
		return
	}
	if p.mode == inBody && p.tok.kind <= endTagToken && !p.foreignTop() && p.body() {
		return // nearly all tokens
	}
	for range maxPasses {
		if p.err != nil {
			return
		}
		if p.inForeign() {
			if p.foreignToken() {
				return
			}
		} else if p.dispatch() {
			return
		}
	}
	p.err = ErrNoTree
}

// imply processes a start tag that the page omits.
func (p *parser) imply(e *element) {
	tok := p.tok
	p.tok = token{kind: startToken, element: e, atom: e.atom}
	p.process()
	p.tok = tok
}

// mode is an insertion mode (13.2.4.1).
type mode uint8

const (
	inInitial mode = iota
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
)

// dispatch processes the token in the current mode and reports whether it was
// consumed. If not, it must be processed again in the mode that is current then.
func (p *parser) dispatch() bool {
	switch p.tok.kind {
	case commentToken:
		p.addComment()
		return true
	case doctypeToken:
		if p.mode != inInitial && p.mode != inAfterBody {
			return true
		}
	}
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
	case inAfterBody, inAfterAfterBody:
		return p.afterBody()
	case inFrameset:
		return p.frameset()
	case inAfterFrameset, inAfterAfterFrameset:
		return p.afterFrameset()
	}
	p.err = ErrNoTree
	return true
}

// maxClones returns how many formatting elements may be opened again in a page. HTML5
// opens every unclosed <font> again in each block that follows, so that a few
// kilobytes can need gigabytes. Of 5,200 pages none has more than 163, or 4 for each KB.
func (p *parser) maxClones() int { return 4000 + len(p.page)/16 }
