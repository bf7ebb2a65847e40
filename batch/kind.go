package batch

import (
	"path/filepath"
	"strings"
)

// kind is what a file holds.
type kind uint8

const (
	pageFile   kind = iota // one page
	streamFile             // whatever its first bytes say: standard input, a pipe
	warcFile
	tarFile
	zipFile
	linesFile // of JSON
)

// kindOf tells by the name.
func kindOf(path string) kind {
	name := strings.ToLower(path)
	if strings.HasSuffix(name, ".tgz") {
		return tarFile
	}
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".warc":
		return warcFile
	case ".tar":
		return tarFile
	case ".zip":
		return zipFile
	case ".jsonl", ".ndjson":
		return linesFile
	}
	return pageFile
}

// inFolder tells whether a file in a folder, or in an archive, is of interest.
func inFolder(name string) bool { return isPage(name) || kindOf(name) == warcFile }

func isPage(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

func idOf(path string) string {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".html", ".htm"} {
		if n := len(name) - len(ext); n > 0 && strings.EqualFold(name[n:], ext) {
			name = name[:n]
		}
	}
	return name
}
