package blocks

import (
	"strings"
	"testing"
)

// nameWords returns the words of a name in lower case.
func nameWords(name string) string {
	var out []string
	eachToken(name, func(token string, hasWords bool) {
		if !hasWords {
			return
		}
		eachWord(token, func(word string, _ uint32) { out = append(out, strings.ToLower(word)) })
	})
	return strings.Join(out, " ")
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"c-related_box":                        "related box",
		"shareBar":                             "share bar",
		"Story3 BODY":                          "story body",
		"news:body/main":                       "news body main",
		"x y z1":                               "",
		"h2 col2 widget-3":                     "col widget",
		"post-12345 2columns":                  "post columns",
		"ad300x250 ad-300x250":                 "ad ad",
		"ads1 advert12":                        "ads advert",
		"":                                     "",
		"--":                                   "",
		"0f8fad5b-d9cb-469f-a165-70867728950e": "",
		"row-0f8fad5b-feed-469f-face-adadadadadad": "row",
		"ad3bdc1f69ad":            "",
		"p-3ad9f0c2b1e4":          "",
		"id-ad123456 ad12":        "id ad",
		"sc-bdVaJa hKFyPp":        "sc",
		"css-1q2w3e":              "css",
		"jsx-123456":              "jsx",
		"Article_body__3kF9x":     "article body",
		"styles_adWrapper__aXqBz": "styles ad wrapper",
		"MAIN_CONTENT":            "main content",
		"aW5kZXgtYWRz":            "",
		"feed-top":                "feed top",
	} {
		if got := nameWords(name); got != want {
			t.Errorf("%q: words %q, want %q", name, got, want)
		}
	}
}

// TestTableChecks checks that a word does not get the score of another in the same slot.
func TestTableChecks(t *testing.T) {
	var table Table
	slot, check := Slot(1)
	table.Set(1, 50)
	if table.score(1) != 50 {
		t.Error("a word has lost its score")
	}
	for h := uint32(2); ; h++ {
		if s, c := Slot(h * 2654435761); s == slot && c != check {
			if x := table.score(h * 2654435761); x != 0 {
				t.Errorf("another word has the score %d", x)
			}
			return
		}
	}
}
