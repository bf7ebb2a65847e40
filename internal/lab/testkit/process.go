package testkit

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// Kills returns how many processes a test kills: the value of LEDE_KILLS, or else usual. It
// skips the test in the short form of the race detector, which sees nothing in killed processes.
func Kills(tb testing.TB, usual int) int {
	SkipRace(tb)
	if n, err := strconv.Atoi(os.Getenv("LEDE_KILLS")); err == nil {
		return n
	}
	return usual
}

// RunKilled runs the test binary with additions to its environment, kills it after it
// has written that many lines, and reports whether it ended by itself before.
func RunKilled(tb testing.TB, lines int, env ...string) (ended bool) {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	s := bufio.NewScanner(out)
	for n := 0; n < lines && s.Scan(); n++ {
	}
	_ = cmd.Process.Kill() // it may have ended
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() >= 0 {
		tb.Fatalf("%v: %s", err, said.String())
	}
	return cmd.ProcessState.ExitCode() == 0
}

// PeakMemory returns how many bytes of the process were in memory at its peak. Only Linux
// tells.
func PeakMemory() (bytes int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		_, err = fmt.Sscanf(rest, "%d kB", &bytes)
	}
	return bytes << 10, err
}
