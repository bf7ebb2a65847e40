// Command licences prints the licences of the modules that are in a program, on any system,
// with that of the Go standard library, for everything that carries the program to others:
//
//	go run ./scripts/licences ./cmd/lede > LICENSES.txt
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

var isLicence = regexp.MustCompile(`^(LICEN[CS]E|COPYING|NOTICE|PATENTS)\b`)

func run(packages []string) error {
	if len(packages) == 0 {
		return fmt.Errorf("name a package, as in go run ./scripts/licences ./cmd/lede")
	}
	root, err := command("", "env", "GOROOT")
	if err != nil {
		return err
	}
	var modules []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		list, err := command(system, append([]string{"list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"}, packages...)...)
		if err != nil {
			return err
		}
		modules = append(modules, strings.Split(list, "\n")...)
	}
	slices.Sort(modules)
	modules = slices.DeleteFunc(slices.Compact(modules), func(s string) bool { return s == "" })
	fmt.Println("The program of lede contains these modules, under these licences.")
	for _, line := range slices.Insert(modules, 0, "the Go standard library\t"+root) {
		name, folder, _ := strings.Cut(line, "\t")
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s\n%s\n", strings.Repeat("=", 80), name)
		found := false
		for _, e := range entries {
			if !isLicence.MatchString(e.Name()) || e.IsDir() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			fmt.Printf("\n--- %s\n%s", e.Name(), bytes.ToValidUTF8(text, nil))
			found = true
		}
		if !found {
			return fmt.Errorf("%s has no licence in %s", name, folder)
		}
	}
	return nil
}

// command returns what the go command prints for a system; "" is this one.
func command(system string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	if system != "" {
		cmd.Env = append(os.Environ(), "GOOS="+system)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
