//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// serveProcess is a lede serve of a test.
type serveProcess struct {
	cmd  *exec.Cmd
	addr string
	log  *lockedBuffer
}

// lockedBuffer is a buffer that can be read while a process writes it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

var listening = regexp.MustCompile(`(?m)^lede: listening on http://(\S+)/ \(`)

// startServe starts lede serve at a free port, with settings of its own.
func startServe(t *testing.T, args ...string) *serveProcess {
	t.Helper()
	return startServeWith(t, t.TempDir(), args...)
}

// startServeWith starts lede serve with a folder of settings.
func startServeWith(t *testing.T, settings string, args ...string) *serveProcess {
	t.Helper()
	s := &serveProcess{cmd: tool(t, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...), log: new(lockedBuffer)}
	s.cmd.Stderr = s.log
	s.cmd.Env = append(s.cmd.Environ(), "XDG_CONFIG_HOME="+settings, "HOME="+settings)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
	})
	testkit.WaitFor(t, "the service to start", func() bool {
		if m := listening.FindStringSubmatch(s.log.String()); m != nil {
			s.addr = m[1]
		}
		return s.addr != ""
	})
	return s
}

func (s *serveProcess) signal(t *testing.T, sig os.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// stop ends the service and checks its exit status.
func (s *serveProcess) stop(t *testing.T) {
	t.Helper()
	s.signal(t, syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("lede serve ended with %v:\n%s", err, s.log)
	}
}

// get returns the status and the body of a response.
func (s *serveProcess) get(t *testing.T, path, key string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, "http://"+s.addr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// isClosed reports whether new connections are refused.
func (s *serveProcess) isClosed() bool {
	conn, err := net.Dial("tcp", s.addr)
	if err == nil {
		conn.Close()
	}
	return err != nil
}

const servePage = `<title>Ferry returns</title><article><h1>Ferry returns</h1>
<p>The ferry to the island returns to its pier after two years of repairs, the harbour office said on Monday evening.</p>
<p>Tickets can be bought on board, and the first boat leaves at six in the morning, on every day but Sunday.</p></article>`

// half is a request whose second half is still to be sent.
type half struct {
	net.Conn
	rest string
}

// sendHalf sends the first half of a request.
func (s *serveProcess) sendHalf(t *testing.T) *half {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	middle := len(servePage) / 2
	_, err = fmt.Fprintf(conn, "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(servePage))
	if err != nil {
		t.Fatal(err)
	}
	// The service reads the request when it asks for the body.
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := io.WriteString(conn, servePage[:middle]); err != nil {
		t.Fatal(err)
	}
	return &half{conn, servePage[middle:]}
}

// A service that is told to stop refuses new connections, finishes what it was sent,
// and ends with status 0.
func TestServeFinishesRequests(t *testing.T) {
	t.Parallel()
	s := startServe(t)
	var open []*half
	for range 3 {
		open = append(open, s.sendHalf(t))
	}
	s.signal(t, syscall.SIGTERM)
	testkit.WaitFor(t, "the port to be closed", s.isClosed)
	for _, h := range open {
		if _, err := io.WriteString(h, h.rest); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(h), nil)
		if err != nil {
			t.Fatalf("an accepted request is lost: %v\n%s", err, s.log)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `"title": "Ferry returns"`) {
			t.Errorf("%v %s: %s", err, resp.Status, body)
		}
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v:\n%s", err, s.log)
	}
	if n := strings.Count(s.log.String(), "status=200"); n != 3 {
		t.Errorf("%d requests in the log:\n%s", n, s.log)
	}
}

// Requests that never end are cut off after --grace, which is an error.
func TestServeGrace(t *testing.T) {
	t.Parallel()
	s := startServe(t, "--grace", "50ms")
	s.sendHalf(t)
	s.signal(t, syscall.SIGTERM)
	var exit *exec.ExitError
	if err := s.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != cli.ExitAborted ||
		!strings.Contains(s.log.String(), "requests were not finished within 50ms and are cut off; give them more time with --grace") {
		t.Errorf("%v:\n%s", err, s.log)
	}
}

// The keys are read again on SIGHUP; a broken file changes nothing.
func TestServeReloadsKeys(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys.txt")
	var lines []byte
	makeKey := func(name string) string {
		cmd := tool(t, "serve", "key", name)
		var said bytes.Buffer
		cmd.Stderr = &said
		line, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line...)
		writeTestFile(t, file, lines)
		return strings.TrimSpace(said.String()[strings.LastIndex(said.String(), " "):])
	}
	first := makeKey("first")
	s := startServe(t, "--keys", file)
	if code, body := s.get(t, "/v1/methods", ""); code != 401 {
		t.Errorf("without a key: %d %s", code, body)
	}
	if code, body := s.get(t, "/v1/methods", first); code != 200 {
		t.Errorf("with a key: %d %s", code, body)
	}
	second := makeKey("second")
	if code, _ := s.get(t, "/v1/methods", second); code != 401 {
		t.Errorf("a key that was not read: %d", code)
	}
	said := func(text string) func() bool { return func() bool { return strings.Contains(s.log.String(), text) } }
	s.signal(t, syscall.SIGHUP)
	testkit.WaitFor(t, "the keys to be read", said("the keys were read again"))
	if code, _ := s.get(t, "/v1/methods", second); code != 200 {
		t.Errorf("a new key: %d", code)
	}
	good := readFile(t, file)
	if err := os.WriteFile(file, append(good, "third sha256:12\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	s.signal(t, syscall.SIGHUP)
	testkit.WaitFor(t, "the error", said("keys.txt: line 3: a line has a name"))
	for _, key := range []string{first, second} {
		if code, _ := s.get(t, "/v1/methods", key); code != 200 {
			t.Errorf("after a broken file: %d", code)
		}
	}
	for _, key := range []string{first, second} {
		if strings.Contains(s.log.String(), key) {
			t.Error("the log has a key")
		}
	}
	s.stop(t)
}

// The bookmarklet works after a restart.
func TestServeKeepsToken(t *testing.T) {
	t.Parallel()
	settings := t.TempDir()
	var tokens []string
	for range 2 {
		s := startServeWith(t, settings)
		_, body := s.get(t, "/ui/config", "")
		var config struct{ Token string }
		if err := json.Unmarshal([]byte(body), &config); err != nil || len(config.Token) < 20 {
			t.Fatalf("%v: %s", err, body)
		}
		tokens = append(tokens, config.Token)
		s.stop(t)
	}
	if tokens[0] != tokens[1] {
		t.Errorf("tokens %q", tokens)
	}
	if fi, err := os.Stat(filepath.Join(settings, "lede", "token")); runtime.GOOS == "linux" && (err != nil || fi.Mode().Perm() != 0o600) {
		t.Errorf("%v %v", fi, err)
	}
}

// One line a request, in JSON; those of health checks with -v.
func TestServeLog(t *testing.T) {
	t.Parallel()
	for _, verbose := range []bool{false, true} {
		s := startServe(t, "--log", "json", fmt.Sprintf("--verbose=%v", verbose))
		s.signal(t, syscall.SIGHUP) // which does not end a service without keys
		testkit.WaitFor(t, "the warning", func() bool { return strings.Contains(s.log.String(), "there are no keys to read again") })
		s.get(t, "/healthz", "")
		resp, err := http.Post("http://"+s.addr+"/v1/extract?url=https://paper.example/secret", "text/html", strings.NewReader(servePage))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		s.stop(t)
		var paths []string
		for line := range strings.Lines(s.log.String()) {
			if listening.MatchString(line) {
				continue
			}
			var l struct{ Msg, Path, ID string }
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Errorf("%v: %s", err, line)
			}
			if l.Msg == "request" {
				paths = append(paths, l.Path)
			}
		}
		want := "/v1/extract"
		if verbose {
			want = "/healthz /v1/extract"
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("requests %q, want %q:\n%s", got, want, s.log)
		}
		if strings.Contains(s.log.String(), "secret") && !verbose || strings.Contains(s.log.String(), "pier") {
			t.Errorf("the log tells about the page:\n%s", s.log)
		}
	}
}
