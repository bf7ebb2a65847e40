package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/serve"
)

// newLog returns the log. Without lines for requests it still has warnings.
func (f *serveFlags) newLog(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: slog.LevelInfo}
	switch {
	case f.log == "none":
		opts.Level = slog.LevelWarn
	case f.verbose:
		opts.Level = slog.LevelDebug
	}
	if f.log == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// reloadKeys reads the keys again on each SIGHUP, until stop is called.
func reloadKeys(keys *serve.Keys, log *slog.Logger) (stop func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range hangup {
			if keys == nil {
				log.Warn("there are no keys to read again: the service was started without --keys")
			} else if err := keys.Reload(); err != nil {
				log.Error("the keys were not read again; those before are valid", "error", cli.OneLine(err))
			} else {
				log.Info("the keys were read again")
			}
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(hangup)
		<-done
	}
}

// token returns the secret behind the bookmarklet. It is kept in a file, so that the
// bookmarklet works after a restart.
func (f *serveFlags) token(log *slog.Logger) (string, error) {
	folder, err := os.UserConfigDir()
	file := cmp.Or(f.tokenFile, filepath.Join(folder, "lede", "token"))
	var token string
	if err == nil || f.tokenFile != "" {
		token, err = keptToken(file)
	}
	switch {
	case err != nil && f.tokenFile != "":
		return "", cli.Fail(fmt.Errorf("cannot keep the token of the bookmarklet in %s: %w", file, err))
	case err != nil:
		log.Warn("the bookmarklet works until the service ends; name a file with --token-file", "error", cli.OneLine(err))
		return rand.Text(), nil
	}
	return token, nil
}

// keptToken returns the token in a file, which is made if it does not exist.
func keptToken(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		token := rand.Text()
		_, err = f.WriteString(token + "\n")
		return token, errors.Join(err, f.Close())
	}
	if !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	text, err := os.ReadFile(file)
	token := strings.TrimSpace(string(text))
	if err == nil && len(token) < 16 {
		err = errors.New("it is not a token: remove the file, and another is made")
	}
	return token, err
}
