//go:build !unix

package store

func isReadOnlyDisk(error) bool { return false }

func isFullDisk(error) bool { return false }

// syncFolder does nothing: folders cannot be synced on these systems.
func syncFolder(string) error { return nil }
