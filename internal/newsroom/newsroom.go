package newsroom

// A Newsroom is the set of sites grown from one seed.
type Newsroom struct {
	sites  []*Site
	byName map[string]*Site
	byHost map[string]*Site
}

// Sites returns the names of all sites in a stable order.
func Sites() []string {
	var names []string
	for _, h := range siteList() {
		names = append(names, h.Name)
	}
	return names
}

// New returns the newsroom of the seed.
func New(seed uint64) *Newsroom {
	n := &Newsroom{byName: map[string]*Site{}, byHost: map[string]*Site{}}
	for _, h := range siteList() {
		s := newSite(h, seed)
		n.sites = append(n.sites, s)
		n.byName[s.Name] = s
		n.byHost[s.Host] = s
	}
	return n
}

// Sites returns the sites in the order of [Sites].
func (n *Newsroom) Sites() []*Site { return append([]*Site(nil), n.sites...) }

// Site returns the site of that name.
func (n *Newsroom) Site(name string) (*Site, bool) {
	s, ok := n.byName[name]
	return s, ok
}
