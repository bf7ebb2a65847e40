package batch

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
)

// pageEndings are the endings of pages in folders and archives.
var pageEndings = []string{".html", ".htm", ".html.gz", ".htm.gz"}

// withoutEnding returns the path of a page without .html, .htm and .gz.
func withoutEnding(name string) string {
	for _, ending := range []string{".gz", ".html", ".htm"} {
		if n := len(name) - len(ending); n > 0 && name[n-1] != '/' && strings.EqualFold(name[n:], ending) {
			name = name[:n]
		}
	}
	return name
}

// entryID returns the ID of a page by its path in an archive.
func entryID(name string) string {
	// A rooted path cannot leave the archive: .. at its beginning is dropped.
	return withoutEnding(strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(name)), "/"))
}

// pageID returns the ID of a page that is a file.
func (f *file) pageID() string {
	switch {
	case f.gold != "":
		return f.gold
	case f.within == "":
		return f.name // which has no ending
	case f.twin:
		return path.Join(f.prefix, f.within)
	}
	return path.Join(f.prefix, withoutEnding(f.within))
}

// archiveName returns the name of an archive, for pages that have no ID of their own.
func (f *file) archiveName() string {
	if f.within == "" {
		return f.name
	}
	return path.Join(f.prefix, f.within)
}

// inputName is how the IDs of the pages of an input begin.
type inputName struct {
	name string
	// prefix is the name if there are several inputs, and empty otherwise.
	prefix string
}

// inputNames returns the names of the inputs: the last part of the path and, where
// inputs have the same one, as many parts before it as tell them apart.
func (s *Source) inputNames() []inputName {
	if len(s.Paths) == 1 && s.Name != "" {
		return []inputName{{s.Name, s.Name}}
	}
	paths, full := make([]string, len(s.Paths)), make([]string, len(s.Paths))
	users := map[string]string{} // of a path without its ending
	for i, p := range s.Paths {
		full[i] = s.fullPath(p)
		if paths[i] = full[i]; fileKindOf(p) == pageFile && !isDir(p) {
			paths[i] = withoutEnding(full[i])
		}
		if other, taken := users[paths[i]]; taken && other != full[i] {
			users[paths[i]] = "" // page.html and page.html.gz
			continue
		}
		users[paths[i]] = full[i]
	}
	for i := range paths {
		if users[paths[i]] == "" {
			paths[i] = full[i]
		}
	}
	names := make([]inputName, len(paths))
	left := len(paths)
	for i, p := range s.Paths {
		if s.isAddress(p) { // which is the ID, whatever the other inputs
			names[i].name = p
			left--
		}
	}
	for parts := 1; left > 0; parts++ {
		count := map[string]int{}
		seen := map[string]bool{}
		for i, p := range paths {
			if !seen[p] && !s.isAddress(s.Paths[i]) { // the same input twice has one name
				seen[p] = true
				count[lastParts(p, parts)]++
			}
		}
		for i, p := range paths {
			if names[i].name != "" {
				continue
			}
			if name := lastParts(p, parts); count[name] == 1 || name == p {
				names[i].name = cmp.Or(strings.Trim(name, "/"), "/")
				left--
			}
		}
	}
	if len(names) > 1 {
		for i := range names {
			names[i].prefix = names[i].name
		}
	}
	return names
}

// fullPath returns the absolute path of an input, with slashes, or its address.
func (s *Source) fullPath(p string) string {
	if p == "-" && s.Stdin != nil {
		return "stdin"
	}
	if s.isAddress(p) {
		return p
	}
	if abs, err := filepath.Abs(p); err == nil { // so that . has a name
		p = abs
	}
	return filepath.ToSlash(filepath.Clean(p)[len(filepath.VolumeName(p)):])
}

// lastParts returns the last n parts of a path with slashes.
func lastParts(p string, n int) string {
	at := len(p)
	for ; n > 0 && at > 0; n-- {
		at = strings.LastIndexByte(p[:at], '/')
	}
	if n > 0 || at < 0 {
		return p
	}
	return p[at+1:]
}

// Names returns how the IDs of the pages of each path begin, for Source.Name. They are
// empty if there is only one path.
func (s *Source) Names() []string {
	var names []string
	for _, n := range s.inputNames() {
		names = append(names, n.prefix)
	}
	return names
}
