package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noArguments refuses arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q: %s takes none", args[0], cmd.CommandPath())
	}
	return nil
}

// someArguments requires one or more arguments. missing is the error without any.
func SomeArguments(missing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New(missing)
		}
		return nil
	}
}

// oneArgument requires exactly one argument. missing is the error without it.
func OneArgument(missing string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New(missing)
		}
		return OptionalArgument(cmd, args)
	}
}

// optionalArgument allows one argument.
func OptionalArgument(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("unexpected argument %q: %s takes only one", args[1], cmd.CommandPath())
	}
	return nil
}

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

// flagError describes an error of a flag.
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
		what := ""
		switch t := invalid.GetFlag().Value.Type(); {
		case t == "bool":
			what = "true or false"
		case t == "duration":
			what = "a duration, such as 2s or 500ms"
		case t == "day":
			what = "a day such as 2026-11-16, or an age such as 2d or 36h"
		case t == "age":
			what = "a time such as 7d or 36h"
		case strings.HasPrefix(t, "int"):
			what = "a whole number"
		case strings.HasPrefix(t, "uint"):
			what = "a whole number that is not negative"
		default:
			return err
		}
		return fmt.Errorf("--%s %q: use %s", invalid.GetFlag().Name, invalid.GetValue(), what)
	}
	return err
}
