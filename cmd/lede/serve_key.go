package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

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

func newServeHealth() *cobra.Command {
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Check whether a service answers",
		Long: `Ask a service for /healthz. The exit status is 0 if it answers. This is for health
checks of containers, which have no other program to do it.`,
		Example: `  lede serve health
  lede serve health http://127.0.0.1:9000/`,
		Args: cli.OptionalArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			address := "http://" + defaultServeAddr
			if len(args) > 0 {
				address = args[0]
			}
			return cli.Fail(checkHealth(cmd.Context(), strings.TrimSuffix(address, "/")+"/healthz"))
		},
	}
}

// checkHealth returns an error if an address does not answer with status 200.
func checkHealth(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{}, Timeout: 5 * time.Second} // without a proxy
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, resp.Status)
	}
	return nil
}
