package browser

import (
	"fmt"
	"os"
	"os/exec"
)

// Variable names a Chromium that is not on PATH, or not under a usual name.
const Variable = "LEDE_CHROMIUM"

const howToInstall = "install it (apt install chromium, dnf install chromium, brew install --cask chromium), or set " +
	Variable + " to its path"

// Find is the path of the Chromium that New starts.
func Find() (string, error) {
	if name := os.Getenv(Variable); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w: %s is %q, which cannot be run; correct it, or unset it to look on PATH", ErrNoBrowser, Variable, name)
		}
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoBrowser, howToInstall)
}
