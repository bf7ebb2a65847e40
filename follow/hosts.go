package follow

// hosts keeps in the state what polite knows about hosts: when they were asked last,
// what is left of their budget, and their robots.txt. Errors are those of the state,
// which the next write of a visit returns.
type hosts struct{ *state }

// Load implements polite.Memory.
func (h hosts) Load(kind, name string) (data []byte) {
	_, _ = h.get("SELECT data FROM hosts WHERE kind = ? AND name = ?", []any{kind, name}, &data)
	return data
}

// Save implements polite.Memory.
func (h hosts) Save(kind, name string, data []byte) {
	_ = h.exec("INSERT OR REPLACE INTO hosts (kind, name, data) VALUES (?, ?, ?)", kind, name, data)
}
