//go:build !unix

package store

func isReadOnlyDisk(error) bool { return false }

func isFullDisk(error) bool { return false }

// syncFolder is not possible, and not needed, on these systems.
func syncFolder(string) error { return nil }
