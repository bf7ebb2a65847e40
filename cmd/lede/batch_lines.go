package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/lede-news/lede/site"
)

// jsonLine returns a value as a line of JSON.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// exactProfile is a profile without loss. The JSON form of a profile, which people can
// edit, is rounded.
type exactProfile struct {
	Site  string `json:"site"`
	Pages int    `json:"pages"`
	Data  []byte `json:"data"`
}

// profileLine returns a profile as a line of exactProfile.
func profileLine(p *site.Profile) ([]byte, error) {
	data, err := p.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return jsonLine(exactProfile{p.Name(), p.Pages(), data})
}

// readProfile is a profile that is read from either form.
type readProfile site.Profile

func (p *readProfile) UnmarshalJSON(b []byte) error {
	var exact exactProfile
	if json.Unmarshal(b, &exact) != nil || exact.Data == nil {
		return (*site.Profile)(p).UnmarshalJSON(b)
	}
	if err := (*site.Profile)(p).UnmarshalBinary(exact.Data); err != nil {
		return err
	}
	if name := (*site.Profile)(p).Name(); name != exact.Site {
		return fmt.Errorf("site is %q, but data is the profile of %q", exact.Site, name)
	}
	return nil
}
