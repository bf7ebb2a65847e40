package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/report"
)

// evalOuts are the files of a run.
type evalOuts struct {
	json, html *outFile
	report     *report.Report
	saved      *eval.Saver
	lock       sync.Mutex
	err        error // the first of saving a page
}

func (e *evaluation) openOuts() (o *evalOuts, err error) {
	f := e.flags
	o = &evalOuts{}
	if f.json != "" {
		if o.json, err = openOut(f.json, e.out); err != nil {
			return nil, err
		}
	}
	if f.report != "" {
		if o.html, err = openOut(f.report, e.out); err != nil {
			return nil, err
		}
		o.report = report.New(report.Options{})
	}
	if f.save != "" {
		names := make([]string, len(e.systems))
		for i, s := range e.systems {
			names[i] = s.Name()
		}
		if o.saved, err = eval.NewSaver(f.save, names); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (o *evalOuts) page(p *eval.Page) {
	if o.report != nil {
		o.report.Add(p)
	}
	if o.saved != nil {
		if err := o.saved.Add(p); err != nil {
			o.lock.Lock()
			defer o.lock.Unlock()
			o.err = cmp.Or(o.err, err)
		}
	}
}

// finish writes the files, unless there was an error: then there are none.
func (o *evalOuts) finish(res *eval.Result, by string, err error) error {
	err = errors.Join(err, o.err)
	if o.saved != nil {
		err = errors.Join(err, o.saved.Close())
	}
	end := func(out *outFile, write func(io.Writer) error) {
		if out == nil {
			return
		}
		if err == nil {
			err = write(out)
		}
		if err = out.finish(err); err != nil && out.file != nil {
			_ = os.Remove(out.partial())
		}
	}
	end(o.json, func(w io.Writer) error { return res.WriteJSON(w, by) })
	end(o.html, func(w io.Writer) error { return o.report.Write(w, res) })
	return err
}
