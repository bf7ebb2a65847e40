package command

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lede-news/lede/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lede-lab": func() { cli.RunMain(New()) }})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true})
}
