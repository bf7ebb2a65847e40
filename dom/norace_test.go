//go:build !race

package dom

const underRace = false
