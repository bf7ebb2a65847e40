package store

import (
	"context"
	"strings"
)

// Names returns up to n ids of stories that begin with a prefix, in order.
func (s *Store) Names(ctx context.Context, prefix string, n int) (names []string, err error) {
	bits := nameBits - letterBits*len(prefix)
	if bits < 0 {
		return nil, nil
	}
	var from int64
	for _, c := range []byte(prefix) {
		i := strings.IndexByte(letters, c)
		if i < 0 {
			return nil, nil
		}
		from = from<<letterBits | int64(i)
	}
	from <<= bits
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.view(ctx, func() error {
		ids, err := s.db.numbers("SELECT id FROM stories WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", from, from|(1<<bits-1), n)
		for _, id := range ids {
			names = append(names, storyName(id))
		}
		return err
	})
	return names, err
}
