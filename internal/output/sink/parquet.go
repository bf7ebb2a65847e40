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

// groupBytes is about the size of a row group, which is held in memory.
const groupBytes = 16 << 20

// toParquet converts a file of compressed lines to Parquet and removes it.
func toParquet(lines, final string) error {
	in, err := os.Open(lines)
	if err != nil {
		return err
	}
	defer in.Close()
	partial := lines + ".parquet"
	out, err := os.Create(partial)
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
	if err := rename(partial, final); err != nil {
		return err
	}
	return os.Remove(lines)
}

// parquetRow is a line with its body as a string.
type parquetRow struct {
	batch.Line
	Body string `parquet:"body"`
}

func writeRows(in io.Reader, out io.Writer) error {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer z.Close()
	w := parquet.NewGenericWriter[parquetRow](out, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("lede", "1", ""))
	lines, last := json.NewDecoder(z), int64(0)
	for {
		var l batch.Line
		err := lines.Decode(&l)
		if err == io.EOF {
			return w.Close()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if _, err := w.Write([]parquetRow{{l, bodyText(l.Body)}}); err != nil {
			return err
		}
		if at := lines.InputOffset(); at-last >= groupBytes {
			if err := w.Flush(); err != nil {
				return err
			}
			last = at
		}
	}
}
