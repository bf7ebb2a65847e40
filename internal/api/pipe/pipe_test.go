package pipe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/internal/version"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site/store"
)

type object map[string]any

// TestHello checks the first frame, which clients in other languages depend on.
func TestHello(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(""), &out, testOptions(t)); err != nil {
		t.Fatal(err)
	}
	f, err := decode(&out)
	if err != nil || out.Len() > 0 || f.body != "" {
		t.Fatalf("%v, and %d more bytes", err, out.Len())
	}
	want := `{"hello":"lede pipe","protocol":1,"version":"` + version.Get() + `","window":16}`
	if f.head != want {
		t.Errorf("hello is\n%s\nwant\n%s", f.head, want)
	}
}

// TestAnswers checks requests of all kinds, and the answers to wrong ones.
func TestAnswers(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	opts.Fetch = func(_ context.Context, url string) (*fetch.Response, error) {
		switch url {
		case "https://paper.example/ferry":
			return &fetch.Response{URL: "https://paper.example/ferry/", Charset: "utf-8", Body: []byte(page)}, nil
		case "https://paper.example/cut":
			return &fetch.Response{URL: url, Body: []byte(page), TruncatedReason: "disconnected"}, nil
		case "https://paper.example/empty":
			return &fetch.Response{URL: url}, nil
		}
		return nil, fmt.Errorf("%s: %w", url, &fetch.StatusError{Code: 404})
	}
	for _, v := range []struct {
		head       any
		body       string
		kind, text string // of the error, or text that the answer has
	}{
		{object{"id": 1, "do": "extract"}, page, "", `{"title":"The ferry is back",`},
		{object{"id": 1, "do": "extract", "url": "https://paper.example/x"}, page, "", `"href":"https://paper.example/worm"`},
		{object{"id": 1, "do": "extract", "url": nil, "charset": nil, "with": nil, "pictures": nil}, page, "", `"method":"blend"`},
		{object{"id": 1, "do": "extract", "format": "md", "body_only": true}, page, "", "The first ferry"},
		{object{"id": 1, "do": "extract", "format": "json"}, page, "", "{\n  \"title\": \"The ferry is back\",\n"},
		{object{"id": 1, "do": "extract", "format": "text", "with": []string{"links"}, "url": "https://paper.example/"}, page, "", "https://paper.example/worm"},
		{object{"id": 1, "do": "extract", "explain": true}, page, "", `{"input":"-",`},
		{object{"id": 1, "do": "extract", "method": "nce", "set": []string{}}, page, "", `"method":"nce"`},
		{object{"id": 1, "do": "extract", "link_text": "Ferry", "site": "paper"}, page, "", `"method":"blend"`},
		{object{"id": 1, "do": "extract", "charset": "utf-8"}, strings.Replace(page, "seats", "sièges", 1), "", "sièges"},
		{object{"id": 1, "do": "extract", "header_charset": "windows-1251"}, strings.Replace(page, "seats", "\xcc\xe5\xf1\xf2 \xed\xe5\xf2", 1), "", "Мест нет"},
		{object{"id": 1, "do": "extract"}, "", "empty", "empty"},
		{object{"id": 1, "do": "extract"}, "<nav><a href=/>Home</a></nav>", "no-content", "try favor=recall"},
		{object{"id": 1, "do": "extract"}, `<!DOCTYPE html><title>Ferry</title><div id="root"></div><script src="/app.js"></script>`, "scripts", `"title":"Ferry"`},
		{object{"id": 1, "do": "extract"}, "%PDF-1.4\x00\x01", "not-html", ""},
		{object{"id": 1, "do": "extract", "only_articles": true}, "<ul>" + strings.Repeat("<li><a href=/a>A headline of one story</a>", 80) + "</ul><p>All the news of the day, every day.</p>", "not-article", "leave only_articles out"},
		{object{"id": 1, "do": "extract", "charset": "klingon"}, page, "charset", "leave charset out"},
		{object{"id": 1, "do": "extract", "method": "magic"}, page, "method", "available methods: blend, "},
		{object{"id": 1, "do": "extract", "favor": "both"}, page, "option", "favor=both: use one of precision, recall"},
		{object{"id": 1, "do": "extract", "format": "pdf"}, page, "option", "format=pdf: use one of text, md,"},
		{object{"id": 1, "do": "extract", "set": []string{"x=1"}}, page, "option", "x"},
		{object{"id": 1, "do": "extract", "set": []int{1}}, page, "option", "set: use a string, a boolean or a list of strings"},
		{object{"id": 1, "do": "extract", "memory": "use"}, page, "option", "--site-store"},
		{object{"id": 1, "do": "extract", "explain": true, "format": "md"}, page, "option", "explain writes text or json"},
		{object{"id": 1, "do": "extract", "methods": "nce"}, page, "option", `unknown option "methods"`},
		{object{"id": 1, "do": "fetch", "url": "https://paper.example/ferry"}, "", "", `{"url":"https://paper.example/ferry/","title":"The ferry is back",`},
		{object{"id": 1, "do": "fetch", "url": "https://paper.example/cut"}, "", "", `"partial":true`},
		{object{"id": 1, "do": "fetch", "url": "https://paper.example/empty"}, "", "empty", ""},
		{object{"id": 1, "do": "fetch", "url": "https://paper.example/gone"}, "", "status", "404"},
		{object{"id": 1, "do": "fetch"}, "", "option", "do=fetch has neither a page nor url"},
		{object{"id": 1, "do": "fetch", "url": "https://paper.example/ferry"}, page, "option", "use do=extract"},
		{object{"id": 1, "do": "links", "url": "https://paper.example/"}, page, "", `{"url":"https://paper.example/worm","text":"eaten through",`},
		{object{"id": 1, "do": "links", "url": "https://paper.example/ferry"}, "", "", `{"url":"https://paper.example/worm","text":"eaten through",`},
		{object{"id": 1, "do": "links", "url": "https://paper.example/"}, "<p>none", "", ""},
		{object{"id": 1, "do": "links"}, page, "option", "name it with url="},
		{object{"id": 1, "do": "links"}, "", "option", "do=links has neither a page nor url"},
		{object{"id": 1, "do": "links", "favor": "recall"}, page, "option", `unknown option "favor"; the options are url, charset`},
		{object{"id": 1, "do": "extract", "partial": "warc-truncated"}, page, "", `"partial":true,"partial_reason":"warc-truncated"`},
		{object{"id": 1, "do": "format", "format": "md"}, `{"title":"A","body":[{"kind":"paragraph","spans":[{"text":"B"}]}]}`, "", "# A\n\nB\n"},
		{object{"id": 1, "do": "format", "format": "html", "fragment": true, "body_only": true}, `{"title":"A","body":[{"kind":"paragraph","spans":[{"text":"<B>"}]}]}`, "", "<p>&lt;B&gt;</p>"},
		{object{"id": 1, "do": "format"}, `{"title":"A"}`, "", `{"title":"A"`},
		{object{"id": 1, "do": "format", "format": "json"}, `{"title":"A"}`, "", "{\n  \"title\": \"A\""},
		{object{"id": 1, "do": "format", "format": "styled"}, `{"title":"A"}`, "option", "needs the page"},
		{object{"id": 1, "do": "format", "url": "https://paper.example/"}, `{"title":"A"}`, "option", `unknown option "url"`},
		{object{"id": 1, "do": "format"}, `{"title":1}`, "json", "title has the wrong type, number"},
		{object{"id": 1, "do": "format"}, `[]`, "json", "it has the wrong type, array"},
		{object{"id": 1, "do": "format"}, `null`, "json", "it is null"},
		{object{"id": 1, "do": "format"}, ``, "json", "the body is not the JSON of an article"},
		{object{"id": 1}, page, "option", "use extract, fetch, links or format"},
		{object{"id": 1, "do": "sing"}, page, "option", "do=sing: use extract, fetch, links or format"},
		{`{"do":"extract","colour":"red","id":1}`, page, "option", `unknown option "colour"`},
		{"\ufeff{\"id\":1,\"do\":\"extract\"}", page, "", "The ferry is back"},
	} {
		answers, err := serveAll(t, opts, encode(v.head, v.body))
		if err != nil || len(answers) != 1 || answers[0].ID != 1 {
			t.Fatalf("%v: %v, %v", v.head, err, answers)
		}
		a := answers[0]
		if text := a.body + a.Error; a.Kind != v.kind || !strings.Contains(text, v.text) || v.kind != "" && a.Error == "" {
			t.Errorf("%v: %s %q %q, want %q", v.head, a.Kind, a.Error, a.body, v.text)
		}
	}
}

// TestUnnumbered checks requests whose number cannot be read, or is none.
func TestUnnumbered(t *testing.T) {
	t.Parallel()
	for head, kind := range map[string]string{
		"": "json", "[]": "json", "nonsense": "json", `{"id":"a"}`: "json", `{"id":1.5}`: "json", `{"id":1,"do":"extract"`: "json", `{"id":99999999999999999999}`: "json",
		`{"do":"extract"}`: "option", `{"id":0,"do":"extract"}`: "option", `{"id":-3,"do":"extract"}`: "option", `{"id":-3}`: "option",
	} {
		answers, err := serveAll(t, testOptions(t), encode(head, page))
		if err != nil || len(answers) != 1 || answers[0].ID != 0 || answers[0].Kind != kind || answers[0].body != "" {
			t.Errorf("%s: %v, %v", head, err, answers)
		}
	}
}

// TestManyRequests checks that each of many requests has its own answer.
func TestManyRequests(t *testing.T) {
	t.Parallel()
	var in bytes.Buffer
	const requests = 200
	for i := 1; i <= requests; i++ {
		in.Write(encode(object{"id": i, "do": "extract"}, strings.ReplaceAll(page, "ferry", fmt.Sprint("ferry ", i))))
	}
	answers, err := serveAll(t, testOptions(t), in.Bytes())
	all := byID(t, answers)
	if err != nil || len(all) != requests {
		t.Fatalf("%d answers: %v", len(all), err)
	}
	for i, a := range all {
		var article struct{ Title string }
		if err := json.Unmarshal([]byte(a.body), &article); err != nil || article.Title != fmt.Sprintf("The ferry %d is back", i) {
			t.Errorf("request %d: %v, %s", i, err, a.body)
		}
	}
}

// TestReadyFirst checks that an answer does not wait for those to earlier requests, and
// that fetching takes no worker.
func TestReadyFirst(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	arrive := make(chan struct{})
	opts.Fetch = func(context.Context, string) (*fetch.Response, error) {
		<-arrive
		return &fetch.Response{Body: []byte(page)}, nil
	}
	c := startClient(t, opts)
	for i := 1; i <= opts.Workers; i++ {
		c.send(object{"id": i, "do": "fetch", "url": "https://paper.example/"}, "")
	}
	c.send(object{"id": 9, "do": "extract"}, page)
	if a := c.receive(); a.ID != 9 || a.Error != "" {
		t.Errorf("the first answer is %s", a.head)
	}
	close(arrive)
	if a, b := c.receive(), c.receive(); a.ID+b.ID != 3 || a.Error+b.Error != "" {
		t.Errorf("the other answers are %s and %s", a.head, b.head)
	}
	c.end(nil)
}

// client is a client whose pipes hold nothing, so that each write waits for lede to read.
type client struct {
	t   *testing.T
	in  *io.PipeWriter
	out *io.PipeReader
	err chan error
}

func startClient(t *testing.T, opts Options) *client {
	t.Helper()
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	c := &client{t, in, out, make(chan error, 1)}
	go func() { c.err <- Serve(context.Background(), inRead, outWrite, opts) }()
	if f := c.receive(); !strings.HasPrefix(f.head, `{"hello":"lede pipe",`) {
		t.Fatal(f.head)
	}
	return c
}

func (c *client) send(head any, body string) {
	c.t.Helper()
	if _, err := c.in.Write(encode(head, body)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() received {
	c.t.Helper()
	f, err := decode(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// end ends the input, and checks the error of Serve.
func (c *client) end(want error) {
	c.t.Helper()
	_ = c.in.Close()
	if err := <-c.err; !errors.Is(err, want) {
		c.t.Errorf("the error is %v, want %v", err, want)
	}
}

// TestWindow checks that a client without threads may always have as many unanswered
// requests as the window has, however large they and their answers are.
func TestWindow(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	window := windowSize * opts.Workers
	long := strings.Replace(page, "<p>", strings.Repeat("<p>The ferry left at six on Tuesday morning, with all ninety seats taken and a dog asleep.</p>", 500)+"<p>", 1)
	for name, body := range map[string]string{"long answers": long, "short pages": page} {
		synctest.Test(t, func(t *testing.T) { // which fails if all wait for each other
			c := startClient(t, opts)
			for i := range 2 * window {
				c.send(object{"id": i + 1, "do": "extract"}, body)
				if i < window-1 {
					continue
				}
				synctest.Wait() // until answers wait to be read
				if a := c.receive(); a.Error != "" || len(a.body) < len(body)/2 && body == long {
					t.Fatalf("%s: %s with %d bytes", name, a.head, len(a.body))
				}
			}
			for range window - 1 {
				c.receive()
			}
			c.end(nil)
		})
	}
}

// requests is an endless input.
type requests struct {
	frame []byte
	at    int
	read  int64
}

func (r *requests) Read(b []byte) (int, error) {
	n := copy(b, r.frame[r.at:])
	r.at = (r.at + n) % len(r.frame)
	r.read += int64(n)
	return n, nil
}

// TestClientThatNeverReads checks that lede reads no further than the window for a client
// that takes no answers.
func TestClientThatNeverReads(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("<p>The ferry left at six on Tuesday morning, with all ninety seats taken and a dog asleep.</p>", 500)
		in := &requests{frame: encode(object{"id": 1, "do": "extract"}, long)}
		out, w := io.Pipe()
		done := make(chan error)
		go func() { done <- Serve(context.Background(), in, w, opts) }()
		if _, err := decode(out); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // until nothing happens any more
		window := int64(windowSize * opts.Workers)
		if least := window * int64(len(in.frame)); in.read < least || in.read > least+bufferSize {
			t.Errorf("%d bytes were read; %d requests have %d", in.read, window, least)
		}
		_ = out.Close()
		if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
}

// TestStop checks that lede answers what it has read when it is stopped, though the client
// goes on.
func TestStop(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	stop, arrive := make(chan struct{}), make(chan struct{})
	opts.Stop = stop
	opts.Fetch = func(context.Context, string) (*fetch.Response, error) {
		<-arrive
		return &fetch.Response{Body: []byte(page)}, nil
	}
	c := startClient(t, opts)
	c.send(object{"id": 1, "do": "fetch", "url": "https://paper.example/"}, "")
	c.send(object{"id": 2, "do": "extract"}, page)
	if a := c.receive(); a.ID != 2 { // so that both were read
		t.Errorf("the first answer is %s", a.head)
	}
	close(stop)
	close(arrive)
	if a := c.receive(); a.ID != 1 || a.Error != "" {
		t.Errorf("the last answer is %s", a.head)
	}
	if err := <-c.err; err != nil {
		t.Error(err)
	}
}

// TestClosedOutput checks that lede ends when answers cannot be written, though the input
// goes on.
func TestClosedOutput(t *testing.T) {
	t.Parallel()
	c := startClient(t, testOptions(t))
	_ = c.out.Close()
	c.send(object{"id": 1, "do": "extract"}, page)
	if err := <-c.err; !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

// deadly is a method that panics.
type deadly struct{}

func (deadly) Name() string { return "deadly" }
func (deadly) Select(context.Context, *method.Page) (*method.Selection, error) {
	panic("nothing works")
}

// TestPanic checks that a panic fails one request only, wherever it is.
func TestPanic(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	var err error
	if opts.Extractor, err = lede.New(lede.WithCustomMethod(deadly{})); err != nil {
		t.Fatal(err)
	}
	in := append(encode(object{"id": 1, "do": "extract"}, page), encode(object{"id": 2, "do": "extract", "method": "nce"}, page)...)
	answers, err := serveAll(t, opts, in)
	all := byID(t, answers)
	if err != nil || all[1].Kind != "crash" || !strings.Contains(all[1].Error, "nothing works") || all[2].Error != "" {
		t.Error(err, answers)
	}
	s := &server{opts: opts}
	if a := s.answer(t.Context(), &job{id: 3, do: "links"}); a.Kind != "crash" || a.ID != 3 || a.body.Len() > 0 { // it has no page
		t.Errorf("%s %s", a.Kind, a.Error)
	}
}

// TestSites checks that pages teach lede about their sites, unless a request forbids it.
func TestSites(t *testing.T) {
	t.Parallel()
	opts := testOptions(t)
	known, err := store.Open("", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	opts.Sites = &sites.Sites{Store: known}
	for i, v := range []struct {
		options object
		want    string
	}{
		{object{}, ""}, {object{"url": "https://a.example/1"}, "a.example 1"}, {object{"url": "https://a.example/2", "memory": "off"}, "a.example 1"},
		{object{"url": "https://a.example/2", "memory": "use"}, "a.example 1"}, {object{"site": "b.example", "memory": "learn"}, "a.example 1, b.example 1"},
	} {
		v.options["id"], v.options["do"] = 1, "extract"
		answers, err := serveAll(t, opts, encode(v.options, strings.ReplaceAll(page, "ninety", strings.Repeat("ninety ", i+1))))
		if err != nil || len(answers) != 1 || answers[0].Error != "" {
			t.Fatal(err, answers)
		}
		var got []string
		list, err := known.Sites(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range list {
			got = append(got, fmt.Sprint(info.Name, " ", info.Pages))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != v.want {
			t.Errorf("after %v: %v, want %s", v.options, got, v.want)
		}
	}
}
