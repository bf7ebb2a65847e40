package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/follow"
	"github.com/lede-news/lede/internal/output/archive"
	"github.com/lede-news/lede/internal/output/outfile"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/warc"
)

// followOutput writes stories to the outputs of lede follow. Its marks say where the
// outputs end, so that what a crash left behind them is removed.
type followOutput struct {
	run     *followRun
	sink    sink.Appender
	stream  *bufio.Writer // in place of sink
	write   func(*batch.Result) error
	archive *archive.Archive
	index   *storyIndex // nil without --stories
	out     string      // absolute
	folder  string      // of the archive, absolute

	lock sync.Mutex // the state may be saved while the outputs are being opened
	mark followMark // without maps until they are open
}

// followMark is what is kept in the state about the outputs.
type followMark struct {
	Outputs  map[string]outfile.Mark `json:"outputs"`  // by absolute names
	Archives map[string]outfile.Mark `json:"archives"` // of folders, by absolute names
}

var _ follow.Handler = (*followOutput)(nil)

// open opens the outputs as they were at the last mark, and saves where they end.
func (o *followOutput) open(follower *follow.Follower) error {
	data, err := follower.Mark()
	if err != nil {
		return err
	}
	if err := o.openAt(data); err != nil {
		return err
	}
	return follower.Save()
}

func (o *followOutput) openAt(data []byte) (err error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	f := o.run.flags
	mark := followMark{Outputs: map[string]outfile.Mark{}, Archives: map[string]outfile.Mark{}}
	if data != nil {
		if err := json.Unmarshal(data, &mark); err != nil {
			return fmt.Errorf("%s: where the outputs end cannot be read: %w", f.stateFile(), err)
		}
	}
	if f.warc != "" {
		if o.folder, err = filepath.Abs(f.warc); err != nil {
			return err
		}
		info := warc.Header{{Name: "software", Value: versionLine()}}
		log := slog.New(slog.NewTextHandler(o.run.cmd.ErrOrStderr(), nil))
		if o.archive, err = archive.Open(o.folder, mark.Archives[o.folder], archive.Options{Info: info, Log: log}); err != nil {
			return err
		}
	}
	switch f.out {
	case "":
		o.write = func(*batch.Result) error { return nil }
	case "-":
		o.stream = bufio.NewWriter(o.run.cmd.OutOrStdout())
		o.write, err = sink.Stream(o.stream, f.out)
	default:
		if o.out, err = filepath.Abs(f.out); err != nil {
			return err
		}
		var last *outfile.Mark
		if m, ok := mark.Outputs[o.out]; ok {
			last = &m
		}
		if o.sink, err = sink.Append(f.out, last); err == nil {
			o.write = o.sink.Write
		}
	}
	if err == nil {
		o.mark = mark
	}
	return err
}

// Story implements follow.Handler.
func (o *followOutput) Story(_ context.Context, s *follow.Story) error {
	line := batch.NewLine(s.URL, s.URL, s.Article)
	line.FoundBy, line.LinkText, line.Changed = s.FoundBy, s.LinkText, s.Changed
	line.FirstSeen = s.FirstSeen.UTC().Format(time.RFC3339)
	keep := true
	if o.index != nil {
		var err error
		if keep, err = o.index.place(&line, o.index.prepareLine(&line)); err != nil {
			return err
		}
	}
	result, err := batch.NewResult(line, s.Article, o.run.flags.body)
	if err != nil {
		return err
	}
	if keep {
		if err := o.write(result); err != nil {
			return err
		}
	}
	if o.archive == nil {
		return nil
	}
	r := s.Response
	response := warc.Response{URL: r.URL, Date: s.Fetched, Status: r.Status, Header: r.Header, Body: r.Body}
	if r.TruncatedReason != "" && r.TruncatedReason != article.PartialStatus { // which the status says
		response.Truncated = "disconnect"
	}
	return o.archive.Write(warc.Fetch{Response: response, Request: r.Request},
		archive.Found{URL: s.URL, By: s.FoundBy, LinkText: s.LinkText, FirstSeen: s.FirstSeen, Changed: s.Changed})
}

// Commit implements follow.Handler.
func (o *followOutput) Commit() ([]byte, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.mark.Outputs == nil {
		return nil, nil // the state keeps its mark
	}
	o.run.showProgress()
	var err error
	if o.stream != nil {
		err = o.stream.Flush()
	}
	if o.sink != nil && err == nil {
		o.mark.Outputs[o.out], err = o.sink.Commit()
	}
	if o.archive != nil && err == nil {
		o.mark.Archives[o.folder], err = o.archive.Commit()
	}
	if o.index != nil && err == nil {
		err = o.index.Commit()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(o.mark)
}

// close closes the outputs.
func (o *followOutput) close() (err error) {
	if o.sink != nil {
		err = o.sink.Close()
	}
	if o.archive != nil {
		err = errors.Join(err, o.archive.Close())
	}
	return err
}
