package styled

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
)

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
