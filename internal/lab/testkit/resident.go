package testkit

import (
	"fmt"
	"os"
	"strings"
)

// ResidentMemory returns how many bytes of the process are in memory now, and how many
// were at its peak. Only Linux tells.
func ResidentMemory() (now, peak int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0, err
	}
	read := func(name string) (bytes int64) {
		_, rest, _ := strings.Cut(string(status), name)
		if _, scanErr := fmt.Sscanf(rest, "%d kB", &bytes); scanErr != nil && err == nil {
			err = fmt.Errorf("/proc/self/status: %s %w", name, scanErr)
		}
		return bytes << 10
	}
	return read("VmRSS:"), read("VmHWM:"), err
}

// ForgetPeak makes what is in memory now the peak of ResidentMemory.
func ForgetPeak() error { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
