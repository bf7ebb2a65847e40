//go:build !unix

package main

// exitWithParent does nothing where handles are not inherited unless they are named: the
// end of the parent is then the end of standard input.
func exitWithParent() (stop func()) { return func() {} }
