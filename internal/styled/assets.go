package styled

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Assets has the pictures of a page: a folder, a web archive, the web itself.
// What an asset says that it is, is never believed: its bytes tell.
type Assets interface {
	// Get gives what lies at an address. An address that is not known is
	// fs.ErrNotExist.
	Get(ctx context.Context, url string) ([]byte, error)
}

// AssetsFunc is a function as Assets.
type AssetsFunc func(ctx context.Context, url string) ([]byte, error)

// Get calls f.
func (f AssetsFunc) Get(ctx context.Context, url string) ([]byte, error) { return f(ctx, url) }

// AnyOf looks through several assets and takes the first that has something.
func AnyOf(sources ...Assets) Assets {
	return AssetsFunc(func(ctx context.Context, url string) ([]byte, error) {
		errs := []error{fmt.Errorf("%s: %w", url, fs.ErrNotExist)}
		for _, s := range sources {
			data, err := s.Get(ctx, url)
			if err == nil || ctx.Err() != nil {
				return data, err
			}
			errs = append(errs, err)
		}
		return nil, errors.Join(errs...)
	})
}

// The limits of what is put into a file, in bytes. Past them a picture is a link.
const (
	MaxPicture  = 5 << 20  // one picture
	MaxPictures = 40 << 20 // all of them
)

// ErrTooLarge means that a picture is larger than MaxPicture.
var ErrTooLarge = errors.New("picture is too large to be put into the file")
