package main

import (
	"os"
	"os/exec"
)

// parentMain starts lede with its own arguments and pipes, and waits for it.
func parentMain() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Args[0] = "lede"
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		panic(err)
	}
}
