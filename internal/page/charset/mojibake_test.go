package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// garble encodes a page in a charset and decodes the bytes as windows-1252 or
// Latin-1.
func garble(t testing.TB, page, name string, latin1 bool) string {
	t.Helper()
	raw := []byte(page)
	if name != "utf-8" {
		e, _ := lookup(name)
		var err error
		if raw, err = e.NewEncoder().Bytes(raw); err != nil {
			t.Fatal(name, err)
		}
	}
	var b strings.Builder
	for _, c := range raw {
		r := charmap.Windows1252.DecodeByte(c)
		if latin1 || r == utf8.RuneError {
			r = rune(c)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// samples has a sentence in each language, made up for this test.
var samples = map[string]string{
	"polish":   "Rada miasta podjęła wczoraj decyzję, że most zostanie zbudowany jeszcze w tym roku, choć wielu mieszkańców było przeciw.",
	"french":   "La municipalité a décidé hier, après un long débat, que le pont serait construit cet été : « C’est l’œuvre d’une génération », a-t-on déclaré.",
	"english":  "“It’s a bridge,” said the mayor – “and that’s that”, she added, for £5 million… ‘Why not?’",
	"russian":  "Городской совет вчера решил после долгого спора, что мост через реку построят уже в этом году, хотя многие жители были против.",
	"greek":    "Το δημοτικό συμβούλιο αποφάσισε χθες, μετά από μακρά συζήτηση, ότι η γέφυρα θα κτιστεί φέτος, αν και πολλοί κάτοικοι διαφωνούν.",
	"chinese":  "市议会昨天经过长时间的讨论决定，今年就要在河上建一座新桥，虽然有不少居民反对。市长说，这是我们的大事，人们要用它来上学和工作。",
	"taiwan":   "市議會昨天經過長時間的討論決定，今年就要在河上建一座新橋，雖然有不少居民反對。市長說，這是我們的大事，人們要用它來上學和工作。",
	"japanese": "市議会はきのう、長い議論のすえに、ことし川に新しい橋をかけることをきめました。反対する住民もおおくいます。",
	"korean":   "시의회는 어제 오랜 토론 끝에 올해 강에 새 다리를 놓기로 결정했다. 반대하는 주민도 많이 있다. 시장은 이것이 우리의 큰 일이라고 말했다.",
}

func TestRepairMojibake(t *testing.T) {
	for _, c := range []struct{ language, charset string }{
		{"polish", "utf-8"}, {"french", "utf-8"}, {"english", "utf-8"}, {"russian", "utf-8"}, {"greek", "utf-8"},
		{"chinese", "utf-8"}, {"japanese", "utf-8"}, {"korean", "utf-8"},
		{"chinese", "gb18030"}, {"taiwan", "big5"}, {"japanese", "shift_jis"}, {"japanese", "euc-jp"}, {"korean", "euc-kr"},
		{"russian", "windows-1251"}, {"russian", "koi8-r"}, {"greek", "windows-1253"},
	} {
		for _, latin1 := range []bool{true, false} {
			page := "<title>T</title><p>" + samples[c.language] + "</p><p>" + samples[c.language] + "</p>"
			for _, meta := range []string{"", `<meta charset="` + c.charset + `">`} {
				got, name, err := Decode([]byte(garble(t, meta+page, c.charset, latin1)), Hints{Charset: "utf-8"})
				if err != nil || string(got) != meta+page || name != c.charset {
					t.Errorf("%s in %s, Latin-1 %v, meta %q: %s, %v\n%s", c.language, c.charset, latin1, meta, name, err, got)
				}
			}
		}
	}
}

// TestRepairLatin9 repairs pages that were decoded as Latin-9.
func TestRepairLatin9(t *testing.T) {
	page := "<p>" + strings.Repeat(samples["chinese"], 3)
	raw, err := simplifiedchinese.GB18030.NewEncoder().String(page)
	if err != nil {
		t.Fatal(err)
	}
	garbled, err := charmap.ISO8859_15.NewDecoder().String(raw)
	if err != nil {
		t.Fatal(err)
	}
	if got, name, err := Decode([]byte(garbled), Hints{}); err != nil || string(got) != page || name != "gb18030" {
		t.Errorf("%s, %v\n%s", name, err, got)
	}
}

// TestRepairLeaves checks that right and ambiguous pages stay as they are.
func TestRepairLeaves(t *testing.T) {
	hard := strings.Repeat("\u00A0", 40)
	pages := map[string]string{
		"hard spaces":            strings.Repeat("<p>Monday"+hard+"noon"+hard+"room 7", 10),
		"a table of Latin-1":     strings.Repeat("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ ", 2),
		"Portuguese":             strings.Repeat("As informações e as decisões da administração são questões de educação, não de opinião. ", 10),
		"capitals":               strings.Repeat("CRÉÉE À L’ÉCOLE, L’ŒUVRE DE NOËL A ÉTÉ DÉTRUITE PAR UN INCENDIE. ", 10),
		"one garbled word":       "<p>" + samples["french"] + " Ã©", // the rest speaks against it
		"a page about mojibake":  "<p>“é” becomes “Ã©”, and “ł” becomes “Å‚”, and so on – which is a nuisance, isn’t it?",
		"Icelandic":              strings.Repeat("Það þýðir að þau ráðuðu því öllu, og þá þótti þeim það ágætt, sögðu þær. ", 10),
		"Vietnamese":             strings.Repeat("Hội đồng thành phố đã quyết định xây cầu mới qua sông trong năm nay, dù nhiều người phản đối. ", 10),
		"German and hard spaces": strings.Repeat("Über 5\u00A0000 Bürger müssen für größere Brücken zahlen. ", 10),
	}
	for name, words := range samples {
		pages[name] = "<p>" + words + "</p><p>" + words
	}
	for name, page := range pages {
		got, charset, err := Decode([]byte(page), Hints{Charset: "utf-8"})
		if err != nil || string(got) != page || charset != "utf-8" {
			t.Errorf("%s: %s, %v\n%s", name, charset, err, got)
		}
	}
	// The charset that the caller demands wins.
	garbled := garble(t, "<p>"+samples["chinese"]+samples["chinese"], "gb18030", true)
	latin, err := charmap.ISO8859_1.NewEncoder().String(garbled)
	if err != nil {
		t.Fatal(err)
	}
	if _, charset, err := Decode([]byte(latin), Hints{Charset: "windows-1252"}); err != nil || charset != "windows-1252" {
		t.Errorf("demanded windows-1252, got %s, %v", charset, err)
	}
}

// TestRepairKeepsOthers checks that characters that were not bytes stay where they are.
func TestRepairKeepsOthers(t *testing.T) {
	for _, charset := range []string{"utf-8", "gb18030"} {
		words := strings.Repeat(samples["chinese"], 3)
		page := "<p>" + garble(t, words, charset, true) + " 橋 " + garble(t, words, charset, true)
		want := "<p>" + words + " 橋 " + words
		if got, _, err := Decode([]byte(page), Hints{}); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", charset, err, got)
		}
	}
}

// FuzzRepair checks that the result is valid UTF-8 and that other text is not
// changed.
func FuzzRepair(f *testing.F) {
	for _, words := range samples {
		f.Add([]byte(words))
		f.Add([]byte(garble(f, words, "utf-8", false)))
	}
	f.Add([]byte(garble(f, strings.Repeat(samples["chinese"], 2), "gb18030", true)))
	f.Fuzz(func(t *testing.T, page []byte) {
		text := []byte(strings.ToValidUTF8(string(page), "\uFFFD"))
		got, name := repairMojibake(text)
		switch {
		case !utf8.Valid(got):
			t.Errorf("%q gives %q, which is not UTF-8", text, got)
		case name == "" && string(got) != string(text):
			t.Errorf("%q was changed, but no charset returned", text)
		case name == "utf-8" && len(got) > len(text):
			t.Errorf("%q got longer", text)
		}
	})
}
