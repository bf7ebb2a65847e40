package sqlite

import (
	"os"
	"path/filepath"
	"testing"
)

// TestIsDamaged checks that a wrong statement, or one that breaks a constraint, does not
// mean that the file is damaged.
func TestIsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO t VALUES (1, 'a')"); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"SELECT none FROM t", "SELEC", "INSERT INTO t VALUES (1, 'b')", "INSERT INTO t VALUES (2, NULL)", "INSERT INTO t VALUES ('x', 'b')"} {
		if _, err := db.Exec(query); err == nil || IsDamaged(err) {
			t.Errorf("%s: %v", query, err)
		}
	}
	db.Close()
	if err := os.WriteFile(path, make([]byte, 8192), 0o644); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("SELECT * FROM t"); !IsDamaged(err) {
		t.Errorf("a file of zeros: %v", err)
	}
}
