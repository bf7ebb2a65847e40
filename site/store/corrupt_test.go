package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/internal/output/sqlite"
	"github.com/lede-news/lede/site"
)

// openRecording opens a store and records its reports.
func openRecording(t *testing.T, path string) (Store, *reports) {
	t.Helper()
	c := new(reports)
	s, err := Open(path, Options{Report: c.report})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, c
}

// rawSQL runs a statement on the file without the store.
func rawSQL(t *testing.T, path, query string) (n int) {
	t.Helper()
	name, err := sqlite.DSN(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if strings.HasPrefix(query, "SELECT") {
		err = db.QueryRow(query).Scan(&n)
	} else {
		_, err = db.Exec(query)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCorruptRows breaks a snapshot and rows of the log.
func TestCorruptRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sites.db")
	s := open(t, path)
	add(t, s, "a.example", 0, maxLogRows+5) // 5 in the log
	add(t, s, "b.example", 0, 5)
	s.Close()
	rawSQL(t, path, `UPDATE sites SET data = x'00' || substr(data, 2) WHERE name = 'a.example'`)
	rawSQL(t, path, `UPDATE log SET data = substr(data, 1, length(data)-1) || x'00' WHERE id IN (
		SELECT l.id FROM log l JOIN sites s ON l.site = s.id WHERE name = 'b.example' ORDER BY l.id LIMIT 1 OFFSET 2)`)

	r, c := openRecording(t, path)
	wantPages(t, r, "a.example", 5)
	wantPages(t, r, "b.example", 4)
	wantPages(t, r, "b.example", 4)
	c.want(t, 2)
	add(t, r, "a.example", 100, 100+maxLogRows)
	wantPages(t, r, "a.example", 5+maxLogRows)
	r.Close()
	if n := rawSQL(t, path, "SELECT count(*) FROM corrupt"); n != 2 {
		t.Errorf("%d records were kept, want 2", n)
	}
	s = open(t, path) // reports nothing
	wantPages(t, s, "a.example", 5+maxLogRows)
	wantPages(t, s, "b.example", 4)
}

// TestCorruptOnAdd detects damage while writing, and in a store that is opened
// read-only.
func TestCorruptOnAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sites.db")
	s := open(t, path)
	add(t, s, "a.example", 0, maxLogRows+5)
	s.Close()
	rawSQL(t, path, "UPDATE sites SET data = x'1234'")
	c := new(reports)
	s, err := Open(path, Options{ReadOnly: true, Report: c.report})
	if err != nil {
		t.Fatal(err)
	}
	wantPages(t, s, "a.example", 5)
	s.Close()
	c.want(t, 1)
	s, c = openRecording(t, path)
	add(t, s, "a.example", 100, 101)
	wantPages(t, s, "a.example", 6)
	c.want(t, 1)
}

// TestNewerRecord checks that a file of a newer version is an error and is kept.
func TestNewerRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sites.db")
	s := open(t, path)
	add(t, s, "a.example", 0, 1)
	s.Close()
	rawSQL(t, path, "PRAGMA user_version = 99")
	if s, err := Open(path, Options{}); err == nil {
		s.Close()
		t.Error("a file of a newer version was opened")
	} else {
		t.Log(err)
	}
	rawSQL(t, path, "PRAGMA user_version = 1")
	wantPages(t, open(t, path), "a.example", 1)
}

// TestForeignDatabase checks that the file of another program is not changed.
func TestForeignDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	rawSQL(t, path, "CREATE TABLE recipes (name TEXT)")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Open(path, Options{}); err == nil {
		s.Close()
		t.Error("it was opened")
	} else {
		t.Log(err)
	}
	after, _ := os.ReadFile(path)
	if files, _ := filepath.Glob(path + "*"); string(before) != string(after) || len(files) != 1 {
		t.Errorf("it was changed: %v", files)
	}
}

// TestRebuildInUse breaks the file while it is open.
func TestRebuildInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sites.db")
	s := open(t, path)
	for i := range 10 {
		add(t, s, fmt.Sprintf("%d.example", i), 0, 20)
	}
	s.Close()
	s, c := openRecording(t, path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(b); i++ { // all but the schema
		b[i] = 0xff
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for i := range 10 {
		add(t, s, fmt.Sprintf("%d.example", i), 100, 103)
		wantPages(t, s, fmt.Sprintf("%d.example", i), 3)
	}
	c.want(t, 1)
	for _, err := range c.all() {
		t.Log(err)
	}
	if _, err := os.Stat(path + ".corrupt-1"); err != nil {
		t.Error(err)
	}
}

// TestCorruptFolder damages the files of a folder as crashes, disks and people do.
func TestCorruptFolder(t *testing.T) {
	const name = "a.example"
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte { b[at] ^= 0x55; return b }
	}
	tests := []struct {
		name    string
		file    string
		change  func([]byte) []byte
		pages   int // of 10 in the JSON file and 5 in the log
		reports int
		mention string
	}{
		{"a comma too many", "a.example.json", func(b []byte) []byte { return []byte(strings.Replace(string(b), `"version"`, `,"version"`, 1)) }, 5, 1, "line 4, column 3"},
		{"a word for a number", "a.example.json", func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"version": `, `"version": "one", "was": `, 1))
		}, 5, 1, "line 4"},
		{"an empty JSON file", "a.example.json", func([]byte) []byte { return nil }, 5, 1, "a.example.json.corrupt-1"},
		{"the JSON file of another site", "a.example.json", func(b []byte) []byte { return []byte(strings.Replace(string(b), "a.example", "b.example", 1)) }, 5, 1, "b.example"},
		{"no log number", "a.example.json", func(b []byte) []byte { return []byte(strings.Replace(string(b), `"log": 1,`, ``, 1)) }, 15, 0, ""},
		{"the header of the log", "a.example.log", flip(2), 10, 1, "a.example.log.corrupt-1"},
		{"a line of the log", "a.example.log", flip(200), 14, 1, "a.example.log.corrupt"},
		{"a line without newline", "a.example.log", func(b []byte) []byte { return b[:len(b)-1] }, 14, 0, ""},
		{"a line cut in half", "a.example.log", func(b []byte) []byte { return b[:len(b)-100] }, 14, 0, ""},
		{"a header cut in half", "a.example.log", func(b []byte) []byte { return b[:10] }, 10, 0, ""},
		{"an empty log", "a.example.log", func(b []byte) []byte { return nil }, 10, 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			p := site.New(name)
			for n := range 10 {
				p.Add(observe(t, name, n))
			}
			s := open(t, dir)
			if err := s.Put(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			add(t, s, name, 10, 15)
			file := filepath.Join(dir, test.file)
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, test.change(b), 0o644); err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-time.Hour) // not being edited
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}

			readOnly := new(reports)
			ro, err := Open(dir, Options{ReadOnly: true, Report: readOnly.report})
			if err != nil {
				t.Fatal(err)
			}
			wantPages(t, ro, name, test.pages)
			readOnly.want(t, test.reports)

			s, c := openRecording(t, dir)
			wantPages(t, s, name, test.pages)
			add(t, s, name, 20, 22)
			wantPages(t, s, name, test.pages+2)
			c.want(t, test.reports)
			for _, err := range c.all() {
				t.Log(err)
				if !strings.Contains(err.Error(), test.mention) {
					t.Errorf("it does not mention %q", test.mention)
				}
			}
			wantPages(t, open(t, dir), name, test.pages+2)
		})
	}
}

// TestCrashInFold simulates a crash after the JSON file was written and before the
// log was removed: no page counts twice.
func TestCrashInFold(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, "a.example", 0, 5)
	log, err := os.ReadFile(filepath.Join(dir, "a.example.log"))
	if err != nil {
		t.Fatal(err)
	}
	s.Close() // which folds
	if err := os.WriteFile(filepath.Join(dir, "a.example.log"), log, 0o644); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	wantPages(t, s, "a.example", 5)
	add(t, s, "a.example", 5, 8)
	wantPages(t, s, "a.example", 8)
	wantPages(t, open(t, dir), "a.example", 8)
}

// TestEdit checks that changes to a JSON file are used at once and kept.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p := site.New("a.example")
	for n := range 10 {
		p.Add(observe(t, "a.example", n))
	}
	if err := s.Put(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	add(t, s, "a.example", 10, 15)
	file := filepath.Join(dir, "a.example.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(b), `"pages": 10`, `"pages": 1000`, 1)
	// An editor that writes in two steps, with a pause.
	if err := os.WriteFile(file, []byte(edited[:len(edited)/2]), 0o644); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		go func() {
			time.Sleep(50 * time.Millisecond)
			os.WriteFile(file, []byte(edited), 0o644)
		}()
		wantPages(t, s, "a.example", 1005)
	})
	add(t, s, "a.example", 20, 20+maxLogLines)
	wantPages(t, s, "a.example", 1005+maxLogLines)
	s.Close()
	// An exported profile may replace the file.
	b, err = p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	wantPages(t, open(t, dir), "a.example", 10)
}
