package follow

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/lede-news/lede/internal/output/sqlite"
)

// SiteStatus is what a state file says about a site.
type SiteStatus struct {
	URL     string
	Visited time.Time // end of the last visit; zero if there was none
	Next    time.Time // when it is due again
	Stories int       // so far
	New     int       // in the last visit
	Queued  int       // pages that are to be fetched
	Failed  int       // pages that were given up
	Errors  int       // of pages in the last visit
	Reason  string    // why the last visit found nothing or was cut short, or ""
}

// Status returns what a state file says about its sites, in the order in which they
// were added. The file may be in use.
func Status(ctx context.Context, state string) (list []SiteStatus, err error) {
	if _, err := os.Stat(state); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", state, fs.ErrNotExist)
	}
	name, err := sqlite.DSN(state, "mode=ro", "_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT `+siteColumns+`,
		(SELECT count(*) FROM pages WHERE site = sites.id AND state = 0)
		FROM sites ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", state, err)
	}
	defer rows.Close()
	for rows.Next() {
		var r siteRecord
		if err := rows.Scan(append(r.columns(), &r.Queued)...); err != nil {
			return nil, fmt.Errorf("%s: %w", state, err)
		}
		list = append(list, r.SiteStatus)
	}
	return list, rows.Err()
}
