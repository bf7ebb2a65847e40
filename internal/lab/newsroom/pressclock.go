package newsroom

import (
	"bytes"
	"net"
	"net/http"
	"sync"
	"text/template"
	"time"
)

// A Clock is a clock for a press that can be turned, and that may run faster
// than time. It is safe for use by several goroutines.
type Clock struct {
	mu    sync.Mutex
	start time.Time // time of the clock at set
	set   time.Time // when it was set, in real time
	speed float64
}

// NewClock returns a clock that shows start and runs at a speed; 1 is that of
// real time and 0 stands still.
func NewClock(start time.Time, speed float64) *Clock {
	return &Clock{start: start, set: time.Now(), speed: speed}
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time {
	return c.start.Add(time.Duration(float64(time.Since(c.set)) * c.speed))
}

// Add turns the clock forward, or back if d is negative.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start = c.start.Add(d)
}

// ClockHandler returns a handler that serves all sites at the time of a clock.
// On a loopback host, "/" lists the sites and "/clock" shows the clock, which
// "/clock?add=24h" turns.
func (p *Press) ClockHandler(c *Clock) http.Handler {
	sites := p.Handler(c.Now)
	front := template.Must(template.ParseFS(templateFiles, "templates/press.tmpl"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostName(r.Host)
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			sites.ServeHTTP(w, r)
			return
		}
		switch r.URL.Path {
		case "/":
			var out bytes.Buffer
			err := front.Execute(&out, map[string]any{"Sites": p.sites, "Traps": p.Traps(), "Now": c.Now().UTC().Format(time.RFC1123), "Host": r.Host})
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			send(w, htmlType, out.Bytes())
		case "/clock":
			if add := r.FormValue("add"); add != "" {
				d, err := time.ParseDuration(add)
				if err != nil {
					http.Error(w, "add: "+err.Error()+": use a duration such as 24h or 90m", http.StatusBadRequest)
					return
				}
				c.Add(d)
			}
			sendText(w, c.Now().UTC().Format(time.RFC3339)+"\n")
		default:
			http.NotFound(w, r)
		}
	})
}
