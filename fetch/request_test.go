package fetch

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
)

func TestConditional(t *testing.T) {
	const tag, day = `W/"v1"`, "Mon, 02 Nov 2026 08:00:00 GMT"
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		switch {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/", http.StatusFound)
		case r.URL.Path == "/always", r.Header.Get("If-None-Match") == tag, r.Header.Get("If-Modified-Since") == day:
			w.WriteHeader(http.StatusNotModified)
		default:
			page(w, r)
		}
	})
	c := newClient(t, Options{})
	for _, test := range []struct {
		path, etag, modified string
		status               int // 0 means a StatusError
	}{
		{"/", "", "", 200},
		{"/", tag, "", 304},
		{"/", "", day, 304},
		{"/", tag, day, 304},
		{"/", `"v0"`, "", 200},
		{"/moved", tag, "", 304},
		{"/always", tag, "", 304},
		{"/always", "", "", 0},                         // was not asked for
		{"/always", "a\r\nX-Evil: 1", "", 0},           // not valid, so not sent
		{"/", strings.Repeat("x", 5<<10), "", 200},     // too long to be sent
		{"/", tag, "Mon,\n02 Nov 2026 08:00 GMT", 304}, // only one of them is valid
	} {
		resp, err := c.Do(t.Context(), Request{URL: srv.URL + test.path, ETag: test.etag, LastModified: test.modified})
		var status *StatusError
		if test.status == 0 {
			if !errors.As(err, &status) || status.Code != 304 {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		}
		if err != nil || resp.Status != test.status || (len(resp.Body) == 0) != (test.status == 304) || resp.Header.Get("ETag") != tag {
			t.Errorf("%+v: %+v, %v", test, resp, err)
			continue
		}
		if got := resp.Request.Get("If-None-Match"); got != test.etag && len(test.etag) < 4<<10 {
			t.Errorf("%+v: sent %q", test, got)
		}
		if resp.Request.Get("User-Agent") == "" {
			t.Errorf("%+v: no User-Agent in %v", test, resp.Request)
		}
	}
}

func TestNoRedirect(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.FormValue("code"))
		if err != nil {
			page(w, r)
			return
		}
		if to := r.FormValue("to"); to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte("<p>It is elsewhere.</p>"))
	})
	c := newClient(t, Options{})
	ask := func(code int, to string) (*Response, error) {
		query := url.Values{"code": {strconv.Itoa(code)}, "to": {to}}
		return c.Do(t.Context(), Request{URL: srv.URL + "/here?" + query.Encode() + "#at", NoRedirect: true})
	}
	for to, want := range map[string]string{
		"/story":                      srv.URL + "/story#at",
		"http://other.example/story":  "http://other.example/story#at",
		"http://a:b@other.example/":   "http://other.example/#at",
		"//other.example/":            "http://other.example/#at",
		"http://other.example/#below": "http://other.example/#below",
		"http://127.0.0.1:9/private":  "http://127.0.0.1:9/private#at", // the guard checks it when it is requested
	} {
		for _, code := range []int{301, 302, 303, 307, 308} {
			resp, err := ask(code, to)
			if err != nil || resp.Status != code || resp.Location != want || resp.Body != nil || !strings.HasPrefix(resp.URL, srv.URL+"/here?") {
				t.Errorf("%d to %s: %+v, %v", code, to, resp, err)
			}
		}
	}
	for to, kind := range map[string]error{"file:///etc/passwd": ErrScheme, "javascript:alert(1)": ErrScheme, "http://": ErrURL, "http://a.example:99999/": ErrURL} {
		if resp, err := ask(302, to); resp != nil || !errors.Is(err, kind) {
			t.Errorf("to %s: %+v, %v", to, resp, err)
		}
	}
	if _, err := ask(302, ""); !errors.As(err, new(*StatusError)) {
		t.Errorf("without a Location: %v", err)
	}
	if resp, err := c.Do(t.Context(), Request{URL: srv.URL, NoRedirect: true}); err != nil || resp.Location != "" || len(resp.Body) == 0 {
		t.Errorf("no redirect: %+v, %v", resp, err)
	}
}

// read returns a Request that copies the body.
func read(address string, limit int64, into *strings.Builder) Request {
	return Request{URL: address, MaxBytes: limit, Read: func(_ *Response, r io.Reader) error {
		_, err := io.Copy(into, r)
		return err
	}}
}

func TestRead(t *testing.T) {
	text := story(300 << 10)
	for _, encoding := range []string{"", "gzip", "zstd"} {
		body := text
		if encoding != "" {
			body = encode(t, encoding, text)
		}
		c, got := newClient(t, Options{MaxBytes: 100}), new(strings.Builder)
		resp, err := c.Do(t.Context(), read(sent(t, encoding, body), 1<<20, got))
		if err != nil || got.String() != string(text) || resp.Body != nil || resp.TruncatedReason != "" || resp.ContentType != "text/html" {
			t.Errorf("%q: %d bytes, %v", encoding, got.Len(), err)
		}
		// What is within the limit is read, whatever the length that was declared.
		got.Reset()
		resp, err = c.Do(t.Context(), read(sent(t, encoding, body), 100<<10, got))
		if !errors.Is(err, ErrTooLarge) || resp == nil || got.Len() == 0 || got.Len() > 100<<10 || !strings.HasPrefix(string(text), got.String()) {
			t.Errorf("%q: %d bytes, %v", encoding, got.Len(), err)
		}
		if encoding == "" && got.Len() != 100<<10 {
			t.Errorf("%d bytes", got.Len())
		}
		checkErrorLine(t, err)
	}
}

func TestReadErrors(t *testing.T) {
	url := sent(t, "", story(10<<10))
	c := newClient(t, Options{})
	own := errors.New("enough")
	resp, err := c.Do(t.Context(), Request{URL: url, Read: func(_ *Response, r io.Reader) error { return own }})
	if err != own || resp == nil || resp.Status != 200 {
		t.Errorf("own error: %+v, %v", resp, err)
	}
	resp, err = c.Do(t.Context(), Request{URL: url, Read: func(_ *Response, r io.Reader) error { return nil }})
	if err != nil || resp.TruncatedReason != "" {
		t.Errorf("nothing read: %+v, %v", resp, err)
	}
	// An error of the body is not lost, if Read ignores it.
	resp, err = c.Do(t.Context(), Request{URL: url, MaxBytes: 1 << 10, Read: func(_ *Response, r io.Reader) error {
		_, _ = io.ReadAll(r)
		return nil
	}})
	if resp != nil || !errors.Is(err, ErrTooLarge) {
		t.Errorf("ignored: %+v, %v", resp, err)
	}
	called := func(*Response, io.Reader) error { t.Error("read"); return nil }
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/picture":
			w.Header().Set("Content-Type", "image/png")
		case "/data":
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write([]byte("\x89PNG\x0D\x0A\x1A\x0A"))
		case "/json":
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{}"))
		default:
			http.NotFound(w, r)
		}
	})
	for _, path := range []string{"/picture", "/data", "/json"} {
		if _, err := c.Do(t.Context(), Request{URL: srv.URL + path, Read: called}); !errors.Is(err, ErrNotHTML) {
			t.Errorf("%s: %v", path, err)
		}
		ok := false
		_, err := c.Do(t.Context(), Request{URL: srv.URL + path, AnyType: true, Read: func(*Response, io.Reader) error { ok = true; return nil }})
		if err != nil || !ok {
			t.Errorf("%s of any type: %v", path, err)
		}
	}
	if _, err := c.Do(t.Context(), Request{URL: srv.URL + "/none", Read: called}); !errors.As(err, new(*StatusError)) {
		t.Error(err)
	}
}

func TestReadTruncated(t *testing.T) {
	url := rawServer(t, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>The beg")
	var seen []error
	resp, err := newClient(t, Options{}).Do(t.Context(), Request{URL: url, Read: func(_ *Response, r io.Reader) error {
		got, err := io.ReadAll(r)
		_, again := r.Read(make([]byte, 1))
		seen = append(seen, err, again)
		if string(got) != "<p>The beg" {
			t.Errorf("%q", got)
		}
		return nil
	}})
	if err != nil || resp.TruncatedReason != article.PartialClosed || !slices.Equal(seen, []error{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF}) {
		t.Errorf("%+v, %v, %v", resp, seen, err)
	}
}
