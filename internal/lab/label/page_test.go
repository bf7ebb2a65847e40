package label

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func ids(pages []Page) string {
	var list []string
	for _, p := range pages {
		list = append(list, p.ID)
	}
	return strings.Join(list, " ")
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.html", "a.html.gz", "sub/a.htm", "sub/deep/b.html", "notes.txt"} {
		write(t, filepath.Join(dir, "folder", name), "<p>"+name)
	}
	write(t, filepath.Join(dir, "corpus", "pages", "one.html"), "<p>one")
	write(t, filepath.Join(dir, "corpus", "gold.jsonl"), `{"id":"one","url":"https://www.trial.example/one"}`+"\n")

	pages, err := Files([]string{filepath.Join(dir, "folder"), filepath.Join(dir, "corpus")})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(pages); got != "a.html a.html.gz sub/a sub/deep/b one" {
		t.Error(got)
	}
	if pages[4].URL != "https://www.trial.example/one" {
		t.Error(pages[4].URL)
	}
	for _, p := range pages {
		if page, _, err := p.Read(t.Context()); err != nil || !strings.HasPrefix(string(page), "<p>") {
			t.Errorf("%s: %q, %v", p.ID, page, err)
		}
	}
	if _, err := Files([]string{filepath.Join(dir, "folder"), filepath.Join(dir, "folder")}); err == nil || !strings.Contains(err.Error(), "have the same ID") {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Files([]string{filepath.Join(dir, "empty")}); !errors.Is(err, ErrNoPages) {
		t.Error(err)
	}
	gone, err := Files([]string{filepath.Join(dir, "gone.html")})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := gone[0].Read(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestURLs checks that a page is fetched once and stored as UTF-8.
func TestURLs(t *testing.T) {
	fetched := 0
	fetch := func(_ context.Context, url string) ([]byte, string, error) {
		if fetched++; strings.Contains(url, "gone") {
			return nil, "", errors.New("404 Not Found")
		}
		return []byte("<p>Caf\xe9 am Hafen"), "windows-1252", nil
	}
	dir := filepath.Join(t.TempDir(), "pages")
	pages, err := URLs([]string{"https://www.trial.example/2026/Caf%C3%A9?x=1", "https://www.trial.example/2026/Caf%C3%A9?x=1", "http://[::1]:8080/gone/../.."}, dir, fetch)
	if err != nil || len(pages) != 2 {
		t.Fatal(pages, err)
	}
	if id := pages[0].ID; !strings.HasPrefix(id, "www.trial.example-2026-caf-") || strings.ContainsAny(pages[1].ID, `/\:`) {
		t.Errorf("%q, %q", id, pages[1].ID)
	}
	for range 2 {
		page, charset, err := pages[0].Read(t.Context())
		if err != nil || string(page) != "<p>Café am Hafen" || charset != "" {
			t.Errorf("%q, %q, %v", page, charset, err)
		}
	}
	if fetched != 1 {
		t.Errorf("fetched %d times", fetched)
	}
	if _, _, err := pages[1].Read(t.Context()); err == nil {
		t.Error("no error for a page that is gone")
	}
	for _, bad := range []string{"file:///etc/passwd", "javascript:1", "trial.example", "https://", "://"} {
		if _, err := URLs([]string{bad}, dir, fetch); err == nil {
			t.Errorf("%s is no page", bad)
		}
	}
}
