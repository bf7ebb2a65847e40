package eval_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/eval"
)

// rivalEnv makes the test binary act as an extractor. Its value is the behaviour.
const rivalEnv = "LEDE_TEST_RIVAL"

func TestMain(m *testing.M) {
	if how := os.Getenv(rivalEnv); how != "" {
		rival(how)
		return
	}
	os.Exit(m.Run())
}

// rival answers with the page in upper case, unless the page asks for something
// else.
func rival(behaviour string) {
	switch behaviour {
	case "silent":
		time.Sleep(time.Hour)
	case "chatty":
		fmt.Println("Welcome to Rival 3000!")
	case "broken":
		fmt.Fprintln(os.Stderr, "warming up\nno licence found")
		os.Exit(3)
	}
	fmt.Println(`{"name":"Rival","version":"1.2","language":"Go"}`)
	in := bufio.NewReader(os.Stdin)
	for {
		row, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var page struct{ ID, URL, Charset, HTML string }
		if err := json.Unmarshal([]byte(row), &page); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
		switch page.HTML {
		case "crash":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(5)
		case "hang":
			time.Sleep(time.Hour)
		case "nonsense":
			fmt.Println("<html>")
			continue
		case "other":
			page.ID = "another"
		case "refuse":
			fmt.Printf(`{"id":%q,"error":"nothing here"}`+"\n", page.ID)
			continue
		}
		answer, _ := json.Marshal(map[string]any{
			"id": page.ID, "title": page.URL, "text": strings.ToUpper(page.HTML), "authors": "Ann Gull",
			"date": "2024-05-14", "parse_ms": 1.5, "time_ms": 4,
		})
		fmt.Println(string(answer))
	}
}

func startRival(t *testing.T, how string, timeout time.Duration) (*eval.PipeSystem, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := eval.Pipe("theirs", []string{"env", rivalEnv + "=" + how, exe}, timeout)
	if err == nil {
		t.Cleanup(s.Close)
	}
	return s, err
}

func TestPipe(t *testing.T) {
	t.Parallel()
	s, err := startRival(t, "good", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name() != "theirs" {
		t.Errorf("name %s", s.Name())
	}
	out := s.Extract(t.Context(), &eval.Input{ID: "a", URL: "https://quay.example/", HTML: []byte("gulls\xff \u2028 flew")})
	if out.Error != "" || out.Text != "GULLS\uFFFD \u2028 FLEW" || out.Title != "https://quay.example/" || len(out.Authors) != 1 ||
		out.Date != "2024-05-14" || out.Parse != 1500*time.Microsecond || out.Time != 4*time.Millisecond {
		t.Errorf("got %+v", out)
	}
	long := strings.Repeat("gulls flew. ", 1<<18)
	if out := s.Extract(t.Context(), &eval.Input{ID: "long", HTML: []byte(long)}); out.Text != strings.ToUpper(long) {
		t.Errorf("a long page: %s, %d bytes", out.Error, len(out.Text))
	}
	if out := s.Extract(t.Context(), &eval.Input{ID: "r", HTML: []byte("refuse")}); out.Error != "nothing here" {
		t.Errorf("a refused page: %+v", out)
	}
	s.Close()
	if out := s.Extract(t.Context(), &eval.Input{ID: "b"}); out.Error != "closed" {
		t.Errorf("after closing: %+v", out)
	}
}

// TestPipeFails fails on a page in several ways; the next page works.
func TestPipeFails(t *testing.T) {
	t.Parallel()
	s, err := startRival(t, "good", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ page, want string }{
		{"crash", "out of memory"},
		{"nonsense", "the answer is not JSON"},
		{"other", `the answer is for page "another", not "p"`},
		{"hang", "deadline exceeded"},
	} {
		ctx := t.Context()
		if c.page == "hang" {
			hasty, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
			defer cancel()
			ctx = hasty
		}
		if out := s.Extract(ctx, &eval.Input{ID: "p", HTML: []byte(c.page)}); !strings.Contains(out.Error, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.page, out.Error, c.want)
		}
		if out := s.Extract(t.Context(), &eval.Input{ID: "q", HTML: []byte("gulls")}); out.Text != "GULLS" {
			t.Errorf("after %s: got %+v", c.page, out)
		}
	}
}

// TestPipeStopped fails on every page.
func TestPipeStopped(t *testing.T) {
	t.Parallel()
	s, err := startRival(t, "good", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for range 7 {
		last = s.Extract(t.Context(), &eval.Input{ID: "p", HTML: []byte("crash")}).Error
	}
	if !strings.HasPrefix(last, "stopped after 5 failures in a row") {
		t.Errorf("got %q", last)
	}
}

func TestPipeStart(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"silent": "no answer within 100ms",
		"chatty": "invalid first line",
		"broken": "no licence found",
	} {
		timeout := time.Minute
		if how == "silent" {
			timeout = 50 * time.Millisecond
		}
		if _, err := startRival(t, how, timeout); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", how, err, want)
		}
	}
	for _, command := range [][]string{nil, {"no-such-program-anywhere"}} {
		if _, err := eval.Pipe("theirs", command, time.Minute); err == nil {
			t.Errorf("%q: no error", command)
		}
	}
}
