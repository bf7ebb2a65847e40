//go:build race

package dom

// underRace: every byte that the parser reads costs tenfold.
const underRace = true
