package coreex

// Config holds the settings. Start from Default or Preset; the zero value is
// the basic algorithm of section 2.1.
type Config struct {
	// Preset is the row of the paper's Table 1 that the settings come from, or
	// empty. It only names the method.
	Preset string

	Weighted    bool    `param:"weighted" about:"weighted scoring (2.2.1) instead of basic scoring"`
	WeightRatio float64 `param:"weight-ratio" about:"weight of the text-to-link ratio in weighted scoring"`
	WeightText  float64 `param:"weight-text" about:"weight of the share of the page's text in weighted scoring"`

	Subset    bool    `param:"subset" about:"subset selection (2.2.2): take only the children with few links"`
	Threshold float64 `param:"threshold" about:"text-to-link ratio that a child must exceed to be taken"`

	IgnoreForms   bool    `param:"ignore-forms" about:"ignore form, select, option, input and textarea (3.2)"`
	MinFormShare  float64 `param:"min-form-share" about:"share of the words outside links that must be left without forms, or forms are read after all (6.1)"`
	RemoveScripts bool    `param:"remove-scripts" about:"take scripts out (3.2); otherwise their words count as text"`
	Normalise     bool    `param:"normalise" about:"tidy the tree first, in place of the conversion to XHTML (3.2)"`

	DropCaptions bool `param:"drop-captions" about:"leave out the words under pictures (6.1)"`
}

// Default is R5, the best row of Table 1.
func Default() Config {
	c, _ := Preset("r5")
	c.Preset = ""
	return c
}

// Preset gives the settings of a row of Table 1, "r1" to "r6".
func Preset(name string) (Config, bool) {
	// The weights and the threshold are those of sections 2.2.1 and 2.2.2.
	c := Config{Preset: name, WeightRatio: 0.99, WeightText: 0.01, Threshold: 0.9, MinFormShare: 0.25}
	switch name {
	case "r6":
		c.Normalise = true
		fallthrough
	case "r5":
		c.RemoveScripts = true
		fallthrough
	case "r4":
		c.IgnoreForms = true
		fallthrough
	case "r3":
		c.Subset = true
		fallthrough
	case "r2":
		c.Weighted = true
		fallthrough
	case "r1":
		return c, true
	}
	return Config{}, false
}
