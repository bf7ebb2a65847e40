package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// measured is tool for a command whose peak memory, in KB, is known when it has
// ended. The system's own figure is no use: on Linux it counts the process that
// started the command, too.
func measured(t *testing.T, args ...string) (cmd *exec.Cmd, peak func() int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak")
	cmd = tool(t, args...)
	cmd.Args[0] = "lede-measured"
	cmd.Env = append(os.Environ(), "LEDE_PEAK="+file)
	return cmd, func() int {
		kb, err := strconv.Atoi(string(readFile(t, file)))
		if err != nil || kb == 0 {
			t.Fatalf("the command did not measure its memory: %d, %v", kb, err)
		}
		return kb
	}
}

// measuredMain runs lede and writes its peak memory to the file LEDE_PEAK.
func measuredMain() {
	code := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	peak, err := testkit.PeakMemory()
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Getenv("LEDE_PEAK"), []byte(strconv.FormatInt(peak>>10, 10)), 0o644); err != nil {
		panic(err)
	}
	os.Exit(code)
}
