package serve

// Keys are the keys of a service.
type Keys struct{}
