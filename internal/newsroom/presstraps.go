package newsroom

import "net/http"

// A trap is a host that is hard on crawlers.
type trap struct {
	name, what string
	serve      func(w http.ResponseWriter, r *http.Request)
}

func (t *trap) host() string { return "www." + t.name + ".example" }

func newTraps() []*trap { return nil }
