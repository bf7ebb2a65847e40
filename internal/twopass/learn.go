package twopass

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

// Observation is an observation of a site, as machines exchange it.
type Observation struct {
	Site string `json:"site"`
	Hash int64  `json:"hash"` // of site and data
	Data []byte `json:"data"` // of site.Observation.MarshalBinary; nil if only the name is known
}

// newObservation returns what a site.Observation of a site is kept as.
func newObservation(name string, o *site.Observation) (Observation, error) {
	data, err := o.MarshalBinary()
	if err != nil {
		return Observation{}, err
	}
	name = validName(name)
	return Observation{name, hash(name, data), data}, nil
}

func hash(name string, data []byte) int64 {
	sum := sha256.Sum256(append([]byte(name+"\x00"), data...))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// validName returns the name under which a store keeps a site.
func validName(name string) string {
	return site.New(strings.ToValidUTF8(name, "\uFFFD")).Name()
}

// Check returns an error for an observation that is damaged.
func (o *Observation) Check() error {
	switch {
	case o.Site == "":
		return errors.New("an observation without a site")
	case len(o.Data) == 0 && o.Hash == 0:
		return nil
	case o.Hash != hash(o.Site, o.Data):
		return errors.New("the hash is not that of the observation; it was changed after lede batch --observe wrote it")
	}
	return new(site.Observation).UnmarshalBinary(o.Data)
}

// Smallest are the observations of a site with the smallest hashes, sorted by them.
// The zero value is empty. It does not matter in which order they are added, and how
// often.
type Smallest []Observation

// Add adds an observation, if it has data and its hash is small enough.
func (s *Smallest) Add(o Observation) {
	if len(o.Data) == 0 {
		return
	}
	i, known := slices.BinarySearchFunc(*s, o.Hash, func(o Observation, hash int64) int { return cmp.Compare(o.Hash, hash) })
	if known || i >= sitePages {
		return
	}
	*s = slices.Insert(*s, i, o)
	*s = (*s)[:min(len(*s), sitePages)]
}

// Profile returns what a first pass learns from the observations. All must be of one
// site.
func (s Smallest) Profile(_ context.Context, name string) (*site.Profile, error) {
	p := site.New(name)
	for i := range s {
		o := new(site.Observation)
		if err := o.UnmarshalBinary(s[i].Data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.Add(o)
	}
	return p, nil
}

// learn adds the observations to the profile of a site, in the order of their hashes.
func (s Smallest) learn(ctx context.Context, name string, into *store.Store) error {
	for i := range s {
		o := new(site.Observation)
		if err := o.UnmarshalBinary(s[i].Data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := into.Add(ctx, name, o); err != nil {
			return err
		}
	}
	return nil
}
