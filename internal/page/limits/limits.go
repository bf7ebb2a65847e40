// Package limits declares the default limits on what one page may cost. The
// public packages export them under names of their own.
package limits

import "time"

// The default limits of a page. Of 5,200 news pages none has more than 1.8 MB or
// 28,000 nodes.
const (
	PageBytes = 20 << 20
	PageNodes = 500_000
	PageTime  = 10 * time.Second
)
