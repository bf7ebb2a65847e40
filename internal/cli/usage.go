package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Arguments allows from least to most arguments. missing is the error if there are fewer.
func Arguments(least, most int, missing string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return errors.New(missing)
		case len(args) > most:
			return fmt.Errorf("unexpected argument %q: %s takes at most %d", args[most], cmd.CommandPath(), most)
		}
		return nil
	}
}

// SomeArguments requires one or more arguments. missing is the error without any.
func SomeArguments(missing string) cobra.PositionalArgs { return Arguments(1, math.MaxInt, missing) }

// IsGroup is the annotation of commands that only have subcommands.
const IsGroup = "group"

// subcommands makes a command with subcommands print its help, and refuse words that
// are none of them.
func subcommands(cmd *cobra.Command) {
	cmd.Annotations = map[string]string{IsGroup: "true"}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return fmt.Errorf("unknown command %q for %q; did you mean %s?", args[0], cmd.CommandPath(), strings.Join(near, " or "))
		}
		var names []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		return fmt.Errorf("unknown command %q for %q; use one of %s", args[0], cmd.CommandPath(), strings.Join(names, ", "))
	}
}

// valueForms say how the values of flags are written, by the type of the flag.
var valueForms = map[string]string{
	"bool": "true or false", "duration": "a duration, such as 2s or 500ms", "age": "a time such as 7d or 36h", "int": "a whole number",
	"uint64": "a whole number that is not negative",
}

// FlagError describes an error of a flag.
func FlagError(_ *cobra.Command, err error) error {
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing):
		name := "--" + missing.GetFlag().Name
		value, _ := pflag.UnquoteUsage(missing.GetFlag())
		if slices.Contains([]string{"", "string", "strings"}, value) {
			value = "VALUE"
		}
		return fmt.Errorf("%s needs a value: %s %s", name, name, value)
	case errors.As(err, &invalid):
		if form := valueForms[invalid.GetFlag().Value.Type()]; form != "" {
			return fmt.Errorf("--%s %q: use %s", invalid.GetFlag().Name, invalid.GetValue(), form)
		}
	}
	return err
}
