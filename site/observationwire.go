package site

// AppendBinary writes the observation to the end of b, with a checksum. It
// does not write its length: a log does that.
func (o *Observation) AppendBinary(b []byte) ([]byte, error) {
	e := newEncoder(b, observationMark)
	e.count(int(o.address))
	e.keys(o.story)
	e.shape(&o.shape)
	e.keys(o.rows)
	e.count(len(o.samples))
	for _, s := range o.samples {
		e.count(int(s.key))
		e.text(s.text)
	}
	for _, name := range o.habits {
		e.text(name)
	}
	e.keys(o.kept)
	e.keys(o.left)
	e.count(len(o.suffixes))
	for _, s := range o.suffixes {
		e.text(s)
	}
	return e.done(), nil
}

// MarshalBinary is AppendBinary to nothing.
func (o *Observation) MarshalBinary() ([]byte, error) { return o.AppendBinary(nil) }

// UnmarshalBinary reads what AppendBinary wrote. The error is ErrCorrupt or
// ErrVersion.
func (o *Observation) UnmarshalBinary(b []byte) error {
	d, err := newDecoder(b, observationMark)
	if err != nil {
		return err
	}
	var n Observation
	n.address = key(d.number(1<<32 - 1))
	n.story = d.keys(maxStory)
	n.shape = d.shape()
	n.rows = d.keys(maxRows)
	for range d.count(maxSamples, 2) {
		n.samples = append(n.samples, sample{key(d.number(1<<32 - 1)), d.text(maxSample)})
	}
	for r := range n.habits {
		n.habits[r] = d.text(maxName)
	}
	n.kept, n.left = d.keys(maxPlaces), d.keys(maxPlaces)
	for range d.count(maxSuffixes, 1) {
		n.suffixes = append(n.suffixes, d.text(maxName))
	}
	if err := d.done(); err != nil {
		return err
	}
	*o = n
	return nil
}
