package compose

import "testing"

func TestBoldLines(t *testing.T) {
	const text = "The cranes of the harbour stood still on Monday."
	const p = "<p>" + text + "</p>"
	const out = "p " + text + "\n"
	for _, c := range []struct{ name, page, want string }{
		{"between paragraphs", p + "<p><b>The vote</b></p>" + p, out + "h2 The vote\n" + out},
		{"by a class", p + "<p><span class='x strong'>The vote</span></p>" + p, out + "h2 The vote\n" + out},
		{"by a style", p + "<p><span style='color: red; font-weight: 700'>The vote</span></p>" + p, out + "h2 The vote\n" + out},
		{"normal weight", p + "<p><span style='font-weight: 400'>The vote</span></p>" + p, out + "p The vote\n" + out},
		{"several", p + "<p><b>The vote</b></p>" + p + "<p><b>The pay</b></p>" + p, out + "h2 The vote\n" + out + "h2 The pay\n" + out},
		{"a sentence", p + "<p><b>They vote.</b></p>" + p, out + "p {strong|They vote.}\n" + out},
		{"a question of an interview", p + "<p><b>Who votes?</b></p>" + p, out + "p {strong|Who votes?}\n" + out},
		{"a label", p + "<p><b>Read also:</b></p>" + p, out + "p {strong|Read also:}\n" + out},
		{"partly", p + "<p><b>The vote</b> is on</p>" + p, out + "p {strong|The vote} is on\n" + out},
		{"first", "<p><b>The vote</b></p>" + p, "p {strong|The vote}\n" + out},
		{"last", p + "<p><b>Ann Lee</b></p>", out + "p {strong|Ann Lee}\n"},
		{"two in a row", p + "<p><b>The vote</b></p><p><b>The pay</b></p>" + p, out + "p {strong|The vote}\nh2 The pay\n" + out},
		{"beside headings", p + "<p><b>The vote</b></p>" + p + "<h3>The pay</h3>" + p, out + "p {strong|The vote}\n" + out + "h3 The pay\n" + out},
		{"a link", p + "<p><b><a href='https://quay.example/'>The vote</a></b></p>" + p, out + "p [{strong|The vote}](https://quay.example/)\n" + out},
	} {
		if got := blocksOf(t, c.page); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// A heading of several sentences is a paragraph in large type.
func TestLongHeading(t *testing.T) {
	const long = "The cranes of the harbour stood still on Monday. The crews had voted for it, nine in ten of them, and went home at noon. Nobody expects them back before the end of the week."
	if got, want := blocksOf(t, "<h2>"+long+"</h2><h2>The vote</h2>"), "p "+long+"\nh2 The vote\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func blocksOf(t *testing.T, page string) string {
	d := parse(t, page)
	return dump(Blocks(d, all(d), Options{}).Article())
}
