package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/api/keyfile"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/fsync"
)

type serveKeyFlags struct {
	keys       string
	rate       string
	concurrent int
}

func newServeKey() *cobra.Command {
	var f serveKeyFlags
	cmd := &cobra.Command{
		Use:   "key NAME",
		Short: "Make a key for lede serve --keys",
		Long: `Make a random key and print it. It is not stored: give it to the client, which sends
it with each request as the header Authorization: Bearer KEY.

With --keys, a line with the name, the hash and the limits of the key is added to the
file; without, it is printed after the key. A service that runs reads the file again on
SIGHUP. To revoke a key, remove its line.`,
		Example: `  lede serve key newsroom --keys keys.txt
  lede serve key crawler --keys keys.txt --rate 10/s --concurrent 4
  pkill -HUP -x lede`,
		Args: cli.OneArgument("no name: give the key one, such as lede serve key newsroom"),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.keys, "keys", "", "`FILE` of keys to add it to")
	fl.StringVar(&f.rate, "rate", "", "allow `N/s`, N/m or N/h requests (default: no limit)")
	fl.IntVar(&f.concurrent, "concurrent", 0, "allow `N` requests at once (default: no limit)")
	return cmd
}

func (f *serveKeyFlags) run(cmd *cobra.Command, args []string) error {
	secret, key, err := keyfile.New(args[0])
	if err != nil {
		return err
	}
	if f.rate != "" {
		if key.Rate, err = keyfile.ParseRate(f.rate); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	if f.concurrent < 0 {
		return errors.New("--concurrent must be at least 1")
	}
	key.Concurrent = f.concurrent
	if f.keys == "" {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", secret, key)
		return cli.Fail(err)
	}
	if err := addKey(f.keys, key); err != nil {
		return cli.Fail(err)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), secret)
	return cli.Fail(err)
}

// addKey adds a key to a file, which is replaced as a whole.
func addKey(file string, key keyfile.Key) (err error) {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	mode := fs.FileMode(0o600)
	if fi, err := os.Stat(file); err == nil {
		mode = fi.Mode().Perm()
	}
	out, err := os.OpenFile(file+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("another process adds a key to %s; if there is none, remove %s.new", file, file)
	}
	if err != nil {
		return fmt.Errorf("cannot write the keys: %w", err)
	}
	defer func() {
		_ = out.Close() // again, if all went well
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()
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
	if len(text) > 0 && !strings.HasSuffix(string(text), "\n") {
		text = append(text, '\n')
	}
	_, err = out.Write(append(text, key.String()+"\n"...))
	if err = errors.Join(err, out.Chmod(mode), out.Sync(), out.Close()); err != nil {
		return fmt.Errorf("cannot write the keys: %w", err)
	}
	if err := os.Rename(out.Name(), file); err != nil {
		return fmt.Errorf("cannot write the keys: %w", err)
	}
	return fsync.Dir(filepath.Dir(file))
}

func newServeHealth() *cobra.Command {
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Check whether a service answers",
		Long: `Ask a service for /healthz, by default the one of this machine at its default port.
The exit status is 0 if it answers. This is for health checks of containers, which have
no other program to do it.`,
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
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{}} // without a proxy
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, resp.Status)
	}
	return nil
}
