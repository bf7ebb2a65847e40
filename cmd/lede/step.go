package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/page/lines"
)

// stepCommands returns the steps.
func stepCommands() []*cobra.Command {
	return []*cobra.Command{
		newStepPlan(),
		newStepProfiles(),
		newStepTexts(),
		newStepCandidates(),
		newStepCopies(),
		newStepTerms(),
		newStepCluster(),
		newStepStories(),
	}
}

func newStep() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "step",
		Short: "Run one step of a job on many machines",
		Long: `Run one step of a job on many machines. The framework that divides the work, such as
Spark, Beam, Flink, Dask, Ray or array jobs, moves, sorts and joins the lines between the
steps, and a step does what only lede can. The steps together give the same result as
lede batch --two-pass and lede stories on one machine.

A step reads JSON lines from standard input and writes JSON lines to standard output, in
the same order. The same input always gives the same output, so that a step may be
repeated. Bytes are in base64. Fields that a step does not use are ignored, and so are
empty lines. A line that cannot be read ends the step with an error that names its number
(exit status 3). A line may have up to 256 MB.

Python programs on Spark need none of this: lede_news.spark runs the steps.`,
		Example: `  lede batch CC-NEWS-1.warc.gz --observe --out 1.jsonl
  lede batch CC-NEWS-2.warc.gz --observe --out 2.jsonl
  cat 1.jsonl 2.jsonl | LC_ALL=C sort | lede step profiles > profiles.jsonl`,
	}
	cmd.AddCommand(stepCommands()...)
	return cmd
}

// maxStepLine is the size of the longest line of a step.
const maxStepLine = 256 << 20

// step is a step that handles lines of type In. Each is prepared on several
// goroutines, and what comes of it is taken in the order of the input.
type step[In, P any] struct {
	cmd     *cobra.Command
	workers int
	// prepare handles a line. It is called concurrently.
	prepare func(context.Context, *In) (P, error)
	// take is called with the results, in the order of the input.
	take func(P) error
	// unreadable handles a line that cannot be read. If it is nil, such a line ends the step.
	unreadable func(error) (P, error)
}

// lineReader is a line that knows a faster way to read itself. It returns false if the line
// is not of the usual form.
type lineReader interface{ readLine(text []byte) bool }

func readStepLine[In any](text []byte, in *In) error {
	if r, ok := any(in).(lineReader); ok && r.readLine(text) {
		return nil
	}
	*in = *new(In)
	return json.Unmarshal(text, in)
}

// stepWorkers adds the flag --workers to a step. A task on many machines has one core.
func stepWorkers(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "workers", "w", 1, "number of concurrent workers; 0 is one for each core")
}

func checkStepWorkers(workers int) error {
	if workers < 0 {
		return errors.New("--workers must not be negative")
	}
	return nil
}

// run reads all lines. Its error names the line that caused it.
func (s *step[In, P]) run() error {
	if err := checkStepWorkers(s.workers); err != nil {
		return err
	}
	type line struct {
		number int
		text   []byte
	}
	type result struct {
		number int
		value  P
		err    error
	}
	ctx := s.cmd.Context()
	return cli.Fail(inOrder(ctx, s.workers, func(yield func(line) error) error {
		return eachLine(s.cmd.InOrStdin(), maxStepLine, func(number int, text []byte) error { return yield(line{number, text}) })
	}, func(l line) result {
		in := new(In)
		if err := readStepLine(l.text, in); err != nil {
			err = fmt.Errorf("not a line of JSON as this step needs it: %w", err)
			if s.unreadable == nil {
				return result{number: l.number, err: err}
			}
			value, err := s.unreadable(err)
			return result{l.number, value, err}
		}
		value, err := s.prepare(ctx, in)
		return result{l.number, value, err}
	}, func(r result) error {
		if r.err == nil {
			r.err = s.take(r.value)
		}
		if r.err != nil && !errors.As(r.err, new(outputError)) {
			return lineError(r.number, r.err)
		}
		return r.err
	}))
}

// mapLines runs a step that writes at most one line for each. do returns nil for none.
func mapLines[In any](cmd *cobra.Command, workers int, do func(context.Context, *In) (any, error)) error {
	out := newLineWriter(cmd.OutOrStdout())
	s := step[In, []byte]{cmd: cmd, workers: workers, take: out.writeBytes}
	s.prepare = func(ctx context.Context, in *In) ([]byte, error) {
		v, err := do(ctx, in)
		if v == nil || err != nil {
			return nil, err
		}
		return jsonLine(v)
	}
	return out.finish(s.run())
}

// eachLine calls do with every line that is not empty, and its number. The text is do's
// to keep.
func eachLine(r io.Reader, limit int64, do func(number int, text []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		text, size, err := lines.Read(in, limit)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, lines.ErrTooLong):
			return lineError(number, fmt.Errorf("it has %d bytes, more than the limit of %d", size, limit))
		case err != nil:
			return lineError(number, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if err := do(number, text); err != nil {
				return err
			}
		}
	}
}

func lineError(number int, err error) error {
	return fmt.Errorf("standard input, line %d: %w", number, err)
}

// lineWriter writes JSON lines.
type lineWriter struct{ w *bufio.Writer }

func newLineWriter(w io.Writer) *lineWriter { return &lineWriter{bufio.NewWriterSize(w, 1<<16)} }

// write writes a value as a line.
func (l *lineWriter) write(v any) error {
	b, err := jsonLine(v)
	if err != nil {
		return err
	}
	return l.writeBytes(b)
}

// outputError is an error of the output, not of a line.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// writeBytes writes lines as they are.
func (l *lineWriter) writeBytes(b []byte) error {
	if _, err := l.w.Write(b); err != nil {
		return outputError{fmt.Errorf("cannot write the result: %w", err)}
	}
	return nil
}

// finish writes what is buffered. It returns err, the error of the step, if there is one.
func (l *lineWriter) finish(err error) error {
	if bad := l.w.Flush(); bad != nil && err == nil {
		err = cli.Fail(fmt.Errorf("cannot write the result: %w", bad))
	}
	return err
}

// jsonLine returns a value as a line of JSON.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
