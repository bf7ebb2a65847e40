package batch

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// origin is where a page comes from.
type origin struct{ url, site string }

// readOrigins reads the id, url and site of every line of a gold file.
func readOrigins(path string) (map[string]origin, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	known := map[string]origin{}
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var g struct{ ID, URL, Site string }
			if err := json.Unmarshal(line, &g); err != nil {
				return known, fmt.Errorf("%s:%d: not a line of JSON: %w", path, n, err)
			}
			known[g.ID] = origin{g.URL, g.Site}
		}
		if err == io.EOF {
			return known, nil
		}
		if err != nil {
			return known, fmt.Errorf("reading %s: %w", path, err)
		}
	}
}
