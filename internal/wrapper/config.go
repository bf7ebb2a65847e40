package wrapper

import "github.com/lede-news/lede/method"

// Config holds the settings. Start from Default or Preset.
type Config struct {
	// Preset is "paper", or empty. It names the method, and the model where
	// there is no other.
	Preset string
	// Model is what was learned; nil means the one that comes with lede.
	Model *Model

	Width   int     `param:"width" about:"width of the screen in pixels, ScreenWidth, where the layout is estimated"`
	Height  int     `param:"height" about:"height of the screen in pixels, ScreenHeight, where the layout is estimated"`
	MinArea float64 `param:"min-area" about:"least area of a body as a share of the screen's, BigEnough"`
	Scroll  bool    `param:"scroll" about:"look below the first screen where nothing in it looks like a body"`
	Clean   bool    `param:"clean" about:"leave out links, advertisements and other furniture inside the body, which the paper keeps"`
}

// The screen that layouts are estimated for.
const (
	DefaultWidth  = 1280
	DefaultHeight = 1024
)

// Default is the best reading.
func Default() Config {
	return Config{Width: DefaultWidth, Height: DefaultHeight, MinArea: 0.02, Scroll: true, Clean: true}
}

const paperPreset = "paper"

// Preset gives the settings of the paper, "paper": the subtree of the body as
// it is, found in the first screen by the features of the paper alone.
func Preset(name string) (Config, bool) {
	if name != paperPreset {
		return Config{}, false
	}
	c := Default()
	c.Preset, c.Scroll, c.Clean = name, false, false
	return c, true
}

func (c *Config) screen() method.Screen {
	s := method.Screen{Width: float64(c.Width), Height: float64(c.Height)}
	if !isScreen(s) {
		return method.Screen{Width: DefaultWidth, Height: DefaultHeight}
	}
	return s
}

// isScreen tells sizes that somebody may read a page on.
func isScreen(s method.Screen) bool {
	const least, most = 100, 1 << 16
	return s.Width >= least && s.Width <= most && s.Height >= least && s.Height <= most
}
