package batch

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
)

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
func entryID(name string) string { return withoutEnding(cleanPath(name)) }

// cleanPath returns a path with slashes, without .. and / at its beginning.
func cleanPath(name string) string {
	return strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(name)), "/")
}

// pageID returns the ID of a page that is a file.
func (f *file) pageID() string {
	switch {
	case f.gold != "":
		return f.gold
	case f.within == "":
		return f.name // which has no ending
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

// inputNames returns the names of the inputs: the last part of the path, or the whole path
// where several inputs have the same one.
func (s *Source) inputNames() []inputName {
	if len(s.Paths) == 1 && s.Name != "" {
		return []inputName{{s.Name, s.Name}}
	}
	names := make([]inputName, len(s.Paths))
	users, shared := map[string]string{}, map[string]bool{} // by name
	for i, p := range s.Paths {
		name := s.inputName(p, true)
		if user, ok := users[name]; ok && user != p {
			shared[name] = true
		}
		names[i].name, users[name] = name, p
	}
	for i, p := range s.Paths {
		if shared[names[i].name] {
			names[i].name = s.inputName(p, false)
		}
		if len(names) > 1 {
			names[i].prefix = names[i].name
		}
	}
	return names
}

// inputName returns the name of an input: the last part of its path, or all of it.
func (s *Source) inputName(p string, last bool) string {
	switch {
	case p == "-" && s.Stdin != nil:
		return "stdin"
	case s.isAddress(p): // which is the ID, whatever the other inputs
		return p
	}
	name := p
	if abs, err := filepath.Abs(p); err == nil && last { // so that . has a name
		name = filepath.Base(abs)
	}
	if name = cleanPath(name); fileKindOf(p) == pageFile && !isDir(p) {
		name = withoutEnding(name)
	}
	return cmp.Or(name, "/")
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
