//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lede-news/lede/internal/cli"
)

const pipePage = "<title>Ferry</title><h1>Ferry returns</h1><p>The ferry is back in service after a winter in the dock, and the town is glad of it.</p>"

// pipeProcess is a lede pipe of a test, or a process that has started one.
type pipeProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     *os.File // the write end of its standard input
	out    *os.File // the read end of its standard output
	stderr bytes.Buffer
}

// startPipe starts lede pipe and reads the hello. The name is that of the program.
func startPipe(t *testing.T, name string, args ...string) *pipeProcess {
	t.Helper()
	p := &pipeProcess{t: t, cmd: tool(t, append([]string{"pipe"}, args...)...)}
	p.cmd.Args[0] = name
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Stderr = &p.stderr
	stdin, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.out, p.cmd.Stdin, p.cmd.Stdout = in, out, stdin, stdout
	err = p.cmd.Start()
	stdin.Close()
	stdout.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		_ = p.cmd.Wait()
		in.Close()
		out.Close()
	})
	readFrame(t, out)
	return p
}

// ask sends a request and checks its answer.
func (p *pipeProcess) ask(id int) {
	p.t.Helper()
	p.send(appendFrame(nil, map[string]any{"id": id, "do": "extract"}, []byte(pipePage)))
	if f := readFrame(p.t, p.out); f.ID != float64(id) || !strings.Contains(f.body, `"title":"Ferry returns"`) {
		p.t.Fatalf("the answer is %+v", f)
	}
}

func (p *pipeProcess) send(frames []byte) {
	p.t.Helper()
	if _, err := p.in.Write(frames); err != nil {
		p.t.Fatal(err)
	}
}

// signal sends a signal to the process and those that it has started.
func (p *pipeProcess) signal(sig syscall.Signal) {
	p.t.Helper()
	if err := syscall.Kill(-p.cmd.Process.Pid, sig); err != nil {
		p.t.Fatal(err)
	}
}

// wait waits for the end of the process and checks its status and messages.
func (p *pipeProcess) wait(status int, messages string) {
	p.t.Helper()
	err := p.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	if got := p.cmd.ProcessState.ExitCode(); got != status || !strings.Contains(p.stderr.String(), messages) || messages == "" && p.stderr.Len() > 0 {
		p.t.Errorf("it ends with %v and says %s; want status %d and %q", p.cmd.ProcessState, &p.stderr, status, messages)
	}
}

// TestPipeEndsWithParent kills the process that has started lede, while the test still
// holds the write end of the input.
func TestPipeEndsWithParent(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--site-store", filepath.Join(t.TempDir(), "sites.db")}} {
		p := startPipe(t, "lede-parent", args...)
		p.ask(1)
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		// Its standard output has an end when lede has ended, too.
		if rest, err := io.ReadAll(p.out); err != nil || len(rest) > 0 {
			t.Errorf("%q, %v", rest, err)
		}
		p.wait(-1, "")
	}
}

// TestPipeSignals checks that Ctrl-C is left to the client, and that SIGTERM ends lede,
// though its input goes on.
func TestPipeSignals(t *testing.T) {
	t.Parallel()
	p := startPipe(t, "lede")
	p.ask(1)
	p.signal(syscall.SIGINT)
	p.ask(2)
	p.signal(syscall.SIGINT)
	p.ask(3)
	p.signal(syscall.SIGTERM)
	if rest, err := io.ReadAll(p.out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
	p.wait(cli.ExitOK, "")
}

// TestPipeClosedOutput checks that lede ends without a message when its output is closed,
// though its input goes on.
func TestPipeClosedOutput(t *testing.T) {
	t.Parallel()
	p := startPipe(t, "lede")
	p.ask(1)
	_ = p.out.Close()
	p.send(appendFrame(nil, map[string]any{"id": 2, "do": "extract"}, []byte(pipePage)))
	p.wait(cli.ExitOK, "")
	dir := t.TempDir()
	for i := range 50 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".html")), bytes.Repeat([]byte(pipePage), 100), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p = startPipe(t, "lede", "--read", dir)
	_ = p.out.Close()
	p.wait(cli.ExitOK, "")
}

// TestPipeBadFrames checks the exit status and the message of an input that is no
// sequence of frames.
func TestPipeBadFrames(t *testing.T) {
	t.Parallel()
	for in, message := range map[string]string{
		"GET / HTTP/1.1\r\n": "lede: the input is not a sequence of frames: a head of 1195725856 bytes is announced",
		"\x00\x00\x00":       "lede: the input is not a sequence of frames: it ends inside a frame",
	} {
		p := startPipe(t, "lede")
		p.ask(1)
		p.send([]byte(in))
		_ = p.in.Close()
		p.wait(cli.ExitAborted, message)
	}
}
