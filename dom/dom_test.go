package dom

import (
	"context"
	"testing"
)

func mustParse(tb testing.TB, page string) *Document {
	tb.Helper()
	d, err := Parse(context.Background(), []byte(page), Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}
