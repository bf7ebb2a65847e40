package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestDeployParts runs the commands of the Slurm script and of the Kubernetes job, with
// their variables, as each task of an array would.
func TestDeployParts(t *testing.T) {
	testkit.SkipRace(t)
	list, paths := partArchives(t, 5)
	want := wholeRun(t, list)
	bin := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "lede")); err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, env []string, args ...string) {
		t.Helper()
		cmd := exec.Command("sh", args...)
		cmd.Env = append(os.Environ(), append(env, "PATH="+bin+":"+os.Getenv("PATH"), "TMPDIR=/nonexistent")...)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
		}
	}
	t.Run("slurm", func(t *testing.T) {
		out := t.TempDir()
		for i := 1; i <= 3; i++ {
			run(t, []string{fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i), "SLURM_CPUS_PER_TASK=1", "SLURM_MEM_PER_NODE=1500"},
				filepath.Join(repository, "deploy", "slurm", "lede.sbatch"), "3", list, out)
		}
		checkParts(t, out, want)
	})
	t.Run("kubernetes", func(t *testing.T) {
		text := string(readFile(t, filepath.Join(repository, "deploy", "kubernetes", "lede-job.yaml")))
		_, script, ok := strings.Cut(text, "            - |\n")
		script, _, ok2 := strings.Cut(script, "          resources:")
		if !ok || !ok2 || !strings.Contains(text, "completions: 100\n") || !strings.Contains(text, "value: \"100\"\n") {
			t.Fatal("the manifest has another form")
		}
		data := t.TempDir()
		if err := os.WriteFile(filepath.Join(data, "archives.txt"), []byte(strings.Join(paths, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
		script = strings.ReplaceAll(script, "/data/", data+"/")
		for i := range 3 {
			run(t, []string{fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i), "PARTS=3"}, "-c", script)
		}
		checkParts(t, filepath.Join(data, "articles"), want)
	})
}
