package eval

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/page/lines"
)

// PipeOptions are the options of Pipe.
type PipeOptions struct {
	StartTimeout time.Duration // until the first line (default: one minute)
	PageTimeout  time.Duration // for a page (default: 30 seconds)
	Env          []string      // added to the environment, as NAME=value
	Dir          string        // working directory (default: the current one)
}

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
	opts    PipeOptions

	mu       sync.Mutex // one page at a time
	proc     *process
	stopped  error // why it is not restarted
	info     PipeInfo
	failures int // in a row
}

// PipeInfo is the first line that a program writes.
type PipeInfo struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
}

// After maxFailures in a row, a program is not restarted.
const maxFailures = 5

// maxAnswer is the longest line in bytes that a program may write.
const maxAnswer = 64 << 20

// Pipe starts a program.
func Pipe(name string, command []string, opts PipeOptions) (*PipeSystem, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("%s: no command", name)
	}
	opts.StartTimeout = cmp.Or(opts.StartTimeout, time.Minute)
	opts.PageTimeout = cmp.Or(opts.PageTimeout, 30*time.Second)
	s := &PipeSystem{name: name, command: command, opts: opts}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Name returns the name given to Pipe.
func (s *PipeSystem) Name() string { return s.name }

// Info returns what the program wrote about itself.
func (s *PipeSystem) Info() PipeInfo { return s.info }

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
	if s.proc == nil && s.stopped == nil {
		if err := s.start(); err != nil {
			s.fail(err)
		}
	}
	if s.stopped != nil {
		return &measure.Output{Error: s.stopped.Error()}
	}
	if s.proc == nil {
		return &measure.Output{Error: "the program does not start"}
	}
	p, err := s.request(ctx, in)
	if err != nil {
		s.fail(err)
		return &measure.Output{Error: err.Error()}
	}
	s.failures = 0
	return p.output()
}

// fail stops the program after an error, for good after maxFailures.
func (s *PipeSystem) fail(err error) {
	s.stop()
	if s.failures++; s.failures >= maxFailures {
		s.stopped = fmt.Errorf("stopped after %d failures in a row; the last: %w", s.failures, err)
	}
}

// request sends a page and returns the answer.
func (s *PipeSystem) request(ctx context.Context, in *Input) (*prediction, error) {
	line, err := json.Marshal(struct {
		ID      string `json:"id"`
		URL     string `json:"url"`
		Charset string `json:"charset"`
		HTML    string `json:"html"`
	}{in.ID, in.URL, in.Charset, strings.ToValidUTF8(string(in.HTML), "\uFFFD")})
	if err != nil {
		return nil, err
	}
	row, err := s.proc.exchange(ctx, append(line, '\n'), s.opts.PageTimeout)
	if err != nil {
		return nil, err
	}
	p := new(prediction)
	if err := json.Unmarshal(row, p); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %.80q", row)
	}
	if p.ID != in.ID {
		return nil, fmt.Errorf("the answer is for page %q, not %q", p.ID, in.ID)
	}
	return p, nil
}

func (s *PipeSystem) start() error {
	p, err := startProcess(s.command, s.opts)
	if err != nil {
		return err
	}
	row, err := p.exchange(context.Background(), nil, s.opts.StartTimeout)
	if err == nil {
		if err = json.Unmarshal(row, &s.info); err != nil {
			err = fmt.Errorf("invalid first line %.80q; want an object with name, version and language", row)
		}
	}
	if err != nil {
		p.stop()
		return err
	}
	s.proc = p
	return nil
}

func (s *PipeSystem) stop() {
	if s.proc != nil {
		s.proc.stop()
		s.proc = nil
	}
}

// process is a running program with its pipes.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
}

func startProcess(command []string, opts PipeOptions) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...), stderr: &tail{}}
	p.cmd.Env = append(os.Environ(), opts.Env...)
	p.cmd.Dir = opts.Dir
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = time.Second
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<16)
	return p, p.cmd.Start()
}

// exchange writes a line, if there is one, and reads one.
func (p *process) exchange(ctx context.Context, request []byte, limit time.Duration) ([]byte, error) {
	type reply struct {
		row []byte
		err error
	}
	done := make(chan reply, 1)
	go func() {
		if len(request) > 0 {
			if _, err := p.in.Write(request); err != nil {
				done <- reply{err: err}
				return
			}
		}
		row, _, err := lines.Read(p.out, maxAnswer)
		done <- reply{row, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-done:
		if r.err != nil {
			p.stop() // completes stderr
			return nil, fmt.Errorf("the program ended: %w%s", r.err, p.stderr)
		}
		return r.row, nil
	case <-timer.C:
		return nil, fmt.Errorf("no answer within %v", limit)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *process) stop() {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// tail keeps the end of what a program writes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const limit = 2000
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > limit {
		t.text = slices.Clone(t.text[len(t.text)-limit:])
	}
	return len(p), nil
}

// String returns the last line, to be appended to an error.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + last
	}
	return ""
}
