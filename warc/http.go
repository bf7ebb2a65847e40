package warc

import (
	"bufio"
	"errors"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

var errNoStatus = errors.New("it does not begin with a status line")

// readHead reads the status line and the header of an HTTP answer. It is laxer
// than net/http, which gives up on lines that browsers look past.
func readHead(r *bufio.Reader) (status int, h http.Header, err error) {
	l := &lines{r: r}
	line, err := l.next()
	if err != nil {
		return 0, nil, err
	}
	proto, rest, _ := strings.Cut(string(line), " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	status, err = strconv.Atoi(code)
	if !strings.HasPrefix(proto, "HTTP/") || err != nil || status < 100 || status > 999 {
		return 0, nil, errNoStatus
	}
	fields, err := readFields(l)
	h = make(http.Header, len(fields))
	for _, f := range fields {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		h[name] = append(h[name], f.Value)
	}
	return status, h, err
}
