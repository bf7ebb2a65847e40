package feed

import (
	"bytes"
	"fmt"

	"github.com/mmcdole/gofeed/json"
)

func (p *parser) readJSON(text []byte) (err error) {
	defer guard(&err)
	repaired, partial := repairJSON(text)
	p.feed.Partial = p.feed.Partial || partial
	f, err := new(json.Parser).Parse(bytes.NewReader(repaired))
	if err != nil {
		return fmt.Errorf("the feed cannot be read: %w", err)
	}
	p.feed.Title = title(f.Title)
	p.setHome(f.HomePageURL)
	for _, it := range f.Items {
		if it == nil {
			continue
		}
		found := []string{it.URL}
		if isAbsolute(it.ID) {
			found = append(found, it.ID)
		}
		found = append(found, it.ExternalURL)
		media := map[string]bool{}
		if it.Attachments != nil {
			for _, a := range *it.Attachments {
				media[a.URL] = true
			}
		}
		p.add(Item{
			Title:     title(it.Title),
			GUID:      truncate(it.ID, maxGUID),
			Published: firstTime(nil, it.DatePublished),
			Updated:   firstTime(nil, it.DateModified),
			Summary:   summary(it.Summary),
		}, found, media)
	}
	return nil
}

// repairJSON removes control characters, commas before closing brackets, and what
// follows the object. A feed that is cut off ends after its last complete item.
func repairJSON(text []byte) (repaired []byte, partial bool) {
	out := make([]byte, 0, len(text))
	var open []byte // brackets
	inText := false
	lastItem := -1 // where the last item ends in out
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\' && i+1 < len(text):
			i++
			if bytes.IndexByte([]byte(`"\\/bfnrtu`), text[i]) >= 0 {
				out = append(out, c, text[i])
			} else if text[i] >= ' ' {
				out = append(out, text[i]) // it needs no escape
			}
			continue
		case inText && c < ' ':
			out = append(out, ' ')
			continue
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			open = append(open, c)
		case c == '}' || c == ']':
			for len(out) > 0 && (out[len(out)-1] <= ' ' || out[len(out)-1] == ',') {
				out = out[:len(out)-1]
			}
			if len(open) == 0 {
				return out, true
			}
			open = open[:len(open)-1]
			if len(open) == 0 {
				return append(out, c), false
			}
			if c == '}' && len(open) == 2 && open[1] == '[' {
				lastItem = len(out) + 1
			}
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			continue
		}
		out = append(out, text[i])
	}
	if lastItem < 0 {
		return out, true
	}
	return append(out[:lastItem], "]}"...), true
}
