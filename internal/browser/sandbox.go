package browser

import (
	"os"
	"strings"
)

const noSandbox = "Chromium runs without its sandbox, since lede runs as root in a container; run it as another user to have the sandbox"

// sandboxed decides whether Chromium runs in its sandbox. It cannot as root; a
// container is then the wall that is left, and without one nothing is.
func sandboxed(root, container bool) (bool, error) {
	switch {
	case !root:
		return true, nil
	case container:
		return false, nil
	}
	return false, ErrRoot
}

// inContainer looks for the marks that container engines leave.
func inContainer() bool {
	for _, file := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	if os.Getenv("container") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
		return true
	}
	groups, _ := os.ReadFile("/proc/1/cgroup")
	for _, engine := range []string{"docker", "kubepods", "containerd", "lxc", "libpod"} {
		if strings.Contains(string(groups), engine) {
			return true
		}
	}
	return false
}

func root() bool { return os.Geteuid() == 0 }
