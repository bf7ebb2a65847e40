package eval

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/lede-news/lede/internal/eval/measure"
)

// answer is a line of a file of predictions, and of a rival's pipe: the batch
// line of lede, and what other tools write in its place.
type answer struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Text    string  `json:"text"`
	Authors names   `json:"authors"`
	Author  names   `json:"author"`
	Byline  names   `json:"byline"`
	Date    string  `json:"date"`
	Type    string  `json:"type"`
	Error   string  `json:"error,omitempty"`
	ParseMS float64 `json:"parse_ms,omitempty"`
	TimeMS  float64 `json:"time_ms,omitempty"`
}

func (a *answer) output() *measure.Output {
	out := &measure.Output{
		Title: a.Title, Text: a.Text, Authors: a.Authors, Date: a.Date, Type: a.Type, Error: a.Error,
		Parse: milliseconds(a.ParseMS), Time: milliseconds(a.TimeMS),
	}
	for _, other := range []names{a.Author, a.Byline} {
		if len(out.Authors) == 0 {
			out.Authors = other
		}
	}
	return out
}

// line is the output of a page as a prediction file holds it.
func line(id string, out *measure.Output) answer {
	return answer{
		ID: id, Title: out.Title, Text: out.Text, Authors: out.Authors, Date: out.Date, Type: out.Type, Error: out.Error,
		ParseMS: out.Parse.Seconds() * 1000, TimeMS: out.Time.Seconds() * 1000,
	}
}

func milliseconds(ms float64) time.Duration {
	return time.Duration(max(0, min(ms, 1e9)) * float64(time.Millisecond))
}

// names are people, as a list or as one string.
type names []string

func (n *names) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*n = list
		return nil
	}
	var one string
	if json.Unmarshal(data, &one) == nil {
		if one != "" {
			*n = names{one}
		}
		return nil
	}
	return errors.New("authors are a string or a list of strings")
}
