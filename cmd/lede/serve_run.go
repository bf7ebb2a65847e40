package main

import (
	"crypto/rand"
	"io"
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

// keptToken returns the secret behind the bookmarklet. It is kept in lede/token in the
// folder of the user's settings, so that the bookmarklet works after a restart.
func keptToken(log *slog.Logger) string {
	token := rand.Text()
	folder, err := os.UserConfigDir()
	file := filepath.Join(folder, "lede", "token")
	if err == nil {
		if kept, err := os.ReadFile(file); err == nil && len(kept) > 0 {
			return strings.TrimSpace(string(kept))
		}
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(token+"\n"), 0o600)
	}
	if err != nil {
		log.Warn("the bookmarklet works until the service ends, since its secret cannot be kept", "error", cli.OneLine(err))
	}
	return token
}
