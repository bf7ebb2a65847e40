// Package learn finds the numbers that methods work with, from pages whose
// story is known.
package learn
