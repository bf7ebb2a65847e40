package styled_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/story/styled"
)

func ExampleWrite() {
	page := `<html lang="en"><title>A wall</title><body style="background: #fdf6e3; font-family: Georgia"><nav><a href="/">Home</a></nav>
<h1 style="color: navy">A wall</h1><div><p style="border-left: 3px solid red">The wall was built by hand, and it holds, said the mayor of the town.</p></div>`

	ctx := context.Background()
	e, err := lede.New()
	if err != nil {
		panic(err)
	}
	x, err := e.Explain(ctx, strings.NewReader(page))
	if err != nil {
		panic(err)
	}
	var out bytes.Buffer
	// With a browser at hand, Options.Computed would be set.
	if err := styled.Write(ctx, &out, x.Document(), x.Article, x.Nodes(), styled.Options{Places: x.Places()}); err != nil {
		panic(err)
	}
	for _, s := range []string{`<html lang="en">`, "background: #fdf6e3;", "color: #000080;", `font-family: "Georgia", serif;`, "<h1>A wall</h1>", `<p class="s1">`, "border-left: 3px solid #ff0000;", "Home"} {
		fmt.Println(strings.Contains(out.String(), s), s)
	}
	// Output:
	// true <html lang="en">
	// true background: #fdf6e3;
	// true color: #000080;
	// true font-family: "Georgia", serif;
	// true <h1>A wall</h1>
	// true <p class="s1">
	// true border-left: 3px solid #ff0000;
	// false Home
}
