package main

import (
	"errors"
	"io"
	"os"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/report"
)

// files are what a run writes. They are made before it begins: a wrong name
// must not come out after an hour.
type files struct {
	json, html *os.File
	report     *report.Report
	saver      *eval.Saver
	err        error // of saving a page
}

func (r *run) openFiles(systems []eval.System) (f *files, err error) {
	f = &files{}
	create := func(name string) (file *os.File) {
		if name != "" && err == nil {
			file, err = os.Create(name)
		}
		return file
	}
	f.json, f.html = create(r.json), create(r.report)
	if f.html != nil {
		f.report = report.New(report.Options{Title: "lede and its rivals"})
	}
	if r.save != "" && err == nil {
		names := make([]string, len(systems))
		for i, s := range systems {
			names[i] = s.Name()
		}
		f.saver, err = eval.NewSaver(r.save, names)
	}
	return f, err
}

// add takes a page that all systems have done.
func (f *files) add(page *eval.Page) {
	if f.report != nil {
		f.report.Add(page)
	}
	if f.saver != nil && f.err == nil {
		f.err = f.saver.Add(page)
	}
}

// finish writes what comes at the end, and closes all; without a result it only closes.
func (f *files) finish(res *eval.Result) error {
	errs := []error{f.err}
	if f.saver != nil {
		errs = append(errs, f.saver.Close())
	}
	end := func(file *os.File, write func(io.Writer) error) {
		if file == nil {
			return
		}
		if res != nil {
			errs = append(errs, write(file))
		}
		errs = append(errs, file.Close())
	}
	end(f.json, func(w io.Writer) error { return res.WriteJSON(w, "") })
	end(f.html, func(w io.Writer) error { return f.report.Write(w, res) })
	return errors.Join(errs...)
}
