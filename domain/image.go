package domain

import "fmt"

// Bounds of an uploaded image.
const (
	MaxImageBytes  = 10 << 20
	MaxImagePixels = 100_000_000 // a decoder needs four bytes for each
)

// ImageUploaded says that an image was stored beside the log, under the keyed
// hash of its content. Its id is the image_id. The image itself is never in the
// log: without the file it is forgotten, and the hash tells nothing of it to who
// lacks the key.
type ImageUploaded struct {
	Hash      string `json:"hash"`       // HMAC-SHA-256 under the data directory's own key, hex
	MediaType string `json:"media_type"` // as found in the content, whatever the sender said
	Bytes     int64  `json:"bytes"`
	Width     int    `json:"width"` // pixels
	Height    int    `json:"height"`
}

// Check returns a validation error about an image that is out of bounds.
func (i ImageUploaded) Check() error {
	const op = "check image"
	switch {
	case i.Bytes > MaxImageBytes:
		return &Error{Op: op, Category: Validation, Code: CodeTooLarge, Field: "image",
			Message: fmt.Sprintf("the image has %d bytes, the bound is %d: send a smaller one", i.Bytes, MaxImageBytes)}
	case i.Width <= 0 || i.Height <= 0:
		return Invalid(op, "image", "the image has no pixels: send another one")
	case int64(i.Width)*int64(i.Height) > MaxImagePixels:
		return &Error{Op: op, Category: Validation, Code: CodeTooLarge, Field: "image",
			Message: fmt.Sprintf("the image has %d × %d pixels, the bound is %d in all: send a smaller one", i.Width, i.Height, MaxImagePixels)}
	}
	return nil
}
