package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lede-news/lede/site"
)

// card is what the store itself reads of SITE.json, which is the profile as
// people may edit it and one number more.
type card struct {
	Site  string `json:"site"`
	Pages int    `json:"pages"`
	// Log is the number of the log that goes with the profile. Logs with a lower
	// number are in it already: a crash left them behind.
	Log int64 `json:"log"`
}

// encodeCard writes a card for people to read.
func encodeCard(p *site.Profile, log int64) ([]byte, error) {
	b, err := p.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	b = append(fmt.Appendf(nil, `{"log":%d,`, log), bytes.TrimPrefix(b, []byte("{"))...)
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// decodeCard reads a card that people may have edited. A profile as it was
// exported will do. Errors say in which line.
func decodeCard(b []byte) (*site.Profile, int64, error) {
	var c card
	if err := json.Unmarshal(b, &c); err != nil {
		return nil, 0, at(b, err)
	}
	p := new(site.Profile)
	if err := p.UnmarshalJSON(b); err != nil {
		return nil, 0, at(b, err)
	}
	return p, c.Log, nil
}

// at says where in b an error of the JSON decoder is.
func at(b []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
	}
	if offset < 0 {
		return err
	}
	end := min(len(b), max(0, int(offset)-1))
	line := 1 + bytes.Count(b[:end], []byte("\n"))
	column := end - bytes.LastIndexByte(b[:end], '\n')
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// peekCard reads what stands before the templates, and no more.
func peekCard(path string) (c card, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 4<<10))
	d.Token() // {
	for {
		key, err := d.Token()
		if err != nil {
			return c, err
		}
		switch key {
		case "site":
			err = d.Decode(&c.Site)
		case "pages":
			err = d.Decode(&c.Pages)
		case "log":
			err = d.Decode(&c.Log)
		case "version":
			err = d.Decode(new(json.RawMessage))
		default:
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}

// writeFile puts b in the place of the file, in one step that a crash leaves
// done or not begun, also one of the whole machine.
func writeFile(path string, b []byte) (err error) {
	tmp := path + ".tmp"
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}
