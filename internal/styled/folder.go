package styled

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

// Folder is a folder of saved pictures, as wget -p, a browser's "save page as"
// or a crawler leaves them. A picture is looked for, in this order:
//
//   - in manifest.json, an object from addresses to files;
//   - by the SHA-256 of its address in hex, with any ending;
//   - under its host and path, under its path, and by its name alone;
//   - by its name in the folder that a browser saves beside the page.
//
// For a folder on disk use the FS of an [os.Root]: no link leads out of that.
func Folder(files fs.FS) Assets {
	f := &folder{files: files}
	f.read = sync.OnceFunc(f.index)
	return f
}

type folder struct {
	files    fs.FS
	read     func()
	manifest map[string]string
	hashes   map[string]string // file by its name without ending, where that is a hash
	saved    []string          // folders of "save page as"
}

// savedEndings are how browsers end the name of such a folder, by their language.
var savedEndings = []string{"_files", "-Dateien", "_fichiers", "_archivos", "_file", "_bestanden", "_arquivos", "_filer", ".files"}

const maxManifest = 16 << 20

// index looks once at what the folder has.
func (f *folder) index() {
	if data, err := f.open("manifest.json", maxManifest); err == nil {
		_ = json.Unmarshal(data, &f.manifest) // one that cannot be read names nothing
	}
	f.hashes = map[string]string{}
	entries, _ := fs.ReadDir(f.files, ".")
	for _, e := range entries {
		name := e.Name()
		if stem := strings.TrimSuffix(name, path.Ext(name)); !e.IsDir() && len(stem) == 2*sha256.Size {
			f.hashes[strings.ToLower(stem)] = name
		}
		if e.IsDir() && slices.ContainsFunc(savedEndings, func(end string) bool { return strings.HasSuffix(name, end) }) {
			f.saved = append(f.saved, name)
		}
	}
}

// Get reads the first file that can be meant.
func (f *folder) Get(ctx context.Context, address string) ([]byte, error) {
	f.read()
	for _, name := range f.names(address) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !fs.ValidPath(name) {
			continue // it would lead out of the folder
		}
		data, err := f.open(name, MaxPicture)
		if err == nil || errors.Is(err, ErrTooLarge) {
			return data, err
		}
	}
	return nil, fmt.Errorf("%s: %w", address, fs.ErrNotExist)
}

func (f *folder) names(address string) []string {
	sum := sha256.Sum256([]byte(address))
	names := []string{f.manifest[address], f.hashes[hex.EncodeToString(sum[:])]}
	u, err := url.Parse(address)
	if err != nil {
		return names
	}
	for _, p := range []string{u.Path, u.EscapedPath()} {
		p = strings.TrimPrefix(path.Clean("/"+p), "/")
		variants := []string{p}
		if u.RawQuery != "" { // wget keeps the query in the name; on Windows after an @
			variants = []string{p + "?" + u.RawQuery, p + "@" + u.RawQuery, p}
		}
		for _, v := range variants {
			if u.Host != "" {
				names = append(names, u.Host+"/"+v, u.Hostname()+"/"+v)
			}
			names = append(names, v, path.Base(v))
			for _, dir := range f.saved {
				names = append(names, dir+"/"+path.Base(v))
			}
		}
	}
	return names
}

// open reads a plain file up to a limit.
func (f *folder) open(name string, limit int64) ([]byte, error) {
	file, err := f.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrInvalid)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: %w", name, ErrTooLarge)
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1)) // it may have grown
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s: %w", name, ErrTooLarge)
	}
	return data, err
}
