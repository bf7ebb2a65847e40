package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// quarantine keeps a page that did harm, with the reason beside it. The names
// are made of the page's number, so that the same page is kept once.
func quarantine(folder string, number int64, p Page, l Line) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("%09d-%s", number, fileName(p.ID)))
	reason, err := json.MarshalIndent(map[string]any{
		"id": p.ID, "url": p.URL, "input": p.Path, "kind": l.Kind, "error": l.Error,
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".json", append(reason, '\n'), 0o644); err != nil {
		return err
	}
	return keepBody(name+".html", p)
}

func keepBody(name string, p Page) error {
	r, err := p.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(r, 2*DefaultBytes))
	return errors.Join(err, f.Close())
}

// fileName makes a name that every file system takes.
func fileName(id string) string {
	const room = 80
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, id)
	return strings.TrimLeft(name[:min(len(name), room)], ".")
}
