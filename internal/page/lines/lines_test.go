package lines

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 100)
	r := bufio.NewReaderSize(strings.NewReader("one\n\n"+long+"\n"+long[:20]+"\nlast"), 16)
	for _, want := range []struct {
		line string
		size int64
		err  error
	}{{"one\n", 4, nil}, {"\n", 1, nil}, {"", 101, ErrTooLong}, {long[:20] + "\n", 21, nil}, {"last", 4, nil}, {"", 0, io.EOF}} {
		line, size, err := Read(r, 50)
		if string(line) != want.line || size != want.size || err != want.err {
			t.Errorf("%q, %d, %v; want %+v", line, size, err, want)
		}
	}
	broken := errors.New("broken")
	r = bufio.NewReader(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)))
	if line, size, err := Read(r, 50); line != nil || size != 4 || err != broken {
		t.Errorf("%q, %d, %v", line, size, err)
	}
}

func TestAreAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"https://paper.example/1\nhttp://paper.example/2\n":         true,
		"\ufeff# today\r\n\r\nHTTPS://paper.example/1\r\nhttps://p": true,
		"": false, "# nothing": false, "<p>https://paper.example/1</p>": false,
		"https://paper.example/1 is where it was\nprinted": false,
		"https://paper.example/1\nand more":                false,
	} {
		if got := AreAddresses([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestShorten(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		" a \n b\t":             "a b",
		"twelve chars":          "twelve chars",
		"Brücke über den Fluss": "Brücke über…",
	} {
		if got := Shorten(in, 12); got != want {
			t.Errorf("Shorten(%q) = %q, want %q", in, got, want)
		}
	}
}
