package main

import (
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
	case f.log == logNone:
		opts.Level = slog.LevelWarn
	case f.verbose:
		opts.Level = slog.LevelDebug
	}
	if f.log == logJSON {
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
	file := f.tokenFile
	if file == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			log.Warn("the bookmarklet works until the service ends: there is no folder to keep its token in; name a file with --token-file", "error", cli.OneLine(err))
			return rand.Text(), nil
		}
		file = filepath.Join(folder, "lede", "token")
	}
	token, err := keptToken(file)
	if err == nil {
		return token, nil
	}
	err = fmt.Errorf("cannot keep the token of the bookmarklet in %s: %w", file, err)
	if f.tokenFile != "" {
		return "", cli.Fail(err)
	}
	log.Warn("the bookmarklet works until the service ends; name a file with --token-file", "error", cli.OneLine(err))
	return rand.Text(), nil
}

// keptToken returns the token in a file, which is made if it does not exist.
func keptToken(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err == nil {
		if token := strings.TrimSpace(string(text)); len(token) >= 16 {
			return token, nil
		}
		return "", errors.New("it is not a token: remove the file, and another is made")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".lede-*") // for its owner only
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(rand.Text() + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return "", err
	}
	return keptToken(file) // another process may have made one, too
}

// listenError says what to do about an address that cannot be listened on.
func listenError(addr string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("cannot listen on %s: the port is in use, perhaps by another lede serve; choose another with --addr", addr)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot listen on %s: ports below 1024 need rights that you do not have; choose another with --addr", addr)
	}
	return fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err)
}
