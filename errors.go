package lede

import (
	"errors"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// The errors that a caller may want to tell apart, with errors.Is.
var (
	// ErrEmpty: there is nothing on the page.
	ErrEmpty = dom.ErrEmpty
	// ErrTooLarge: the page has more bytes than Limits.Bytes.
	ErrTooLarge = dom.ErrTooLarge
	// ErrNotHTML: the bytes are a picture, a PDF or something else.
	ErrNotHTML = dom.ErrNotHTML
	// ErrCharset: nobody knows the charset that was asked for.
	ErrCharset = dom.ErrCharset
	// ErrMalformed: the parser gave up.
	ErrMalformed = dom.ErrMalformed
	// ErrNoContent: the method found no story: there are only links, a form, or
	// a video or pictures without a word about them. A video with a few words is
	// an article whose Form says so.
	ErrNoContent = method.ErrNoContent
	// ErrNotArticle: the page is no article; only with OnlyArticles.
	ErrNotArticle = errors.New("the page is not an article")
	// ErrUnknownMethod: there is no method of that name.
	ErrUnknownMethod = errors.New("unknown method")
	// ErrSetting: a method has no such setting, or not with such a value.
	ErrSetting = errors.New("wrong setting")
	// ErrTimeout: the page took longer than Limits.Time.
	ErrTimeout = errors.New("the page took too long")
	// ErrInternal: lede itself failed; please report the page.
	ErrInternal = errors.New("lede failed on this page, which is a bug")
)
