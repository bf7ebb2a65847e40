package corpus

import (
	"net/url"
	"regexp"
	"strings"
)

// Gold is what is known of a page. Empty means that nobody knows.
type Gold struct {
	ID      string
	URL     string
	Site    string
	Lang    string
	Country string
	Type    string // such as article
	Title   string
	Text    string // the body
	// TitleInText says that Text begins with the headline, so that an
	// extractor's headline counts as part of its text.
	TitleInText bool
	Authors     []string
	Date        string // as the corpus has it
	Topics      []string
	Images      []Image
	Extra       []string // belongs to the story, but not to its body: captions, datelines
	Related     []string // about other stories
	Comments    []string // of readers
	With        []string // snippets that must be in the text
	Without     []string // snippets that must not

	page string // the file with the HTML; empty when there is none
	file string // where the gold is
	line int    // there; 0 when it is the whole file
}

// Image is a picture that belongs to a story.
type Image struct {
	URL     string
	Caption string
}

// SiteName is the site of the page: what the gold says, else the host of its
// address, else the page by itself.
func (g *Gold) SiteName() string {
	if g.Site != "" {
		return g.Site
	}
	if u, err := url.Parse(g.URL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return g.ID
}

// textless tells of pages whose story nobody wrote down. A page of another
// type, such as a product or an index, need not have one.
func (g *Gold) textless() bool {
	return strings.TrimSpace(g.Text) == "" && len(g.With) == 0 && len(g.Without) == 0 && (g.Type == "" || g.Type == "article")
}

var (
	// A year in a date stands by itself or begins a row of digits such as 20240514.
	yearInDate = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)(?:\d{4}|\d{10})?(?:\D|$)`)
	// In an address or a name, where numbers can be anything, it is a folder
	// or the beginning of a whole day.
	yearInName = regexp.MustCompile(`(?:^|\D)((?:19[89]|20[0-4])\d)(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|[-_/.](?:0?[1-9]|1[0-2])[-_/.](?:0?[1-9]|[12]\d|3[01]))(?:\D|$)`)
	yearFolder = regexp.MustCompile(`/((?:19[89]|20[0-4])\d)/`)
)

// Year is when the story is from: by its date, else by a date in its address
// or in its id; empty when none of them says.
func (g *Gold) Year() string {
	for _, at := range []struct {
		in string
		*regexp.Regexp
	}{{g.Date, yearInDate}, {g.URL, yearFolder}, {g.URL, yearInName}, {g.ID, yearInName}} {
		if m := at.FindStringSubmatch(at.in); m != nil {
			return m[1]
		}
	}
	return ""
}
