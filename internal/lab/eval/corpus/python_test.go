package corpus

import (
	"reflect"
	"strings"
	"testing"
)

func readPython(src string) (all []entry, line int, err error) {
	line, err = eachPython(src, "PAGES")(func(e entry) error {
		all = append(all, e)
		return nil
	})
	return all, line, err
}

func TestPython(t *testing.T) {
	for src, want := range map[string]any{
		`'a'`:                              "a",
		`"it's"`:                           "it's",
		`'a' "b"  # c` + "\n" + ` 'd'`:     "abd",
		`("a"` + "\n" + `"b")`:             "ab",
		`"a" \` + "\n" + `"b"`:             "ab",
		`'''a` + "\n" + `'b' ''c'''`:       "a\n'b' ''c",
		`""`:                               "",
		`'\'\\\n\t\x41\u00e9\U0001F426'`:   "'\\\n\tAé🐦",
		`'\101\0\8\q\N{DASH}\x4'`:          "A\x00\\8\\q\\N{DASH}\\x4",
		`'a\` + "\n" + `b'`:                "ab",
		`r'\n\''`:                          `\n\'`,
		`u'é' b"x" Rb'\d' f'{x}'`:          `éx\d{x}`,
		`None`:                             nil,
		`True`:                             true,
		`False`:                            false,
		`-1_000`:                           -1000.0,
		`1.5e3`:                            1500.0,
		`0x1f`:                             31.0,
		`[]`:                               []any{},
		`['a', ["b",], None,]`:             []any{"a", []any{"b"}, nil},
		`('a',)`:                           []any{"a"},
		`()`:                               []any{},
		`{}`:                               map[string]any{},
		`{'a': {'b': 1}, # x` + "\n" + `}`: map[string]any{"a": map[string]any{"b": 1.0}},
	} {
		all, _, err := readPython("PAGES = {'k': " + src + "}")
		if err != nil || len(all) != 1 || !reflect.DeepEqual(all[0].value, want) {
			t.Errorf("%s: got %#v, %v", src, all, err)
		}
	}
	for src, want := range map[string]string{
		"{'a': 'b}":                          "unterminated string",
		"{'a': '''b}":                        "unterminated string",
		"{'a' 'b'}":                          `unexpected '}', want a colon`,
		"{'a': 1 'b': 2}":                    `unexpected '\'', want a comma`,
		"{'a': [1, 2":                        "unexpected end of file, want a comma",
		"{'a': [1,":                          "unexpected end of file, want a value",
		"{'a': os.system('x')}":              "os is not a literal",
		"{'a': 1-+2}":                        `"1-+2" is not a number`,
		"{a: 1}":                             `unexpected 'a', want a string as key`,
		"{'a': é}":                           `unexpected 'é', want a value`,
		"{'a': " + strings.Repeat("[", 1000): "nested too deeply",
	} {
		if _, line, err := readPython("\n\nPAGES = " + src); err == nil || err.Error() != want || line != 3 {
			t.Errorf("%s: line %d, %v, want %s", src, line, err, want)
		}
	}
}

// TestPythonFind finds the dict in files with other code.
func TestPythonFind(t *testing.T) {
	for src, line := range map[string]int{
		"PAGES = {'k': 1}":                                              1,
		"# PAGES = {'x': 1}\nPAGES={\n'k': 1}":                          3,
		"x = 'it''s'\nPAGES: dict[str, int] = \\\n {'k': 1}":            3,
		"\"\"\"\nPAGES = {'x': 1}\n\"\"\"\nPAGES = {'k': 1}":            4,
		"PAGES_OLD = {'x': 1}\nMY_PAGES = {'x': 1}\nPAGES\t=\n{'k': 1}": 4,
		"PAGES = None\nPAGES = {'k': 1}\nPAGES.update({'x': 1})":        2,
		"it's\nPAGES = {'k': 1}":                                        2,
	} {
		all, _, err := readPython(src)
		if err != nil || len(all) != 1 || all[0].key != "k" || all[0].line != line {
			t.Errorf("%q: got %v, %v", src, all, err)
		}
	}
	for _, src := range []string{"", "PAGES", "PAGES = []", "x = {}", "if PAGES == {}: pass"} {
		if _, _, err := readPython(src); err == nil || !strings.Contains(err.Error(), "no PAGES = {…}") {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func FuzzPython(f *testing.F) {
	for _, s := range []string{
		"PAGES = {'a': {'file': 'b', 'with': ['c' \"d\", '''e'''], 'n': -1.5e3, 'x': (None, True)}, # f\n}",
		"PAGES: x = {r'\\': '\\x41\\u00e9\\101\\\n'}", "PAGES = {'a': [[[[", "PAGES = {'a': \"", "'''PAGES = {", "PAGES=\\",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, line, err := readPython(src)
		if line < 0 || line > strings.Count(src, "\n")+1 {
			t.Errorf("%q: line %d, %v", src, line, err)
		}
	})
}

func TestEachJSON(t *testing.T) {
	for src, want := range map[string]struct {
		entries, line int
		err           string
	}{
		"\ufeff{\"a\": 1,\n\n\"b\": {}}": {2, 3, ""},
		"{}":                             {0, 1, ""},
		"":                               {0, 1, "invalid JSON: unexpected EOF"},
		"[]":                             {0, 1, "invalid JSON: want an object"},
		"{\"a\": 1,\n\"b\": {\"c\"":      {1, 2, `invalid entry "b": unexpected EOF`},
		"{\"a\": 1,\n2: 3}":              {1, 2, "invalid JSON: invalid character"},
		"{\"a\": 1":                      {1, 1, "invalid JSON: unexpected EOF"},
	} {
		n := 0
		line, err := eachJSON([]byte(src))(func(entry) error { n++; return nil })
		if n != want.entries || line != want.line || (err == nil) != (want.err == "") || err != nil && !strings.HasPrefix(err.Error(), want.err) {
			t.Errorf("%q: %d entries, line %d, %v", src, n, line, err)
		}
	}
}
