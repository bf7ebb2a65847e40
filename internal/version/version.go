// Package version knows the version of lede in the binary.
package version

import "runtime/debug"

// Module is the path of the module of lede.
const Module = "github.com/lede-news/lede"

// linked is the version that the linker was given, for programs that are built from
// sources without a repository, such as those of the Python package.
var linked string

// Get returns the version of lede, also if another program imports it, or "devel" if
// it is unknown. No constant has to be kept in step with tags.
func Get() string {
	if linked != "" {
		return linked
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == Module && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "devel"
}
