package stories

import (
	"strings"
	"testing"
)

func diffText(before, after string) string {
	var b strings.Builder
	for _, e := range Diff(before, after) {
		b.WriteString(e.String() + "\n")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	const (
		p1 = "The harbour of Oldmouth was closed on Monday after a ferry ran aground, the coast guard said."
		p2 = "Nobody was hurt. The 340 passengers were taken ashore in boats, and most of them went home by bus."
		p3 = "The ferry, the Maid of Orrin, was built in 1987."
		p4 = "“We were lucky with the tide”, said Ann Brill, who commands the station."
	)
	text := func(ps ...string) string { return strings.Join(ps, "\n") }
	for _, c := range []struct{ name, before, after, want string }{
		{"empty", "", "\n\n", ""},
		{"same", text(p1, p2), text(p1, p2), "  " + p1 + "\n  " + p2 + "\n"},
		{"house style", p4, `"We were lucky with the tide," said Ann Brill, who commands the station.`, "  \"We were lucky with the tide,\" said Ann Brill, who commands the station.\n"},
		{"cut and added", text(p1, p2, p3), text(p4, p1, p3), "+ " + p4 + "\n  " + p1 + "\n- " + p2 + "\n  " + p3 + "\n"},
		{"moved", text(p1, p2, p3, p4), text(p1, p4, p2, p3), "  " + p1 + "\n> " + p4 + "\n  " + p2 + "\n  " + p3 + "\n"},
		{"corrected", text(p1, p2), text(p1, strings.Replace(p2, "340", "about 350", 1)), "  " + p1 + "\n~ Nobody was hurt. The [-340-] {+about 350+} passengers were taken ashore in boats, and most of them went home by bus.\n"},
		{"joined", text(p1, p2, p3), text(p1+" "+p2, p3), "  " + p1 + " " + p2 + "\n  " + p3 + "\n"},
		{"split", text(p1+" "+p2, p3), text(p1, p2, p3), "  " + p1 + "\n" + p2 + "\n  " + p3 + "\n"},
		{"short", text(p1, "He is 40.", p2), text(p1, "He is 41.", p2), "  " + p1 + "\n~ He is [-40.-]{+41.+}\n  " + p2 + "\n"},
	} {
		if got := diffText(c.before, c.after); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}
