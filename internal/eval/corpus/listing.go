package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listing is what is in a folder.
type listing struct {
	dir         string
	files, dirs []string // sorted
}

func list(dir string) (*listing, error) {
	fi, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("no such folder")
	} else if err == nil && !fi.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	l := &listing{dir: dir}
	for _, e := range entries {
		is := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 { // a link counts as what it leads to
			fi, err := os.Stat(filepath.Join(dir, e.Name()))
			is = err == nil && fi.IsDir()
		}
		if is {
			l.dirs = append(l.dirs, e.Name())
		} else {
			l.files = append(l.files, e.Name())
		}
	}
	return l, nil
}

func (l *listing) path(name ...string) string {
	return filepath.Join(append([]string{l.dir}, name...)...)
}

func (l *listing) hasFile(name string) bool { return slices.Contains(l.files, name) }
func (l *listing) hasDir(name string) bool  { return slices.Contains(l.dirs, name) }

// pagesIn finds the pages of a folder by their names without .html and .gz. Of
// a page that is there packed and unpacked it is the packed one.
func pagesIn(l *listing) map[string]string { return stems(l, ".htm", ".html", ".xhtml") }

// textsIn finds the text files.
func textsIn(l *listing) map[string]string {
	texts := stems(l, ".txt")
	for id := range texts {
		if low := strings.ToLower(id); strings.HasPrefix(low, "readme") || strings.HasPrefix(low, "license") {
			delete(texts, id)
		}
	}
	return texts
}

func stems(l *listing, exts ...string) map[string]string {
	found := map[string]string{}
	for _, packed := range []string{"", ".gz"} {
		for _, ext := range exts {
			for _, name := range l.files {
				if id, is := cutFold(name, ext+packed); is && id != "" {
					found[id] = filepath.Join(l.dir, name)
				}
			}
		}
	}
	return found
}

// cutFold takes off an ending in any case.
func cutFold(name, ext string) (string, bool) {
	at := len(name) - len(ext)
	if at < 0 || !strings.EqualFold(name[at:], ext) {
		return name, false
	}
	return name[:at], true
}
