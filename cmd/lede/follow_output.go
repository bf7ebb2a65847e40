package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/follow"
	"github.com/lede-news/lede/internal/output/archive"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/warc"
)

// followOutput writes stories to the outputs of lede follow. Its marks say how long
// the outputs are, so that what a crash left behind them is removed.
type followOutput struct {
	run     *followRun
	sink    sink.Sink
	stream  *bufio.Writer // in place of sink
	write   func(*batch.Result) error
	archive *archive.Archive
	index   *storyIndex // nil without --stories
	folder  string      // of the archive, absolute
	mark    followMark
	number  int64
	settled bool      // the archive knows that its last mark is in the state
	round   time.Time // when the last one was finished
}

// followMark is what is kept in the state about the outputs.
type followMark struct {
	Sizes    map[string]int64        `json:"sizes,omitempty"`    // of outputs with absolute names
	Archives map[string]archive.Mark `json:"archives,omitempty"` // of folders with absolute names
	Records  int64                   `json:"records"`
}

var _ follow.Handler = (*followOutput)(nil)

// open opens the outputs as they were at the last mark.
func (o *followOutput) open(follower *follow.Follower) error {
	f := o.run.flags
	data, err := follower.Mark()
	if err != nil {
		return err
	}
	if data != nil {
		if err := json.Unmarshal(data, &o.mark); err != nil {
			o.run.report("", fmt.Errorf("%s: %w: where the outputs end cannot be read", f.stateFile(), follow.ErrDamaged))
			o.mark = followMark{}
		}
	}
	o.number, o.round = o.mark.Records, time.Now()
	if f.warc != "" {
		if o.folder, err = filepath.Abs(f.warc); err != nil {
			return err
		}
		info := warc.Header{{Name: "software", Value: versionLine()}}
		if o.archive, err = archive.Open(o.folder, o.mark.Archives[o.folder], archive.Options{Info: info, Log: o.run.warnings()}); err != nil {
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
		o.sink, err = sink.Open(f.out, sink.Options{Append: true, Shard: o.run.shard, Marks: o.mark.Sizes, Overwrite: f.overwrite, Adopt: o.run.damaged, Log: o.run.warnings()})
		if err != nil {
			return err
		}
		o.write = o.sink.Write
		if o.run.damaged {
			sizes, err := o.sink.Commit()
			if err != nil {
				return err
			}
			o.setSizes(sizes)
		}
	}
	return err
}

// settle says to the archive that its last mark is in the state. It is called when
// nothing was written since.
func (o *followOutput) settle() error {
	if o.settled || o.archive == nil {
		return nil
	}
	o.settled = true
	return o.archive.Finish()
}

// Story implements follow.Handler.
func (o *followOutput) Story(_ context.Context, s *follow.Story) error {
	if o.number == o.mark.Records {
		if err := o.settle(); err != nil {
			return err
		}
	}
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
	result.Number = o.number
	o.number++
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
	if r.Truncated && r.TruncatedReason != article.PartialStatus { // which the status says
		response.Truncated = "disconnect"
	}
	known, _ := s.Note.(string)
	return o.archive.Write(warc.Fetch{Response: response, Request: r.Request},
		archive.Found{URL: s.URL, By: s.FoundBy, LinkText: s.LinkText, FirstSeen: s.FirstSeen, Changed: s.Changed, Site: known})
}

// setSizes sets the sizes of outputs. A negative one is that of an output that is
// complete.
func (o *followOutput) setSizes(sizes map[string]int64) {
	if o.mark.Sizes == nil {
		o.mark.Sizes = map[string]int64{}
	}
	maps.Copy(o.mark.Sizes, sizes)
	maps.DeleteFunc(o.mark.Sizes, func(_ string, size int64) bool { return size < 0 })
}

// Commit implements follow.Handler.
func (o *followOutput) Commit() ([]byte, error) {
	if o.number == o.mark.Records {
		// The last mark is in the state by now.
		if every := o.run.flags.every; every > 0 && time.Since(o.round) >= every {
			if err := o.finish(); err != nil {
				return nil, err
			}
		}
		return json.Marshal(o.mark)
	}
	if o.stream != nil {
		if err := o.stream.Flush(); err != nil {
			return nil, err
		}
	}
	if o.sink != nil {
		sizes, err := o.sink.Commit()
		if err != nil {
			return nil, err
		}
		o.setSizes(sizes)
	}
	if o.archive != nil {
		mark, err := o.archive.Commit()
		if err != nil {
			return nil, err
		}
		if o.mark.Archives == nil {
			o.mark.Archives = map[string]archive.Mark{}
		}
		o.mark.Archives[o.folder] = mark
	}
	if o.index != nil {
		if err := o.index.Commit(); err != nil {
			return nil, err
		}
	}
	o.mark.Records, o.settled = o.number, false
	return json.Marshal(o.mark)
}

// finish completes what was written, such as a file of Parquet. The last mark must be
// in the state.
func (o *followOutput) finish() (err error) {
	o.round = time.Now()
	if o.sink != nil {
		err = o.sink.Finish()
	}
	return errors.Join(err, o.settle())
}

// close closes the outputs. saved says that the last mark is in the state.
func (o *followOutput) close(saved bool) (err error) {
	if saved {
		err = o.finish()
	}
	if o.sink != nil {
		err = errors.Join(err, o.sink.Close())
	}
	if o.archive != nil {
		err = errors.Join(err, o.archive.Close())
	}
	return err
}
