package styled

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/gif" // formats that imageFormat knows
	_ "image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
)

// Assets returns the contents of the URL of a picture: from a folder, a web archive or the web.
// The format of a picture is detected from its bytes.
type Assets func(ctx context.Context, url string) ([]byte, error)

// The limits of embedded pictures in bytes. Beyond them a picture becomes a link.
const (
	MaxPicture  = 5 << 20  // one picture
	MaxPictures = 40 << 20 // all of them
)

// imageFormat detects the format of a picture, and its size if the standard library knows the
// format. It refuses SVG, which may have scripts and load other files.
func imageFormat(data []byte) (format string, width, height int) {
	switch {
	case len(data) >= 16 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp", 0, 0
	case len(data) >= 16 && string(data[4:12]) == "ftypavif":
		return "avif", 0, 0
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "", 0, 0
	}
	return format, c.Width, c.Height
}

// Folder returns the pictures of a folder as wget -p or "save page as" of a browser has written
// it. It looks for a picture by its host and path, by its path, by its name, and by its name in
// one of the folders in it, as a browser saves one beside the page.
//
// For a folder on disk use the FS of an [os.Root], which follows no links to the outside.
func Folder(files fs.FS) Assets {
	folders := []string{"."}
	entries, _ := fs.ReadDir(files, ".")
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	return func(ctx context.Context, address string) ([]byte, error) {
		u, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		for _, name := range fileNames(u, folders) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if data, err := readFile(files, name); err == nil {
				return data, nil
			}
		}
		return nil, fmt.Errorf("%s: %w", address, fs.ErrNotExist)
	}
}

// fileNames returns the names that a file from a URL may have.
func fileNames(u *url.URL, folders []string) (names []string) {
	for _, p := range []string{u.Path, u.EscapedPath()} {
		p = strings.TrimPrefix(path.Clean("/"+p), "/")
		variants := []string{p}
		if u.RawQuery != "" { // wget keeps the query in the name, on Windows after an @
			variants = []string{p + "?" + u.RawQuery, p + "@" + u.RawQuery, p}
		}
		for _, v := range variants {
			if u.Host != "" {
				names = append(names, u.Host+"/"+v, u.Hostname()+"/"+v)
			}
			names = append(names, v)
			for _, dir := range folders {
				names = append(names, path.Join(dir, path.Base(v)))
			}
		}
	}
	return names
}

// readFile reads a regular file that is not too large.
func readFile(files fs.FS, name string) ([]byte, error) {
	file, err := files.Open(name) // not outside of the folder: such names are invalid
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxPicture+1))
	if len(data) > MaxPicture {
		err = fs.ErrInvalid
	}
	return data, err
}
