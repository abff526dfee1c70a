package message

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"chalie/commands"
	"chalie/domain"
)

// Blobs keeps contents beside the log, each under a hash that tells nothing of
// it without the key.
type Blobs interface {
	// Put returns the content's hash once it is durable. The same content gets the
	// same hash, so a failure may be retried. Errors: dependency.
	Put(ctx context.Context, content []byte) (hash string, err error)
	// Get returns what was put under the hash. Errors: not found when it isn't there
	// (or no longer), and a dependency error, CodeCorrupt when it isn't what was put.
	Get(ctx context.Context, hash string) ([]byte, error)
}

// ImagesConfig has the dependencies of the image commands. All are required.
type ImagesConfig struct {
	commands.Env
	Blobs Blobs
}

// Images takes in pictures to be talked about.
type Images struct{ cfg ImagesConfig }

// NewImages checks the configuration.
func NewImages(cfg ImagesConfig) (*Images, error) {
	if err := commands.Complete("configure images", cfg); err != nil {
		return nil, err
	}
	return &Images{cfg: cfg}, nil
}

// Codes of what can be wrong with an image.
const (
	CodeUnsupportedMedia domain.Code = "unsupported_media" // not of a type that can be shown
	CodeNoImage          domain.Code = "no_image"          // never uploaded
	CodeImageGone        domain.Code = "image_gone"        // uploaded, and its content is lost
)

// Upload keeps an image and records it. The id is that of the envelope, the
// image_id. What it is follows from its content; its pixels are not decoded.
//
// The content is durable before the envelope is. When the append fails a content
// that nothing refers to stays behind; the same upload again uses it.
//
// Errors: validation (CodeUnsupportedMedia and CodeTooLarge included), and what
// Blobs.Put and domain.Appender return.
func (i *Images) Upload(ctx context.Context, c commands.Caller, content []byte) (domain.ID, domain.ImageUploaded, error) {
	img := domain.ImageUploaded{Bytes: int64(len(content))}
	if img.Bytes == 0 {
		return domain.ID{}, img, domain.Invalid("upload image", "image", "the image is empty: send its content")
	}
	// A content that is too large isn't decoded.
	if err := (domain.ImageUploaded{Bytes: img.Bytes, Width: 1, Height: 1}).Check(); err != nil {
		return domain.ID{}, img, err
	}
	var err error
	if img.MediaType, img.Width, img.Height, err = inspectImage(content); err != nil {
		return domain.ID{}, img, err
	}
	if err := img.Check(); err != nil {
		return domain.ID{}, img, err
	}
	if img.Hash, err = i.cfg.Blobs.Put(ctx, content); err != nil {
		return domain.ID{}, img, err
	}
	id := i.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, i.cfg.Now(), c.Source, img)
	if err != nil {
		return domain.ID{}, img, err
	}
	if _, err := i.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return domain.ID{}, img, err
	}
	return id, img, nil
}

// Find returns what was recorded of an image, without looking at its content.
//
// Errors: not found with CodeNoImage when id is not that of an image, with
// domain.CodeErased when it was erased, and what domain.Reader returns.
func (i *Images) Find(ctx context.Context, id domain.ID) (domain.ImageUploaded, error) {
	rec, err := i.cfg.Reader.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && rec.Envelope.Type != domain.ImageUploadedType {
		return domain.ImageUploaded{}, &domain.Error{Op: "find image", Category: domain.NotFound, Code: CodeNoImage, Field: "id",
			Message: fmt.Sprintf("no image %s was uploaded: use the image_id that POST /chat/image answered", id.UUID())}
	}
	if err != nil {
		return domain.ImageUploaded{}, err
	}
	img, err := domain.Decode[domain.ImageUploaded](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return img, &domain.Error{Op: "find image", Category: domain.NotFound, Code: domain.CodeErased, Field: "id", Err: err,
			Message: fmt.Sprintf("the image %s was erased and can't be had back: upload it again if it's still needed", id.UUID())}
	}
	return img, err
}

// Open returns an image's content and what was recorded of it.
//
// Errors: those of Find, not found with CodeImageGone when the content is lost,
// and what Blobs.Get returns.
func (i *Images) Open(ctx context.Context, id domain.ID) ([]byte, domain.ImageUploaded, error) {
	img, err := i.Find(ctx, id)
	if err != nil {
		return nil, img, err
	}
	content, err := i.cfg.Blobs.Get(ctx, img.Hash)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil, img, &domain.Error{Op: "open image", Category: domain.NotFound, Code: CodeImageGone, Field: "id", Err: err,
			Message: fmt.Sprintf("the content of image %s is not there any more: bring the data directory's images back from a backup, or upload it again", id.UUID())}
	}
	return content, img, err
}

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
// anything. Only the header is read, and of a PNG where its parts end.
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
		if t.mediaType == "image/png" && !endsPNG(content) {
			return "", 0, 0, &domain.Error{Op: "inspect image", Category: domain.Validation, Code: "invalid", Field: "image",
				Message: "the image is a PNG that is cut off before its end: send it again"}
		}
		return t.mediaType, cfg.Width, cfg.Height, nil
	}
	return "", 0, 0, &domain.Error{Op: "inspect image", Category: domain.Validation, Code: CodeUnsupportedMedia, Field: "image",
		Message: "this is no PNG, JPEG, GIF or WebP image, whatever it was sent as: convert it to one of these"}
}

// endsPNG reports whether the chunks of a PNG go on to its last. None is decoded. The other formats are
// often shown without their end.
func endsPNG(content []byte) bool {
	const sizes = 12 // of a chunk's length, type and checksum
	for rest := content[8:]; len(rest) >= sizes; {
		if string(rest[4:8]) == "IEND" {
			return true
		}
		length := uint64(binary.BigEndian.Uint32(rest)) + sizes
		if length > uint64(len(rest)) {
			return false
		}
		rest = rest[length:]
	}
	return false
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
