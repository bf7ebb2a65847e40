package styled

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/gif" // formats that readImageSize knows
	_ "image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
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

// maxPixels protects browsers: a few kilobytes can decode to gigabytes.
const maxPixels = 64 << 20

// imageSize is the format and size of a bitmap.
type imageSize struct {
	format        string
	width, height int
}

// readImageSize detects the format of a picture. It refuses SVG, which may have scripts and load
// other files.
func readImageSize(data []byte) (imageSize, bool) {
	var r imageSize
	switch {
	case len(data) >= 30 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		r = webp(data)
	case len(data) >= 16 && string(data[4:8]) == "ftyp":
		r = avif(data)
	default:
		if c, format, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
			r = imageSize{format, c.Width, c.Height}
		}
	}
	return r, r.width > 0 && r.height > 0 && r.width <= maxPixels/r.height
}

// webp reads the first chunk of a WebP file (RFC 9649, sections 2.5 to 2.7).
func webp(data []byte) imageSize {
	le := binary.LittleEndian
	switch chunk := data[12:16]; string(chunk) {
	case "VP8 ":
		if string(data[23:26]) == "\x9d\x01\x2a" {
			return imageSize{"webp", int(le.Uint16(data[26:]) & 0x3FFF), int(le.Uint16(data[28:]) & 0x3FFF)}
		}
	case "VP8L":
		if bits := le.Uint32(data[21:]); data[20] == 0x2F {
			return imageSize{"webp", int(bits&0x3FFF) + 1, int(bits>>14&0x3FFF) + 1}
		}
	case "VP8X":
		return imageSize{"webp", int(le.Uint32(data[24:])&0xFFFFFF) + 1, int(le.Uint32(data[26:])>>8) + 1}
	}
	return imageSize{}
}

// avif looks for the brand and the size (the "ispe" boxes) of an AVIF file.
func avif(data []byte) imageSize {
	size := min(int(binary.BigEndian.Uint32(data)), len(data), 256)
	if size < 16 || !bytes.Contains(data[8:size], []byte("avif")) && !bytes.Contains(data[8:size], []byte("avis")) {
		return imageSize{}
	}
	r := imageSize{format: "avif"}
	for rest := data[size:min(len(data), 64<<10)]; ; {
		_, after, ok := bytes.Cut(rest, []byte("ispe"))
		if !ok || len(after) < 12 {
			return r
		}
		w, h := int(binary.BigEndian.Uint32(after[4:])), int(binary.BigEndian.Uint32(after[8:]))
		r.width, r.height = max(r.width, w), max(r.height, h)
		rest = after
	}
}

// savedEndings are the endings of the folders that browsers save beside a page, by their language.
var savedEndings = []string{"_files", "-Dateien", "_fichiers", "_archivos", "_file", "_bestanden", "_arquivos", "_filer", ".files"}

// Folder returns the pictures of a folder as wget -p or "save page as" of a browser has written
// it. It looks for a picture by its host and path, by its path, by its name, and by its name in
// the folder that a browser saves beside the page.
//
// For a folder on disk use the FS of an [os.Root], which follows no links to the outside.
func Folder(files fs.FS) Assets {
	folders := []string{"."}
	entries, _ := fs.ReadDir(files, ".")
	for _, e := range entries {
		if e.IsDir() && slices.ContainsFunc(savedEndings, func(end string) bool { return strings.HasSuffix(e.Name(), end) }) {
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
