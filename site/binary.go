package site

import "encoding/json"

// observationJSON is the binary form of an observation.
type observationJSON struct {
	Address                           key
	Story, Rows, Kept, Dropped, Clues []key
	Shape                             shape
	Samples                           map[key]string
	Habits                            map[role]string
	Shares                            []uint8
	Suffixes                          []string
}

// MarshalBinary returns the binary form of the observation.
func (o *Observation) MarshalBinary() ([]byte, error) {
	out := observationJSON{o.address, o.story, o.rows, o.kept, o.dropped, o.clues, o.shape, map[key]string{}, o.habits, o.shares, o.suffixes}
	for _, s := range o.samples {
		out.Samples[s.key] = s.text
	}
	return json.Marshal(out)
}

// UnmarshalBinary decodes what MarshalBinary returned.
func (o *Observation) UnmarshalBinary(b []byte) error {
	var in observationJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*o = Observation{address: in.Address, story: in.Story, shape: in.Shape, rows: in.Rows, habits: in.Habits, kept: in.Kept,
		dropped: in.Dropped, clues: in.Clues, shares: in.Shares, suffixes: in.Suffixes}
	for k, text := range in.Samples {
		o.samples = append(o.samples, sample{k, text})
	}
	return nil
}
