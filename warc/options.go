package warc

// Options bound and direct the reading of an archive. The zero value is good.
type Options struct {
	// MaxPage is the size of the largest page that Page takes, before and after
	// its encodings are undone. 0 means 20 MiB.
	MaxPage int64

	// CheckDigests compares the digests that a record carries with its bytes.
	// That of the block is known when the body was read to its end, that of the
	// payload only to Page. Digests made by algorithms other than MD5 and the
	// SHA family are passed over.
	CheckDigests bool

	// OnFault, if set, is told of everything that Stats counts as a fault.
	OnFault func(*Error)
}

const defaultMaxPage = 20 << 20

func (o Options) withDefaults() Options {
	if o.MaxPage <= 0 {
		o.MaxPage = defaultMaxPage
	}
	if o.OnFault == nil {
		o.OnFault = func(*Error) {}
	}
	return o
}
