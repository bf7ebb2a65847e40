// Package fetch gets pages over HTTP within limits.
//
// A [Client] is made for addresses that come from somewhere else: a feed, a
// form, a list of a million links. The zero [Options] therefore bound the time,
// the redirects and the size of a page, and refuse every address that is not on
// the public internet.
//
// # The address guard
//
// The guard looks at the address that is about to be connected to, not at the
// URL: the client resolves a name itself, drops the addresses that are refused
// and connects to one of those that are left. No second lookup happens in
// between, so a name cannot change its answer after the check, and a redirect is
// held to the same rule as the first URL. Set AllowPrivate to turn the guard off.
//
// # Proxies
//
// A proxy connects on the client's behalf and so would get around the guard.
// The proxy variables of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY) are
// ignored unless AllowPrivate is set.
//
// # What is sent
//
// GET requests only, without cookies, credentials or Referer. Pages that
// redirect from within (meta refresh, scripts) are returned, not followed.
package fetch
