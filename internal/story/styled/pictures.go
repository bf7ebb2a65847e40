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

// pictures embeds every picture, or replaces it by a link.
func (p *page) pictures(ctx context.Context, assets Assets) error {
	em := embedder{ctx: ctx, assets: assets, base: p.base, left: MaxPictures}
	for _, im := range all(p.article, atom.Img) {
		found := em.embed(im)
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !found {
			p.replaceByLink(im)
		}
	}
	for _, f := range all(p.article, atom.Figure, atom.Span) {
		if get(f, "class") == "video" {
			p.linkVideo(f)
		}
		if f.DataAtom == atom.Figure && first(f, atom.Img) == nil && content(f) == "" {
			f.Parent.RemoveChild(f)
		}
	}
	return nil
}

// embedder embeds pictures up to a total size.
type embedder struct {
	ctx    context.Context
	assets Assets
	base   *url.URL
	left   int // bytes
}

// embed replaces the address of a picture by its data.
func (em *embedder) embed(im *html.Node) bool {
	data := em.get(get(im, "src"))
	if len(data) == 0 || len(data) > MaxPicture || len(data) > em.left {
		return false
	}
	r, ok := readImageSize(data)
	if !ok {
		return false
	}
	em.left -= len(data)
	set(im, "src", "data:"+r.mediaType+";base64,"+base64.StdEncoding.EncodeToString(data))
	unset(im, "loading") // or it would be missing in print
	if get(im, "width") == "" {
		set(im, "width", strconv.Itoa(r.width))
		set(im, "height", strconv.Itoa(r.height))
	}
	if r.width >= minWide && r.width >= r.height {
		setClass(im, "wide")
	}
	return true
}

// minWide is the width from which on a picture fills the column, in pixels.
const minWide = 480

func (em *embedder) get(src string) []byte {
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
	if em.assets == nil || src == "" {
		return nil
	}
	if u := webURL(src, em.base); u != nil {
		src = u.String()
	}
	b, err := em.assets.Get(em.ctx, src)
	if err != nil {
		return nil
	}
	return b
}

// replaceByLink replaces a picture by a link to it.
func (p *page) replaceByLink(im *html.Node) {
	label := text(get(im, "alt"))
	if im.Parent.DataAtom == atom.A && im.NextSibling == nil && im.PrevSibling == nil { // the still of a video is a link already
		replace(im, label)
		return
	}
	if label.Data == "" {
		label = p.label(p.labels.picture)
	}
	box := element(atom.Span, "class", "missing")
	u := webURL(get(im, "src"), p.base)
	switch {
	case u != nil && !inLink(im):
		add(box, add(element(atom.A, "href", u.String()), label))
	case get(im, "alt") != "":
		add(box, label)
	default: // neither a text nor an address
		im.Parent.RemoveChild(im)
		return
	}
	replace(im, box)
}

// inLink reports whether n is part of a link.
func inLink(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.A {
			return true
		}
	}
	return false
}

// linkVideo replaces a player by one link with the still picture, if there is
// one. The text is that of the link, so that the still needs none.
func (p *page) linkVideo(f *html.Node) {
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
		title = "" // package format takes the address if there is no title
	}
	label := element(atom.Span, "class", "watch")
	if title == "" || still != nil {
		add(label, p.label(p.action(get(link, "href"))))
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

var audioExtensions = []string{".mp3", ".m4a", ".ogg", ".oga", ".opus", ".wav", ".aac", ".flac"}

// action returns the label of a link to a video or a recording.
func (p *page) action(address string) string {
	if u, err := url.Parse(address); err == nil && slices.Contains(audioExtensions, strings.ToLower(path.Ext(u.Path))) {
		return p.labels.listen
	}
	return p.labels.watch
}

// label returns a label, marked if it is not in the language of the story.
func (p *page) label(s string) *html.Node {
	if !p.labels.foreign {
		return text(s)
	}
	return add(element(atom.Span, "lang", p.labels.lang, "dir", "ltr"), text(s))
}

// Assets provides the pictures of a page: from a folder, a web archive or the
// web. The format of a picture is detected from its bytes.
type Assets interface {
	// Get returns the contents of a URL. The error is fs.ErrNotExist if the URL
	// is unknown.
	Get(ctx context.Context, url string) ([]byte, error)
}

// AssetsFunc implements Assets by a function.
type AssetsFunc func(ctx context.Context, url string) ([]byte, error)

// Get calls f.
func (f AssetsFunc) Get(ctx context.Context, url string) ([]byte, error) { return f(ctx, url) }

// AnyOf returns Assets that try several sources in order.
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

// The limits of embedded pictures in bytes. Beyond them a picture becomes a link.
const (
	MaxPicture  = 5 << 20  // one picture
	MaxPictures = 40 << 20 // all of them
)

// ErrTooLarge means that a picture is larger than MaxPicture.
var ErrTooLarge = errors.New("picture is too large to be embedded")

// maxPixels protects browsers: a few kilobytes can decode to gigabytes.
const maxPixels = 64 << 20

// imageSize is the format and size of a bitmap.
type imageSize struct {
	mediaType     string
	width, height int
}

// readImageSize detects the format of a picture. It refuses SVG, which may have
// scripts and load other files.
func readImageSize(data []byte) (imageSize, bool) {
	var r imageSize
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

func dimensions(mediaType string, data []byte, decode func(io.Reader) (image.Config, error)) imageSize {
	c, err := decode(bytes.NewReader(data))
	if err != nil {
		return imageSize{}
	}
	return imageSize{mediaType, c.Width, c.Height}
}

// webp reads the first chunk of a WebP file (RFC 9649, sections 2.5 to 2.7).
func webp(data []byte) imageSize {
	le := binary.LittleEndian
	switch chunk := data[12:16]; string(chunk) {
	case "VP8 ":
		if string(data[23:26]) == "\x9d\x01\x2a" {
			return imageSize{"image/webp", int(le.Uint16(data[26:]) & 0x3FFF), int(le.Uint16(data[28:]) & 0x3FFF)}
		}
	case "VP8L":
		if bits := le.Uint32(data[21:]); data[20] == 0x2F {
			return imageSize{"image/webp", int(bits&0x3FFF) + 1, int(bits>>14&0x3FFF) + 1}
		}
	case "VP8X":
		return imageSize{"image/webp", int(le.Uint32(data[24:])&0xFFFFFF) + 1, int(le.Uint32(data[26:])>>8) + 1}
	}
	return imageSize{}
}

// avif looks for the brand and the size (the "ispe" boxes) of an AVIF file.
func avif(data []byte) imageSize {
	size := min(int(binary.BigEndian.Uint32(data)), len(data), 256)
	if size < 16 || !bytes.Contains(data[8:size], []byte("avif")) && !bytes.Contains(data[8:size], []byte("avis")) {
		return imageSize{}
	}
	r := imageSize{mediaType: "image/avif"}
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

// Folder returns the pictures of a folder as wget -p, "save page as" of a browser
// or a crawler has written it. It looks for a picture
//
//   - in manifest.json, an object from URLs to files;
//   - by the SHA-256 of its URL in hex, with any extension;
//   - by its host and path, by its path, and by its name;
//   - by its name in the folder that a browser saves beside the page.
//
// For a folder on disk use the FS of an [os.Root], which follows no links to the
// outside.
func Folder(files fs.FS) Assets {
	f := &folder{files: files}
	f.read = sync.OnceFunc(f.index)
	return f
}

type folder struct {
	files    fs.FS
	read     func()
	manifest map[string]string
	hashes   map[string]string // files by hash, where their name is one
	saved    []string          // folders of "save page as"
}

// savedEndings are the endings of such folders, by the language of the browser.
var savedEndings = []string{"_files", "-Dateien", "_fichiers", "_archivos", "_file", "_bestanden", "_arquivos", "_filer", ".files"}

const maxManifest = 16 << 20

// index reads the names of the files.
func (f *folder) index() {
	if data, err := f.open("manifest.json", maxManifest); err == nil {
		_ = json.Unmarshal(data, &f.manifest) // a malformed one is ignored
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

// Get reads the first file that exists.
func (f *folder) Get(ctx context.Context, address string) ([]byte, error) {
	f.read()
	for _, name := range f.names(address) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !fs.ValidPath(name) {
			continue // outside of the folder
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
		if u.RawQuery != "" { // wget keeps the query in the name, on Windows after an @
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

// open reads a regular file up to a limit.
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
