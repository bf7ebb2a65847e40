package store

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

const (
	maxFileName = 120 // bytes; file systems take 255, with endings
	hashMark    = '~' // stands in no name that is not cut
)

// reserved are names that Windows keeps for devices, whatever their ending.
var reserved = []string{"con", "prn", "aux", "nul",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// fileName is the name of a site's files, without ending. A host is its own
// name; of others every byte that a file system may not take as it is, capital
// letters included, is written as %xx. Long names are cut and end in a hash.
func fileName(site string) string {
	var b strings.Builder
	first, _, _ := strings.Cut(site, ".")
	device := slices.Contains(reserved, first)
	for i := range len(site) {
		c := site[i]
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
		if !plain || i == 0 && (device || c == '.') {
			b.WriteByte('%')
			b.WriteString(hex.EncodeToString([]byte{c}))
		} else {
			b.WriteByte(c)
		}
	}
	name := b.String()
	if len(name) > maxFileName {
		sum := sha256.Sum256([]byte(site))
		name = name[:maxFileName-33] + string(hashMark) + hex.EncodeToString(sum[:16])
	}
	return name
}

// siteName is the site whose files have that name. It answers false for a name
// that was cut, and for files that are not ours.
func siteName(file string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(file); i++ {
		if file[i] != '%' {
			b.WriteByte(file[i])
			continue
		}
		if i+3 > len(file) {
			return "", false
		}
		c, err := hex.DecodeString(file[i+1 : i+3])
		if err != nil {
			return "", false
		}
		b.Write(c)
		i += 2
	}
	site := b.String()
	return site, site != "" && fileName(site) == file
}
