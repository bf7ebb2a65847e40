package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/serve"
)

func newServeKey() *cobra.Command {
	return &cobra.Command{
		Use:   "key NAME",
		Short: "Make a key for lede serve --keys",
		Long: `Make a random key. Standard output gets its line for the file of --keys, with the name and
the hash of the key. The key itself is printed on standard error, and not stored: give
it to the client, which sends it as the header Authorization: Bearer KEY.

A service that runs reads the file again on SIGHUP. To revoke a key, remove its line.`,
		Example: `  lede serve key newsroom >> keys.txt
  pkill -HUP -x lede`,
		Args: cli.Arguments(1, 1, "no name: give the key one, such as lede serve key newsroom"),
		RunE: func(cmd *cobra.Command, args []string) error {
			secret, line, err := serve.NewKey(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: the key of %s is %s\n", args[0], secret)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
			return cli.Fail(err)
		},
	}
}
