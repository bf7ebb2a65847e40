package sink

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/lede-news/lede/batch"
)

// row is a line as Parquet has it. A page that failed has empty columns, and its
// error.
type row struct {
	ID         string     `parquet:"id"`
	URL        string     `parquet:"url"`
	Title      string     `parquet:"title"`
	Text       string     `parquet:"text"`
	Authors    []string   `parquet:"authors,list"`
	Date       string     `parquet:"date"`
	Modified   string     `parquet:"modified"`
	Lang       string     `parquet:"lang,dict"`
	Site       string     `parquet:"site,dict"`
	Images     []rowImage `parquet:"images,list"`
	Comments   []string   `parquet:"comments,list"`
	Type       string     `parquet:"type,dict"`
	Confidence float64    `parquet:"confidence"`
	Method     string     `parquet:"method,dict"`
	Form       string     `parquet:"form,dict"`
	Paywalled  bool       `parquet:"paywalled"`
	Partial    bool       `parquet:"partial"`
	Error      string     `parquet:"error"`
	Kind       string     `parquet:"kind,dict"`
}

type rowImage struct {
	URL     string `parquet:"url"`
	Caption string `parquet:"caption"`
}

// groupBytes is about how much text a row group holds. All of it is in memory
// while it is written.
const groupBytes = 16 << 20

// toParquet makes a Parquet file of packed lines. It is in place only when it is
// whole, and the lines go then.
func toParquet(lines, final string) error {
	in, err := os.Open(lines)
	if err != nil {
		return err
	}
	defer in.Close()
	half := lines + ".parquet"
	out, err := os.Create(half)
	if err != nil {
		return err
	}
	defer out.Close()
	buffered := bufio.NewWriterSize(out, 1<<20)
	if err := writeRows(in, buffered); err != nil {
		return fmt.Errorf("%s: %w", final, err)
	}
	if err := errors.Join(buffered.Flush(), out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := os.Rename(half, final); err != nil {
		return err
	}
	return os.Remove(lines)
}

func writeRows(in io.Reader, out io.Writer) error {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	w := parquet.NewGenericWriter[row](out, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("lede", "1", ""))
	r := bufio.NewReaderSize(z, 1<<16)
	for size := 0; ; {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return w.Close()
		}
		if err != nil {
			return err
		}
		var l batch.Line
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if _, err := w.Write([]row{rowOf(&l)}); err != nil {
			return err
		}
		if size += len(line); size >= groupBytes {
			if err := w.Flush(); err != nil {
				return err
			}
			size = 0
		}
	}
}

func rowOf(l *batch.Line) row {
	r := row{
		ID: l.ID, URL: l.URL, Title: l.Title, Text: l.Text, Authors: l.Authors, Date: l.Date, Modified: l.Modified,
		Lang: l.Lang, Site: l.Site, Comments: l.Comments, Type: string(l.Type), Confidence: l.Confidence,
		Method: l.Method, Form: string(l.Form), Paywalled: l.Paywalled, Partial: l.Partial, Error: l.Error, Kind: l.Kind,
	}
	for _, im := range l.Images {
		r.Images = append(r.Images, rowImage(im))
	}
	return r
}
