package main

import (
	"runtime/debug"
	"testing"
)

func TestBuildVersion(t *testing.T) {
	vcs := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	const revision = "3db1bdb4263dc855e33bae96012a65d056695197"
	for _, test := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"", nil, "devel"},
		{"(devel)", nil, "devel"},
		{"v1.2.0", nil, "v1.2.0"},
		{"(devel)", vcs(revision, "false"), "devel (commit 3db1bdb4263d)"},
		{"v1.2.0", vcs(revision, "false"), "v1.2.0 (commit 3db1bdb4263d)"},
		{"v1.2.0+dirty", vcs(revision, "true"), "v1.2.0+dirty (commit 3db1bdb4263d, modified)"},
		{"(devel)", vcs("short", "false"), "devel (commit short)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: test.version}, Settings: test.settings}
		if got := buildVersion(info); got != test.want {
			t.Errorf("%q: %q, want %q", test.version, got, test.want)
		}
	}
	if got := buildVersion(nil); got != "devel" {
		t.Errorf("no information: %q", got)
	}
}
