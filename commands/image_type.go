package commands

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"chalie/domain"

	"golang.org/x/image/webp"
)

// imageType is a type of image that every browser shows.
type imageType struct {
	mediaType string
	begins    string // "?" stands for any byte
	header    func(io.Reader) (image.Config, error)
}

func imageTypes() []imageType {
	return []imageType{
		{"image/png", "\x89PNG\r\n\x1a\n", png.DecodeConfig},
		{"image/jpeg", "\xff\xd8\xff", jpeg.DecodeConfig},
		{"image/gif", "GIF87a", gif.DecodeConfig},
		{"image/gif", "GIF89a", gif.DecodeConfig},
		{"image/webp", "RIFF????WEBPVP8", webp.DecodeConfig},
	}
}

// inspectImage tells what an image is from its content alone: a sender may say
// anything. Only the header is read.
//
// Reading formats is more technology than a command should know. It stands here
// because the type decides whether an image is taken in at all, and a port for it
// would never have a second implementation.
func inspectImage(content []byte) (mediaType string, width, height int, err error) {
	for _, t := range imageTypes() {
		if !t.matches(content) {
			continue
		}
		cfg, err := t.header(bytes.NewReader(content))
		if err != nil {
			return "", 0, 0, &domain.Error{Op: "inspect image", Category: domain.Validation, Code: "invalid", Field: "image", Err: err,
				Message: fmt.Sprintf("the image begins like %s, but its header can't be read: it is broken or cut off, send it again", t.mediaType)}
		}
		return t.mediaType, cfg.Width, cfg.Height, nil
	}
	return "", 0, 0, &domain.Error{Op: "inspect image", Category: domain.Validation, Code: CodeUnsupportedMedia, Field: "image",
		Message: "this is no PNG, JPEG, GIF or WebP image, whatever it was sent as: convert it to one of these"}
}

func (t imageType) matches(content []byte) bool {
	if len(content) < len(t.begins) {
		return false
	}
	for i := range len(t.begins) {
		if t.begins[i] != '?' && t.begins[i] != content[i] {
			return false
		}
	}
	return true
}
