//go:build !linux

package store

// limitFileSize is for Linux only.
func limitFileSize() {}
