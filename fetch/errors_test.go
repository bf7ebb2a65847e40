package fetch

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// checkErrorLine checks that an error is one line without control characters and
// without the names of the packages that it came through.
func checkErrorLine(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	for _, noise := range []string{"\n", "\x1b", "Get \"", "dial tcp", "lookup ", "x509:", "tls:", "net/http", "context", "read tcp", "%!"} {
		if strings.Contains(err.Error(), noise) {
			t.Errorf("%q has %q in it", err, noise)
		}
	}
}

// rawServer answers every connection with the given bytes and closes it.
func rawServer(t testing.TB, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 4<<10)
			conn.Read(buf)
			conn.Write([]byte(answer))
			conn.(*net.TCPConn).CloseWrite()
			conn.Read(buf)
			conn.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

func TestBadURLs(t *testing.T) {
	c := New(Options{})
	for url, want := range map[string]error{
		"":                     ErrScheme,
		"news.example/story":   ErrScheme,
		"//news.example/story": ErrScheme,
		"localhost:80/":        ErrScheme,
		"file:///etc/passwd":   ErrScheme,
		"ftp://news.example/":  ErrScheme,
		"javascript:alert(1)":  ErrScheme,
		"data:text/html,<p>" + strings.Repeat("a", 5000): ErrScheme,
		"http://user:secret@news.example/":               ErrScheme,
		"http://user:secret%zz@news.example/":            ErrURL,
		"http://user:secret secret@news.example/":        ErrURL,
		"http://[user:secret@news.example:x/":            ErrURL,
		"http://news.example@127.0.0.1/":                 ErrScheme,
		"http://@127.0.0.1/":                             ErrScheme,
		"http://":                                        ErrURL,
		"http:///story":                                  ErrURL,
		"http://:80/":                                    ErrURL,
		"http:news.example":                              ErrURL,
		"http://news.example:0/":                         ErrURL,
		"http://news.example:70000/":                     ErrURL,
		"http://news.example:http/":                      ErrURL,
		"http://[::1/":                                   ErrURL,
		"http://news.example\\@127.0.0.1":                ErrURL,
		"http://%31%32%37.0.0.1/":                        ErrURL,
		"http://a\nb/":                                   ErrURL,
		"http://\x1b[31m.example/":                       ErrURL,
	} {
		_, err := c.Get(t.Context(), url)
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", url, err, want)
		}
		checkErrorLine(t, err)
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v shows the password", url, err)
		}
		if len(err.Error()) > 500 {
			t.Errorf("%.20q…: the message has %d bytes", url, len(err.Error()))
		}
	}
}

func TestStatusError(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		code := map[string]int{"/gone": 410, "/busy": 503, "/own": 799, "/lost": 302}[r.URL.Path]
		if code == 0 {
			code = 404
		}
		w.WriteHeader(code)
	})
	c := newClient(t, Options{})
	for path, want := range map[string]string{
		"/none": "/none answered 404 Not Found",
		"/gone": "/gone answered 410 Gone",
		"/busy": "/busy answered 503 Service Unavailable",
		"/own":  "/own answered 799",
		"/lost": "/lost answered 302 Found without a Location",
	} {
		resp, err := c.Get(t.Context(), srv.URL+path)
		var status *StatusError
		if resp != nil || !errors.As(err, &status) || err.Error() != srv.URL+want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// refusingAddr returns an address that refuses connections until the test ends: the near end
// of a connection, which no server of another test can take, as it could take a closed one's.
func refusingAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); l.Close() })
	return conn.LocalAddr().String()
}

func TestNetworkErrors(t *testing.T) {
	refusing := refusingAddr(t)
	plain := serve(t, page)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(page))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()

	c := newClient(t, Options{})
	for _, test := range []struct {
		name, url string
		kind      error
		want      string
	}{
		{"no such host", "https://missing.invalid/story", ErrDNS,
			"https://missing.invalid/story: there is no host missing.invalid; check the spelling"},
		{"refused", "http://" + refusing + "/", ErrConnect, refusing + " refused the connection; check that the server is up"},
		{"unknown certificate", secure.URL, ErrTLS, "certificate not accepted: certificate signed by unknown authority"},
		{"HTTP on an HTTPS port", "https" + plain.URL[len("http"):], ErrTLS, "the server speaks plain HTTP on this port; try http://"},
		{"closed", rawServer(t, ""), ErrConnect, "closed the connection without an answer; try again later"},
		{"not HTTP", rawServer(t, "SSH-2.0-OpenSSH_9.6\r\n"), ErrProtocol, "no HTTP answer: malformed HTTP"},
		{"endless header", rawServer(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("a", 2<<20)), ErrProtocol, "headers exceeded 1048576 bytes"},
		{"escape sequences", rawServer(t, "HTTP/1.1 \x1b[31m OK\r\n\r\n"), ErrProtocol, "no HTTP answer: malformed HTTP"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := c.Get(t.Context(), test.url)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %v %q", err, test.kind, test.want)
			}
			checkErrorLine(t, err)
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, " 3 ": 3 * time.Second, "-1": 0, "soon": 0, "999999999": 24 * time.Hour,
		"Fri, 02 Jan 2026 03:04:35 GMT": 30 * time.Second, "Thu, 01 Jan 2026 03:04:35 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
