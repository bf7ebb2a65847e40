package batch

import (
	"path"
	"strings"
)

// Archive is an input of a run that is divided among many machines.
type Archive struct {
	// Path is a file, a folder, or the URI of a file, such as s3a://bucket/a.warc.gz.
	Path string `json:"path"`
	// Size is its size in bytes, or -1 if it is unknown.
	Size int64 `json:"size"`
}

// Task is a part of a run: an archive, or a range of a large WARC file.
type Task struct {
	Part    int    `json:"part"`    // number of the task, from 0
	Archive int    `json:"archive"` // index of the archive
	Path    string `json:"path"`
	// Name is how the IDs of the pages begin, for Source.Name. It is empty if there is
	// only one archive.
	Name  string `json:"name"`
	From  int64  `json:"from"`  // offset where the range begins
	Until int64  `json:"until"` // offset where it ends; 0 is the end of the archive
}

// Plan divides archives into tasks. The results of all tasks together are those of
// one run over all archives, in the same order. WARC files that are larger than split
// become ranges of that size, see Source.Range; if split is 0, no file is divided. A path
// that begins with file: is that of a local file, and Task.Path has it without.
func Plan(archives []Archive, split int64) []Task {
	s := &Source{}
	for _, a := range archives {
		s.Paths = append(s.Paths, localPath(a.Path))
	}
	var tasks []Task
	for i, name := range s.inputNames() {
		t := Task{Archive: i, Path: s.Paths[i], Name: name.prefix}
		size := archives[i].Size
		for ; split > 0 && size-t.From > split && fileKindOf(t.Path) == warcFile; t.From = t.Until {
			t.Part, t.Until = len(tasks), t.From+split
			tasks = append(tasks, t)
		}
		t.Part, t.Until = len(tasks), 0
		tasks = append(tasks, t)
	}
	return tasks
}

// localPath returns a path without file: at its beginning.
func localPath(p string) string {
	rest, ok := strings.CutPrefix(p, "file:")
	if !ok || !strings.HasPrefix(rest, "/") {
		return p
	}
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		if at := strings.IndexByte(authority, '/'); at >= 0 {
			return authority[at:]
		}
	}
	return rest
}

// isURI reports whether a path is the URI of a file on another machine.
func isURI(p string) bool {
	scheme, _, ok := strings.Cut(p, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/\\ ")
}

// uriPath returns a URI as an absolute path with slashes.
func uriPath(p string) string { return path.Clean("/" + p) }
