package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/page/lines"
)

// PipeSystem is a System that runs a program. The program first writes a line
// about itself:
//
//	{"name":"trafilatura","version":"2.0.0","language":"Python"}
//
// It then reads lines of {"id","url","charset","html"} and answers each with a
// line of {"id","title","text","authors","date","type","error","parse_ms",
// "time_ms"}. It takes the times itself, without the pipe.
//
// A program that crashes, hangs or writes anything else fails on that page and is
// restarted for the next one.
type PipeSystem struct {
	name    string
	command []string
	timeout time.Duration // for a page, and twice as long for the start

	mu       sync.Mutex // one page at a time
	cmd      *exec.Cmd  // nil if the program is not running
	in       io.WriteCloser
	out      io.ReadCloser
	lines    *bufio.Reader // of out
	stderr   *bytes.Buffer
	failures int   // in a row
	stopped  error // why it is not restarted
}

// After maxFailures in a row, a program is not restarted.
const maxFailures = 5

// maxAnswer is the longest line in bytes that a program may write.
const maxAnswer = 64 << 20

// Pipe starts a program, which has that much time for a page and twice as much to start.
func Pipe(name string, command []string, timeout time.Duration) (*PipeSystem, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("%s: no command", name)
	}
	s := &PipeSystem{name: name, command: command, timeout: timeout}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Name returns the name given to Pipe.
func (s *PipeSystem) Name() string { return s.name }

// Close stops the program.
func (s *PipeSystem) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	s.stopped = errors.New("closed")
}

// Extract sends a page and waits for the answer.
func (s *PipeSystem) Extract(ctx context.Context, in *Input) *measure.Output {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		return &measure.Output{Error: s.stopped.Error()}
	}
	out, err := s.request(ctx, in)
	if err == nil {
		s.failures = 0
		return out
	}
	s.stop()
	if s.failures++; s.failures >= maxFailures {
		s.stopped = fmt.Errorf("stopped after %d failures in a row; the last: %w", s.failures, err)
	}
	return &measure.Output{Error: err.Error()}
}

// request sends a page and returns the answer.
func (s *PipeSystem) request(ctx context.Context, in *Input) (*measure.Output, error) {
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return nil, err
		}
	}
	line, err := json.Marshal(map[string]string{
		"id": in.ID, "url": in.URL, "charset": "utf-8", "html": strings.ToValidUTF8(string(in.HTML), "\uFFFD"),
	})
	if err != nil {
		return nil, err
	}
	row, err := s.exchange(ctx, append(line, '\n'), s.timeout)
	if err != nil {
		return nil, err
	}
	var p prediction
	if err := json.Unmarshal(row, &p); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %.80q", row)
	}
	if p.ID != in.ID {
		return nil, fmt.Errorf("the answer is for page %q, not %q", p.ID, in.ID)
	}
	return p.output()
}

// start starts the program and reads its first line.
func (s *PipeSystem) start() (err error) {
	cmd := exec.Command(s.command[0], s.command[1:]...)
	s.stderr = new(bytes.Buffer)
	cmd.Stderr, cmd.WaitDelay = s.stderr, time.Second
	if s.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if s.out, err = cmd.StdoutPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.lines = cmd, bufio.NewReaderSize(s.out, 1<<16)
	row, err := s.exchange(context.Background(), nil, 2*s.timeout)
	var about struct{ Name, Version, Language string }
	if err == nil && json.Unmarshal(row, &about) != nil {
		err = fmt.Errorf("invalid first line %.80q; want an object with name, version and language", row)
	}
	if err != nil {
		s.stop()
	}
	return err
}

// exchange writes a request, if there is one, and reads a line.
func (s *PipeSystem) exchange(ctx context.Context, request []byte, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	cmd, out := s.cmd, s.out
	defer context.AfterFunc(ctx, func() { kill(cmd, out) })()
	_, err := s.in.Write(request)
	var row []byte
	if err == nil {
		row, _, err = lines.Read(s.lines, maxAnswer)
	}
	switch {
	case err == nil:
		return row, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	s.stop() // completes stderr
	text := strings.TrimSpace(s.stderr.String())
	return nil, fmt.Errorf("the program ended: %w: %s", err, text[strings.LastIndexByte(text, '\n')+1:])
}

// kill ends the program and all reading from it.
func kill(cmd *exec.Cmd, out io.Closer) {
	_ = cmd.Process.Kill()
	_ = out.Close()
}

func (s *PipeSystem) stop() {
	if s.cmd != nil {
		_ = s.in.Close()
		kill(s.cmd, s.out)
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}
