// Command peers extracts pages with lede or with another library for Go, as a program for
// lede-lab eval --rival, and draws the figures of such a run.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

const usage = `usage: peers LIBRARY                  answer pages on standard input, as lede-lab eval --help describes
       peers chart FIGURES.json FILE  draw what lede-lab eval --json has written; FILE ends in .svg or .png
libraries: `

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "peers: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 3 && args[0] == "chart" {
		return drawChart(args[1], args[2])
	}
	var names []string
	for _, l := range libraries {
		if len(args) == 1 && args[0] == l.name {
			return l.serve(os.Stdin, os.Stdout)
		}
		names = append(names, l.name)
	}
	return errors.New(usage + strings.Join(names, ", "))
}

// serve answers pages until the input ends. Every page starts after a garbage collection,
// so that it does not pay for the garbage of the one before.
func (l library) serve(in io.Reader, out io.Writer) error {
	runtime.GOMAXPROCS(1)
	dec, enc := json.NewDecoder(in), json.NewEncoder(out)
	err := enc.Encode(map[string]string{"name": l.name, "version": l.version(), "language": "Go"})
	for err == nil {
		var p page
		if err = dec.Decode(&p); err == nil {
			runtime.GC()
			err = enc.Encode(l.answer(p))
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}
