package methodtest

import (
	"regexp"
	"testing"
)

var (
	quotation = regexp.MustCompile(`“[^”]*”`)
	// jargon are words for those who know how pages are built or how methods work,
	// names in camel case, tags, and effects with a sign.
	jargon     = regexp.MustCompile(`(?i:\b(threshold|features?|nodes?|dom|elements?|subtrees?|ancestors?|siblings?|posterior|density|odds|probability|markup|boilerplate|tags?|child|children|separator)\b)|[a-z][A-Z]|</?[a-z]|[-+][0-9]`)
	methodName = regexp.MustCompile(`\b(CoreEx|StaDyNoT)\b`)
)

// CheckWords checks that a reason is in words that readers of news understand. What
// it quotes from the page is not checked.
func CheckWords(tb testing.TB, why string) {
	tb.Helper()
	plain := methodName.ReplaceAllString(quotation.ReplaceAllString(why, ""), "")
	if word := jargon.FindString(plain); word != "" || why == "" {
		tb.Errorf("%q is no reason in plain words: %q", why, word)
	}
}
