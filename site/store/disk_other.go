//go:build !unix

package store

func isReadOnlyDisk(error) bool { return false }

func isFullDisk(error) bool { return false }
