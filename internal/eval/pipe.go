package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/eval/measure"
)

// PipeOptions bound what a command may take.
type PipeOptions struct {
	Start time.Duration // until its first line; 0 means a minute
	Page  time.Duration // for a page; 0 means half a minute
	Env   []string      // added to the environment, as NAME=value
	Dir   string        // where it runs; the current folder when empty
}

// PipeSystem is a program that extracts: it reads a line of JSON a page and
// answers each with one. The first line it writes says what it is:
//
//	{"name":"trafilatura","version":"2.0.0","language":"Python"}
//
// A page is {"id","url","charset","html"}, an answer
// {"id","title","text","authors","date","type","error","parse_ms","time_ms"}. The
// times are the program's own, without the pipe.
//
// A program that crashes, hangs or answers nonsense has failed on that page; it
// is started anew for the next.
type PipeSystem struct {
	name    string
	command []string
	opts    PipeOptions

	lock sync.Mutex // one page at a time
	proc *process
	dead error // why it is not started again
	info PipeInfo
	fell int // times in a row that it fell over
}

// PipeInfo is what a program says of itself.
type PipeInfo struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
}

// manyFalls in a row, and a program is given up.
const manyFalls = 5

// maxAnswer is the longest line that a program may answer.
const maxAnswer = 64 << 20

// Pipe starts a program.
func Pipe(name string, command []string, opts PipeOptions) (*PipeSystem, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("%s: no command to run", name)
	}
	if opts.Start <= 0 {
		opts.Start = time.Minute
	}
	if opts.Page <= 0 {
		opts.Page = 30 * time.Second
	}
	s := &PipeSystem{name: name, command: command, opts: opts}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Name is the name that was given to it.
func (s *PipeSystem) Name() string { return s.name }

// Info is what the program said of itself.
func (s *PipeSystem) Info() PipeInfo { return s.info }

// Close ends the program.
func (s *PipeSystem) Close() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.stop()
	s.dead = errors.New("closed")
}

// Extract sends a page and waits for the answer.
func (s *PipeSystem) Extract(ctx context.Context, in *Input) *measure.Output {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.proc == nil && s.dead == nil {
		if err := s.start(); err != nil {
			s.fail(err)
		}
	}
	if s.dead != nil {
		return &measure.Output{Error: s.dead.Error()}
	}
	if s.proc == nil {
		return &measure.Output{Error: "could not be started"}
	}
	a, err := s.ask(ctx, in)
	if err != nil {
		s.fail(err)
		return &measure.Output{Error: err.Error()}
	}
	s.fell = 0
	return a.output()
}

// fail ends the program after an error, for good when that was one too many.
func (s *PipeSystem) fail(err error) {
	s.stop()
	if s.fell++; s.fell >= manyFalls {
		s.dead = fmt.Errorf("given up after %d failures in a row; the last: %w", s.fell, err)
	}
}

func (s *PipeSystem) ask(ctx context.Context, in *Input) (*answer, error) {
	request, err := json.Marshal(struct {
		ID      string `json:"id"`
		URL     string `json:"url"`
		Charset string `json:"charset"`
		HTML    string `json:"html"`
	}{in.ID, in.URL, in.Charset, strings.ToValidUTF8(string(in.HTML), "\uFFFD")})
	if err != nil {
		return nil, err
	}
	row, err := s.proc.exchange(ctx, append(request, '\n'), s.opts.Page)
	if err != nil {
		return nil, err
	}
	a := new(answer)
	if err := json.Unmarshal(row, a); err != nil {
		return nil, fmt.Errorf("answered no JSON: %.80q", row)
	}
	if a.ID != in.ID {
		return nil, fmt.Errorf("answered for page %q, not %q", a.ID, in.ID)
	}
	return a, nil
}

func (s *PipeSystem) start() error {
	p, err := startProcess(s.command, s.opts)
	if err != nil {
		return err
	}
	row, err := p.exchange(context.Background(), nil, s.opts.Start)
	if err == nil {
		if err = json.Unmarshal(row, &s.info); err != nil {
			err = fmt.Errorf("its first line does not say what it is: %.80q", row)
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

// exchange writes a line, or nothing, and reads one.
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
		row, err := readLine(p.out, maxAnswer)
		done <- reply{row, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-done:
		if r.err != nil {
			p.stop() // so that all of its last words are there
			return nil, fmt.Errorf("ended: %w%s", r.err, p.stderr)
		}
		return r.row, nil
	case <-timer.C:
		return nil, fmt.Errorf("no answer after %v", limit)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *process) stop() {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// readLine reads a line of at most so many bytes.
func readLine(b *bufio.Reader, most int) ([]byte, error) {
	var row []byte
	for {
		part, err := b.ReadSlice('\n')
		row = append(row, part...)
		switch {
		case err == nil:
			return row, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(row) > most:
			return nil, fmt.Errorf("an answer of more than %d bytes", most)
		}
	}
}

// tail keeps the last words of a program.
type tail struct {
	lock sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const enough = 2000
	t.lock.Lock()
	defer t.lock.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > enough {
		t.text = append([]byte(nil), t.text[len(t.text)-enough:]...)
	}
	return len(p), nil
}

// String is the last line of what was written, for the end of an error.
func (t *tail) String() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + last
	}
	return ""
}
