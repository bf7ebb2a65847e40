package batch

import (
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// walk goes through a folder in the order of names. Unlike filepath.WalkDir it
// keeps no more than the names of one folder at each depth, so that a folder
// with a million files costs little, and it can begin anywhere.
type walk struct {
	root  string
	after string // the file to begin with, as visit had it; empty for the first
	visit func(path, way string, size int64, err error) bool
}

// folder goes through the folder at the end of way. It says whether to go on.
func (w *walk) folder(way string) bool {
	names, err := w.names(filepath.Join(w.root, filepath.FromSlash(way)))
	for _, name := range names {
		name, isFolder := strings.CutSuffix(name, "/")
		below := path.Join(way, name)
		if w.past(below, isFolder) {
			continue
		}
		if isFolder {
			if !w.folder(below) {
				return false
			}
			continue
		}
		file := filepath.Join(w.root, filepath.FromSlash(below))
		fi, err := os.Stat(file)
		switch {
		case err != nil:
			err = plain(err)
		case fi.IsDir(): // by a link; it might lead in circles
			continue
		}
		var size int64
		if err == nil {
			size = fi.Size()
		}
		if !w.visit(file, below, size, err) {
			return false
		}
	}
	if err != nil {
		dir := filepath.Join(w.root, filepath.FromSlash(way))
		return w.visit(dir, path.Join(way, "~"), 0, plain(err))
	}
	return true
}

// past tells whether all of a file or folder was before the place to begin at.
func (w *walk) past(way string, isFolder bool) bool {
	if w.after == "" {
		return false
	}
	if isFolder && strings.HasPrefix(w.after, way+"/") {
		return false
	}
	return slices.Compare(strings.Split(way, "/"), strings.Split(w.after, "/")) < 0
}

// names lists what is of use in a folder, sorted; folders have a slash at the
// end. It gives what it could read along with the error.
func (w *walk) names(dir string) (names []string, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			switch {
			case e.IsDir():
				names = append(names, e.Name()+"/")
			case inFolder(e.Name()):
				names = append(names, e.Name())
			}
		}
		if err != nil {
			slices.SortFunc(names, func(a, b string) int {
				return strings.Compare(strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/"))
			})
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return names, err
		}
	}
}
