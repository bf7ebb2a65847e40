// Package sitemap reads sitemaps: XML files, indexes of them, and plain lists of
// addresses, with or without gzip (https://www.sitemaps.org/protocol.html). It reads
// them as streams, in bounded memory, and forgives what sites get wrong.
package sitemap

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/crawl/coding"
	"github.com/lede-news/lede/internal/crawl/loosexml"
	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
)

// Limits of the protocol. A sitemap beyond them is read up to there.
const (
	maxEntries = 50_000
	maxBytes   = 50 << 20 // as sent, and decompressed
	maxURL     = 2048     // bytes; longer addresses are skipped
)

// Errors of Read, for errors.Is. Except for ErrNotSitemap, what was read before has
// been yielded.
var (
	ErrNotSitemap = errors.New("this is not a sitemap")
	ErrTooMany    = fmt.Errorf("the sitemap has more than %d entries", maxEntries)
	ErrTooLarge   = fmt.Errorf("the sitemap is larger than %d MB", maxBytes>>20)
	// ErrDamaged means that the sitemap is truncated or cannot be read further.
	ErrDamaged = errors.New("the sitemap is damaged")
)

// Entry is an address in a sitemap.
type Entry struct {
	// URL is absolute if the base or the sitemap says of which site it is.
	URL string
	// LastMod is when the page was changed, or zero.
	LastMod time.Time
	// Title and Published come from the news extension.
	Title     string
	Published time.Time
	// News reports whether the entry has the news extension.
	News bool
	// Index reports whether URL is the address of another sitemap.
	Index bool
}

// Read reads a sitemap from r and calls yield for each entry until yield returns
// false. base is the address of the sitemap, for addresses that are relative.
// Addresses that are not of the web or longer than 2,048 bytes are left out.
func Read(r io.Reader, base string, yield func(Entry) bool) error {
	return read(r, base, maxBytes, yield)
}

// read is Read for up to a number of bytes.
func read(r io.Reader, base string, limit int64, yield func(Entry) bool) error {
	raw, err := decompress(r, limit)
	if err != nil {
		return err
	}
	text, err := charset.NewListReader(raw, "")
	if err == io.EOF {
		return fmt.Errorf("%w: it is empty", ErrNotSitemap)
	} else if err != nil {
		return damaged(err)
	}
	in := bufio.NewReaderSize(text, headSize)
	head, err := in.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return damaged(err)
	}
	s := &sink{yield: yield}
	if u, err := url.Parse(base); err == nil && base != "" {
		s.base = u
	}
	head = bytes.Clone(head)
	if isText(head) {
		err = readText(in, s)
	} else {
		err = readXML(in, s)
	}
	switch {
	case errors.Is(err, loosexml.ErrNoRoot):
		return notSitemap(head)
	case errors.Is(err, errStopped):
		return nil
	}
	return err
}

// decompress returns the decompressed bytes of a sitemap. What is read and what is
// returned is bounded.
func decompress(r io.Reader, limit int64) (io.Reader, error) {
	bound := coding.NewLimit(limit)
	in := bufio.NewReader(bound.Reader(r))
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: it begins as gzip: %w", ErrDamaged, err)
	}
	return bound.Reader(z), nil
}

// headSize is how much of a sitemap is looked at to recognize it.
const headSize = 64 << 10

// isText reports whether a document is a list of addresses.
func isText(head []byte) bool {
	if whole := bytes.LastIndexByte(head, '\n'); whole > 0 && len(head) == headSize {
		head = head[:whole] // the last line may be truncated
	}
	return lines.AreAddresses(head)
}

// notSitemap returns the error that says what a document is instead of a sitemap.
func notSitemap(head []byte) error {
	if list, ok := charset.FindList(head); ok {
		return fmt.Errorf("%w: it is %s", ErrNotSitemap, list.Kind)
	}
	return fmt.Errorf("%w: it has neither <urlset> nor <sitemapindex> and is no list of addresses", ErrNotSitemap)
}

// damaged wraps the errors of a reader, except for those of the limits.
func damaged(err error) error {
	switch {
	case errors.Is(err, coding.ErrTooLarge):
		return ErrTooLarge
	case errors.Is(err, ErrTooMany):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is truncated: %w", ErrDamaged, io.ErrUnexpectedEOF)
	case errors.Is(err, html.ErrBufferExceeded):
		return fmt.Errorf("%w: a tag, text or comment is longer than %d KB", ErrDamaged, maxToken>>10)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// sink passes entries to the caller.
type sink struct {
	base    *url.URL
	yield   func(Entry) bool
	entries int
}

// errStopped ends reading when the caller has had enough.
var errStopped = errors.New("stopped")

// add yields an entry if its address is valid.
func (s *sink) add(e Entry) error {
	if e.URL = links.ResolveWeb(s.base, e.URL); e.URL == "" || len(e.URL) > maxURL {
		return nil
	}
	if s.entries++; s.entries > maxEntries {
		return ErrTooMany
	}
	if !s.yield(e) {
		return errStopped
	}
	return nil
}

// readText reads a list of addresses, one on each line.
func readText(r *bufio.Reader, s *sink) error {
	for {
		line, _, err := lines.Read(r, maxURL+2)
		switch {
		case err == io.EOF:
			return nil
		case err == lines.ErrTooLong:
			continue
		case err != nil:
			return damaged(err)
		}
		if line = bytes.TrimSpace(line); !lines.AreAddresses(line) {
			continue
		}
		if err := s.add(Entry{URL: string(line)}); err != nil {
			return err
		}
	}
}
