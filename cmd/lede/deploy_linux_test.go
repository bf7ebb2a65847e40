package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// repository is the root of the repository.
const repository = "../.."

// containerfile returns the instructions of the Containerfile, without those that are
// continued on further lines, by their names.
func containerfile(t *testing.T) map[string][]string {
	t.Helper()
	text := strings.ReplaceAll(string(readFile(t, filepath.Join(repository, "Containerfile"))), "\\\n", " ")
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = append(all[name], rest)
	}
	return all
}

// execForm returns the command of an instruction, which runs without a shell.
func execForm(t *testing.T, instructions []string) (command []string) {
	t.Helper()
	if len(instructions) != 1 {
		t.Fatalf("%q is not one instruction", instructions)
	}
	list := instructions[0][strings.Index(instructions[0], "[")+1:]
	if err := json.Unmarshal([]byte("["+list), &command); err != nil {
		t.Fatalf("%s: %v", instructions[0], err)
	}
	return command
}

func TestContainerfile(t *testing.T) {
	c := containerfile(t)
	if from := c["FROM"]; len(from) != 2 || from[1] != "scratch" {
		t.Errorf("FROM %q", from)
	}
	if user := c["USER"]; len(user) != 1 || !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user[0]) {
		t.Errorf("USER %q", user)
	}
	if copied := strings.Join(c["COPY"], "\n"); !strings.Contains(copied, "/src/LICENSE /LICENSES.txt /") {
		t.Errorf("no licences in COPY %s", copied)
	}
	root := newRoot()
	command := execForm(t, c["CMD"])
	cmd, args, err := root.Find(command)
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err != nil || cmd == root {
		t.Errorf("%q: %v", command, err)
	}
	for _, tool := range []string{filepath.Join(repository, "bin/hadolint/bin/hadolint"), "hadolint"} {
		if _, err := exec.LookPath(tool); err != nil {
			continue
		}
		if out, err := exec.Command(tool, "--failure-threshold", "style", filepath.Join(repository, "Containerfile")).CombinedOutput(); err != nil {
			t.Errorf("hadolint: %v\n%s", err, out)
		}
		return
	}
	t.Log("hadolint is not installed; see scripts/test.sh")
}

// askService extracts a page with a service, and checks its health.
func askService(t *testing.T, address string) {
	t.Helper()
	resp, err := http.Post(address+"/v1/extract", "text/html", strings.NewReader(servePage))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"title": "Ferry returns"`) {
		t.Errorf("%v %s: %s", err, resp.Status, body)
	}
}

// isHealthy reports whether a service answers.
func isHealthy(address string) bool {
	resp, err := http.Get(address + "/healthz")
	if err == nil {
		resp.Body.Close()
	}
	return err == nil && resp.StatusCode == http.StatusOK
}

// containerTool returns a tool that can build and run containers, or skips the test.
func containerTool(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"podman", "docker"} {
		if exec.Command(name, "info").Run() == nil {
			return name
		}
	}
	t.Skip("no container tool works here: neither podman info nor docker info succeeds")
	return ""
}

// TestContainer builds the image and runs it as docs/serve.md says.
func TestContainer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an image")
	}
	tool := containerTool(t)
	const image = "lede-test"
	if out, err := exec.Command(tool, "build", "-t", image, "-f", filepath.Join(repository, "Containerfile"), repository).CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("golang")) && regexp.MustCompile(`pull|registry|lookup|timeout`).Match(out) {
			t.Skipf("the base image cannot be had: %v\n%s", err, out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(tool, "run", "-d", "--rm", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "-p", "127.0.0.1::8080",
		image, "serve", "--addr", "0.0.0.0:8080", "--open").Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(out))
	defer func() { _ = exec.Command(tool, "stop", id).Run() }()
	port, err := exec.Command(tool, "port", id, "8080").Output()
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + strings.TrimSpace(string(port))
	testkit.WaitFor(t, "the container to answer", func() bool { return isHealthy(address) })
	askService(t, address)
}

// TestContainerContents runs what the container would: the binary that the Containerfile
// builds, alone in a file system that cannot be written to, as its user.
func TestContainerContents(t *testing.T) {
	switch {
	case testing.Short() || testkit.Race:
		t.Skip("builds lede")
	case os.Getuid() != 0:
		t.Skip("needs root, to change the root of the file system")
	case exec.Command("unshare", "--mount", "true").Run() != nil:
		t.Skip("unshare --mount does not work here")
	}
	c := containerfile(t)
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	var build string
	for _, command := range c["RUN"] {
		if strings.Contains(command, "go build") {
			build = strings.Replace(command, " -o /lede ", " -o "+filepath.Join(root, "lede")+" ", 1)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	compile := exec.CommandContext(ctx, "sh", "-c", build)
	compile.Dir = repository
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, out)
	}
	binary, err := elf.Open(filepath.Join(root, "lede"))
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	for _, p := range binary.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Error("the binary is not static")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close() // for the service
	inside := func(args string) *exec.Cmd {
		cmd := exec.Command("unshare", "--mount", "sh", "-c", fmt.Sprintf(
			`mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec env -i "$(command -v chroot)" --userspec=%s "$0" /lede %s`, c["USER"][0], args), root)
		cmd.Stderr = new(lockedBuffer)
		return cmd
	}
	service := inside("serve --addr " + addr)
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	log := service.Stderr.(*lockedBuffer)
	ended := make(chan error, 1)
	go func() { ended <- service.Wait() }()
	t.Cleanup(func() { _ = service.Process.Kill() }) // it may have ended
	testkit.WaitFor(t, "the service to answer", func() bool {
		return len(ended) > 0 || isHealthy("http://"+addr)
	})
	if len(ended) > 0 {
		t.Fatalf("the service does not start: %v\n%s", <-ended, log)
	}
	askService(t, "http://"+addr)
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
		t.Errorf("%v: the service wrote files: %v", err, entries)
	}
	status := string(readFile(t, fmt.Sprintf("/proc/%d/status", service.Process.Pid)))
	if !regexp.MustCompile(`(?m)^Uid:\s+65532\s`).MatchString(status) {
		t.Errorf("it does not run as its user:\n%s", status)
	}
	if err := service.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v:\n%s", err, log)
	}
	if text := log.String(); !strings.Contains(text, "the bookmarklet works until the service ends") || strings.Contains(text, "ERROR") {
		t.Errorf("the log:\n%s", text)
	}
}

// TestSystemdUnit checks the unit with systemd's own tools.
func TestSystemdUnit(t *testing.T) {
	unit := filepath.Join(repository, "deploy", "lede.service")
	text := string(readFile(t, unit))
	command := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/lede (.*)$`).FindStringSubmatch(text)
	if command == nil {
		t.Fatal("no ExecStart")
	}
	root := newRoot()
	cmd, args, err := root.Find(strings.Fields(command[1]))
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err != nil || cmd.Name() != "serve" {
		t.Errorf("lede %s: %v", command[1], err)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The command has to exist for the check.
	copied := filepath.Join(t.TempDir(), "lede.service")
	if err := os.WriteFile(copied, []byte(strings.ReplaceAll(text, "/usr/local/bin/lede", self)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("systemd-analyze", "verify", "--man=no", copied).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	// From 0, nothing can go wrong, to 100, anything can.
	const mostExposed = "15"
	help, _ := exec.Command("systemd-analyze", "--help").Output()
	if !strings.Contains(string(help), "--offline") {
		t.Skip("this version of systemd-analyze cannot judge units that are not installed")
	}
	if out, err := exec.Command("systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold="+mostExposed, copied).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, out)
	}
}
