package fetch

import (
	"net/http"
	"testing"
)

func BenchmarkGet(b *testing.B) {
	const size = 200_000
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		b.Run(encoding, func(b *testing.B) {
			body := story(size)
			if encoding != "identity" {
				body = encode(b, encoding, body)
			}
			srv := serve(b, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Content-Encoding", encoding)
				w.Write(body)
			})
			c := newClient(b, Options{})
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Get(b.Context(), srv.URL); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
