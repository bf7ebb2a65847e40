package metadata

import (
	"strings"
	"testing"
)

func TestLanguage(t *testing.T) {
	russian := "<p>" + strings.Repeat("Чайки научились читать карты. ", 20)
	for _, c := range []struct{ name, page, want string }{
		{"html", `<html lang="pt_br"><p>x`, "pt-BR"},
		{"xml:lang", `<html xml:lang="de"><p>x`, "de"},
		{"content-language", `<meta http-equiv="content-language" content="fr-FR, en">`, "fr-FR"},
		{"og:locale", `<meta property="og:locale" content="es_MX">`, "es-MX"},
		{"not declared", `<p>hello`, ""},
		{"invalid", `<html lang="{{lang}}"><p>x`, ""},
		{"Russian, not declared", russian, "ru"},
		{"Russian, declared English", `<html lang="en">` + russian, "ru"},
		{"Serbian in the same script", `<html lang="sr">` + russian, "sr"},
		{"Chinese", `<html lang="en"><p>` + strings.Repeat("海鸥学会看地图。", 20), "zh"},
		{"Japanese", `<p>` + strings.Repeat("カモメは地図を読むことを学んだ。", 20), "ja"},
		{"Korean", `<p>` + strings.Repeat("갈매기가 지도를 읽는다. ", 20), "ko"},
		{"Arabic", `<p>` + strings.Repeat("تعلمت النوارس قراءة الخرائط. ", 20), "ar"},
		{"Persian in the same script", `<html lang="fa"><p>` + strings.Repeat("تعلمت النوارس قراءة الخرائط. ", 20), "fa"},
		{"Greek", `<p>` + strings.Repeat("Οι γλάροι διαβάζουν χάρτες. ", 20), "el"},
		{"Hebrew", `<p>` + strings.Repeat("השחפים למדו לקרוא מפות. ", 20), "he"},
		{"Thai", `<p>` + strings.Repeat("นกนางนวลอ่านแผนที่ ", 20), "th"},
		{"English words", body, "en"},
		{"English words, declared German", `<html lang="de">` + body, "en"},
		{"English words with a country", `<html lang="en-IE">` + body, "en-IE"},
		{"German words, declared English", `<html lang="en-US"><p>` + strings.Repeat("Die Möwen haben gelernt, die Karten zu lesen, und das ist nicht neu für den Hafen. ", 4), "de"},
		{"French words", `<p>` + strings.Repeat("Les mouettes ont appris à lire les cartes, et ce n'est pas nouveau pour le port. ", 4), "fr"},
		{"Ukrainian words", `<p>` + strings.Repeat("Чайки навчилися читати карти, і це не дивно для тих, що живуть на березі та в порту. ", 4), "uk"},
		{"Persian words", `<p>` + strings.Repeat("مرغان دریایی در بندر خواندن نقشه را یاد گرفتند و این خبر برای مردم از شهر است که با دریا زندگی میکنند. ", 4), "fa"},
		{"Bokmål", `<html lang="nb"><p>` + strings.Repeat("Måkene har lært å lese kart, og det er ikke nytt for dem som bor ved havnen. ", 4), "nb"},
		{"language without a word list", `<html lang="ca"><p>` + strings.Repeat("Les gavines han après a llegir mapes, i això no és nou per al port de la ciutat. ", 4), "ca"},
		{"too few words", `<html lang="de"><p>The gulls.`, "de"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := read(t, c.page); f.Lang != c.want {
				t.Errorf("lang = %q, want %q", f.Lang, c.want)
			}
		})
	}
}

func TestParseLang(t *testing.T) {
	for in, want := range map[string]string{
		"en_US": "en-US", "EN": "en", "zh-hant-tw": "zh-Hant-TW", "en_US.UTF-8": "en-US", "de-": "de",
		" fr-FR, en": "fr-FR", "en;q=0.8": "en", "sr-Latn-RS": "sr-Latn-RS", "es-419": "es-419", "nb-NO": "nb-NO", "no": "no", "yue-HK": "yue-HK",
		"en-UK": "en-GB", "eng": "en", "iw": "he", "iw-IL": "he-IL", "in": "id", "mo": "ro-MD", "sh": "sh", "tl": "tl", "cmn": "cmn", "zh-cmn-Hans": "cmn-Hans",
		"en-EN": "en", "de_DE_formal": "de-DE", "ca-valencia": "ca-valencia", "en-US-u-ca-buddhist": "en-US-u-ca-buddhist",
		"english": "", "": "", "x": "", "und": "", "mul": "", "zxx": "", "xx": "", "utf-8": "", "de CH": "", "日本": "", "{{lang}}": "",
	} {
		if got := parseLang(in); got != want {
			t.Errorf("parseLang(%q) = %q, want %q", in, got, want)
		}
	}
}
