// Command lede-lab measures, trains and tunes the methods of lede.
package main

import (
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/command"
)

func main() { cli.RunMain(command.New()) }
