package follow

import (
	"encoding/json"

	"github.com/lede-news/lede/internal/crawl/polite"
)

// hosts keeps in the state what polite knows about hosts: when they were asked last,
// what is left of their budget, and their robots.txt. Errors are those of the state,
// which the next write of a visit returns.
type hosts struct{ *state }

var _ polite.Hosts = hosts{}

func (h hosts) Load(host string) (p polite.Host, ok bool) {
	_ = h.write(func(s *state) error {
		var data []byte
		found, err := s.Get("SELECT data FROM hosts WHERE host = ?", []any{host}, &data)
		ok = found && json.Unmarshal(data, &p) == nil
		return err
	})
	return p, ok
}

func (h hosts) Save(host string, p polite.Host) {
	_ = h.write(func(s *state) error {
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		return s.Exec("INSERT OR REPLACE INTO hosts (host, data) VALUES (?, ?)", host, string(data))
	})
}

func (h hosts) LoadRobots(origin string) (r polite.Robots, ok bool) {
	_ = h.write(func(s *state) error {
		var data, body []byte
		found, err := s.Get("SELECT data, body FROM robots WHERE origin = ?", []any{origin}, &data, &body)
		ok = found && json.Unmarshal(data, &r) == nil
		r.Body = body
		return err
	})
	return r, ok
}

func (h hosts) SaveRobots(origin string, r polite.Robots) {
	_ = h.write(func(s *state) error {
		body := r.Body
		if body == nil {
			body = []byte{}
		}
		r.Body = nil
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return s.Exec("INSERT OR REPLACE INTO robots (origin, body, data) VALUES (?, ?, ?)", origin, body, string(data))
	})
}
