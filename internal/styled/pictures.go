package styled

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pictures puts every picture into the document, or a link where there is none.
func (p *page) pictures(ctx context.Context, assets Assets) error {
	al := album{ctx: ctx, assets: assets, base: p.base, room: MaxPictures}
	for _, im := range all(p.article, atom.Img) {
		found := al.paste(im)
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !found {
			p.missing(im)
		}
	}
	for _, f := range all(p.article, atom.Figure) {
		if get(f, "class") == "video" {
			p.clip(f)
		}
		if first(f, atom.Img) == nil && content(f) == "" {
			f.Parent.RemoveChild(f)
		}
	}
	return nil
}

// album gets pictures as long as there is room.
type album struct {
	ctx    context.Context
	assets Assets
	base   *url.URL
	room   int // bytes left
}

// paste puts the picture itself where its address was.
func (al *album) paste(im *html.Node) bool {
	data := al.get(get(im, "src"))
	if len(data) == 0 || len(data) > MaxPicture || len(data) > al.room {
		return false
	}
	r, ok := readRaster(data)
	if !ok {
		return false
	}
	al.room -= len(data)
	set(im, "src", "data:"+r.mediaType+";base64,"+base64.StdEncoding.EncodeToString(data))
	unset(im, "loading") // it is here already, and paper does not scroll
	if get(im, "width") == "" {
		set(im, "width", strconv.Itoa(r.width))
		set(im, "height", strconv.Itoa(r.height))
	}
	if r.width >= wideEnough && r.width >= r.height {
		set(im, "class", "wide")
	}
	return true
}

// wideEnough is from which width on a picture fills the column.
const wideEnough = 480

func (al *album) get(src string) []byte {
	if head, data, ok := strings.Cut(src, ";base64,"); ok && strings.HasPrefix(strings.ToLower(head), "data:") {
		if base64.StdEncoding.DecodedLen(len(data)) > MaxPicture+2 {
			return nil
		}
		b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "="))
		if err != nil {
			return nil
		}
		return b
	}
	if al.assets == nil || src == "" {
		return nil
	}
	if u := webURL(src, al.base); u != nil {
		src = u.String()
	}
	b, err := al.assets.Get(al.ctx, src)
	if err != nil {
		return nil
	}
	return b
}

// missing puts the words of a picture in its place, with a link to where it is.
func (p *page) missing(im *html.Node) {
	if im.Parent.DataAtom == atom.A { // a still of a video: the link has words of its own
		im.Parent.InsertBefore(text(get(im, "alt")), im)
		im.Parent.RemoveChild(im)
		return
	}
	label := text(get(im, "alt"))
	if label.Data == "" {
		label = p.say(p.words.picture)
	}
	box := element(atom.P, "class", "missing")
	u := webURL(get(im, "src"), p.base)
	switch {
	case u != nil:
		add(box, add(element(atom.A, "href", u.String()), label))
	case get(im, "alt") != "":
		add(box, label)
	default: // neither words nor a place to look
		im.Parent.RemoveChild(im)
		return
	}
	replace(im, box)
}

// clip makes of a player one link, with the still picture in it if there is one.
// The words are the link's, so that the still needs none.
func (p *page) clip(f *html.Node) {
	link := first(f, atom.A)
	if link == nil {
		return
	}
	still := first(link, atom.Img)
	title := content(link)
	if still != nil {
		title = get(still, "alt")
		set(still, "alt", "")
	}
	if u, err := url.Parse(title); err == nil && u.Host != "" {
		title = "" // format knew no better than the address
	}
	label := element(atom.Span, "class", "watch")
	if title == "" || still != nil {
		add(label, p.say(p.verb(get(link, "href"))))
	}
	if title != "" && still != nil {
		add(label, text(": "))
	}
	add(label, text(title))
	for link.FirstChild != nil {
		link.RemoveChild(link.FirstChild)
	}
	if still != nil {
		add(link, still, line())
	}
	add(link, label)
}

var soundEndings = []string{".mp3", ".m4a", ".ogg", ".oga", ".opus", ".wav", ".aac", ".flac"}

// verb is what one does with what is at an address.
func (p *page) verb(address string) string {
	if u, err := url.Parse(address); err == nil && slices.Contains(soundEndings, strings.ToLower(path.Ext(u.Path))) {
		return p.words.listen
	}
	return p.words.watch
}

// say is a word of this package, marked when it is not in the story's language.
func (p *page) say(word string) *html.Node {
	if !p.words.foreign {
		return text(word)
	}
	return add(element(atom.Span, "lang", p.words.lang, "dir", "ltr"), text(word))
}

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

// maxPixels guards the reader's browser: a few kilobytes can unpack to gigabytes.
const maxPixels = 64 << 20

// raster is a picture made of pixels, known by its bytes.
type raster struct {
	mediaType     string
	width, height int
}

// readRaster tells what a picture is. SVG is none of these: it is a document,
// with scripts and addresses of its own.
func readRaster(data []byte) (raster, bool) {
	var r raster
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		r = dimensions("image/png", data, png.DecodeConfig)
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		r = dimensions("image/jpeg", data, jpeg.DecodeConfig)
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		r = dimensions("image/gif", data, gif.DecodeConfig)
	case len(data) >= 30 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		r = webp(data)
	case len(data) >= 16 && string(data[4:8]) == "ftyp":
		r = avif(data)
	}
	return r, r.width > 0 && r.height > 0 && r.width <= maxPixels/r.height
}

func dimensions(mediaType string, data []byte, decode func(io.Reader) (image.Config, error)) raster {
	c, err := decode(bytes.NewReader(data))
	if err != nil {
		return raster{}
	}
	return raster{mediaType, c.Width, c.Height}
}

// webp reads the first chunk of a WebP file (RFC 9649, sections 2.5 to 2.7).
func webp(data []byte) raster {
	le := binary.LittleEndian
	switch chunk := data[12:16]; string(chunk) {
	case "VP8 ":
		if string(data[23:26]) == "\x9d\x01\x2a" {
			return raster{"image/webp", int(le.Uint16(data[26:]) & 0x3FFF), int(le.Uint16(data[28:]) & 0x3FFF)}
		}
	case "VP8L":
		if bits := le.Uint32(data[21:]); data[20] == 0x2F {
			return raster{"image/webp", int(bits&0x3FFF) + 1, int(bits>>14&0x3FFF) + 1}
		}
	case "VP8X":
		return raster{"image/webp", int(le.Uint32(data[24:])&0xFFFFFF) + 1, int(le.Uint32(data[26:])>>8) + 1}
	}
	return raster{}
}

// avif looks for the brand and the size (the "ispe" boxes) of an AVIF file.
func avif(data []byte) raster {
	size := min(int(binary.BigEndian.Uint32(data)), len(data), 256)
	if size < 16 || !bytes.Contains(data[8:size], []byte("avif")) && !bytes.Contains(data[8:size], []byte("avis")) {
		return raster{}
	}
	r := raster{mediaType: "image/avif"}
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
