// Package limits declares default limits that several packages share.
package limits

// PageBytes is the size of the largest page that is read by default.
const PageBytes = 20 << 20
