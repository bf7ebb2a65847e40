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
	var data []byte
	found, err := h.get("SELECT data FROM hosts WHERE host = ?", []any{host}, &data)
	return p, err == nil && found && json.Unmarshal(data, &p) == nil
}

func (h hosts) Save(host string, p polite.Host) {
	if data, err := json.Marshal(p); err == nil {
		_ = h.exec("INSERT OR REPLACE INTO hosts (host, data) VALUES (?, ?)", host, string(data))
	}
}

func (h hosts) LoadRobots(origin string) (r polite.Robots, ok bool) {
	var data, body []byte
	found, err := h.get("SELECT data, body FROM robots WHERE origin = ?", []any{origin}, &data, &body)
	ok = err == nil && found && json.Unmarshal(data, &r) == nil
	r.Body = body
	return r, ok
}

func (h hosts) SaveRobots(origin string, r polite.Robots) {
	body := append([]byte{}, r.Body...) // not nil
	r.Body = nil
	if data, err := json.Marshal(r); err == nil {
		_ = h.exec("INSERT OR REPLACE INTO robots (origin, body, data) VALUES (?, ?, ?)", origin, body, string(data))
	}
}
