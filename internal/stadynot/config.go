package stadynot

// Config holds the settings. Start from Default or Preset. Those below Beta
// go beyond the paper.
type Config struct {
	// Preset is "paper", or empty. It only names the method.
	Preset string

	Alpha int     `param:"alpha" about:"α: a candidate with fewer characters outside links is dynamic noise"`
	Beta  float64 `param:"beta" about:"β: a candidate with a higher share of characters in links is dynamic noise"`

	Pages       int     `param:"pages" about:"neighbours, or half of them if that is less, on which static noise must stand; 0 means all, as in the paper"`
	CountStatic bool    `param:"count-static" about:"static noise counts as text in stage 2, as in the paper"`
	Row         int     `param:"row" about:"static noise stays in a row with so many characters or more, most of the row, that are not static; 0 for none"`
	Furniture   bool    `param:"furniture" about:"nav, footer, aside and their like are noise, and a form around the whole page is none"`
	Home        float64 `param:"home" about:"a candidate with a higher share of the text outside links is the home of the story and no noise; 1 for none"`
	List        int     `param:"list" about:"a list of so many like items with a link in each is dynamic noise; 0 for none"`
	Around      int     `param:"around" about:"a parent of noise with fewer other characters outside links is noise; 0 for none"`
	Between     int     `param:"between" about:"fewer characters than this between noise are noise, unless in <p> or <h1>; 0 for none"`
	Pictures    bool    `param:"pictures" about:"keep <img>, which the paper removes"`
}

// Default is the best reading. A story's text stands on its own page and on no
// other, so that what two neighbours share is noise; the rest of the settings
// was chosen on the site groups of two corpora, daniel and cleanportaleval.
func Default() Config {
	return Config{
		Alpha: 50, Beta: 0.2,
		Pages: 2, Row: 100, Furniture: true, Home: 0.5, List: 3, Around: 50, Between: 100, Pictures: true,
	}
}

// Preset gives the settings of the paper (section 3.2), "paper".
func Preset(name string) (Config, bool) {
	if name != "paper" {
		return Config{}, false
	}
	return Config{Preset: name, Alpha: 50, Beta: 0.2, CountStatic: true, Home: 1}, true
}
