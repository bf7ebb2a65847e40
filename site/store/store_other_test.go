//go:build !linux

package store

func limitFileSize(string) { panic("only on Linux") }
