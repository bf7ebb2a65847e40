package follow

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/lede-news/lede/internal/crawl/polite"
)

// waitOf returns the wait that an error asks for, or nil.
func waitOf(err error) *polite.WaitError {
	wait := (*polite.WaitError)(nil)
	errors.As(err, &wait)
	return wait
}

// explain returns the text of an error without the times in it, so that the same
// error has the same text at the next visit. When a host is asked again is in
// SiteStatus.Next.
func explain(err error) string {
	if wait := waitOf(err); wait != nil && !errors.Is(err, polite.ErrNoRobots) {
		return fmt.Sprintf("no requests to %s for a while: %s", wait.Host, wait.Reason)
	}
	return err.Error()
}

// reason says why nothing was found so far, or why the visit was cut short. It depends
// on the state and not only on what this visit has read, so that it stays the same
// while nothing changes.
func (v *visit) reason() (string, error) {
	if v.err != nil {
		return explain(v.err), nil
	}
	list, err := v.f.state.sources(v.site.id)
	if err != nil {
		return "", err
	}
	r, found, read := v.site, 0, 0
	var problem string // of a source, since an earlier visit
	for _, s := range list {
		found += s.found
		if s.url == r.URL && s.failures > 0 {
			return s.error, nil
		}
		if !s.read.IsZero() {
			read++
		}
		if s.error != "" && !s.guessed {
			problem = cmp.Or(problem, s.error)
		}
	}
	text := fmt.Sprintf("no stories were found in %s: feeds, sitemaps and pages", count(read, "source"))
	switch {
	case r.Stories > 0:
		return "", nil
	case r.others > 0:
		return fmt.Sprintf("no story among %s: %s", count(r.others+r.Failed, "page"), r.note), nil
	case r.Failed > 0:
		return fmt.Sprintf("none of %s could be fetched: %s", count(r.Failed, "page"), r.note), nil
	case r.note != "":
		return "no page could be fetched yet: " + r.note, nil
	case found > 0:
		text = fmt.Sprintf("all %d addresses are of stories older than %s, or without dates and there at the first visit; "+
			"new ones will be fetched", found, v.f.opts.Since)
	}
	if remark := cmp.Or(strings.Join(v.problems, "; "), problem); remark != "" {
		text += "; " + remark
	}
	return text, nil
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// tell reports the reason, or else the problems of sources, in one line. A line that
// differs from the last one in its numbers only is not reported again.
func (v *visit) tell() {
	r := v.site
	text := r.Reason
	if v.skipped > v.found { // some known stories may also have a second address
		v.problems = append(v.problems, "stories have new addresses at every visit, and are not fetched again: "+count(v.skipped, "link"))
	}
	if text == "" && len(v.problems) > 0 {
		text = v.problems[0]
		if more := len(v.problems) - 1; more > 0 {
			text += fmt.Sprintf(" (and %s)", count(more, "more problem"))
		}
	}
	said := strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return -1
		}
		return c
	}, text)
	switch {
	case text == "" && v.written > 0:
		r.reported = ""
	case text != "" && said != r.reported:
		v.f.report(r.URL, errors.New(text))
		r.reported = said
	}
}
