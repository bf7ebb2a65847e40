package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/api/keyfile"
	"github.com/lede-news/lede/internal/cli"
)

func newServeKey() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "key NAME",
		Short: "Make a key for lede serve --keys",
		Long: `Make a random key and print it. It is not stored: give it to the client, which sends
it with each request as the header Authorization: Bearer KEY.

With --keys, a line with the name and the hash of the key is added to the file; without,
it is printed after the key. A service that runs reads the file again on SIGHUP. To
revoke a key, remove its line.`,
		Example: `  lede serve key newsroom --keys keys.txt
  pkill -HUP -x lede`,
		Args: cli.OneArgument("no name: give the key one, such as lede serve key newsroom"),
		RunE: func(cmd *cobra.Command, args []string) error {
			secret, key, err := keyfile.New(args[0])
			if err != nil {
				return err
			}
			text := secret + "\n"
			if file == "" {
				text += key.String() + "\n"
			} else if err := addKey(file, key); err != nil {
				return cli.Fail(err)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return cli.Fail(err)
		},
	}
	cmd.Flags().StringVar(&file, "keys", "", "`FILE` of keys to add it to")
	return cmd
}

// addKey adds the line of a key to a file.
func addKey(file string, key keyfile.Key) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read the keys: %w", err)
	}
	keys, err := keyfile.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if slices.ContainsFunc(keys, func(k keyfile.Key) bool { return k.Name == key.Name }) {
		return fmt.Errorf("%s has a key with the name %s already: choose another, or remove its line", file, key.Name)
	}
	line := key.String() + "\n"
	if len(text) > 0 && text[len(text)-1] != '\n' {
		line = "\n" + line
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		_, err = f.WriteString(line)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("cannot write the keys: %w", err)
	}
	return nil
}
