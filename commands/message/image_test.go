package message_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"maps"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/domain"
)

// shelf is blobs in memory, with a failure on order.
type shelf struct {
	held map[string][]byte
	fail error
	put  int
}

func (s *shelf) Put(_ context.Context, content []byte) (string, error) {
	if s.fail != nil {
		return "", s.fail
	}
	s.put++
	hash := commands.BodyHash(content)
	s.held[hash] = bytes.Clone(content)
	return hash, nil
}

func (s *shelf) Get(_ context.Context, hash string) ([]byte, error) {
	content, ok := s.held[hash]
	switch {
	case s.fail != nil:
		return nil, s.fail
	case !ok:
		return nil, &domain.Error{Category: domain.NotFound, Code: "no_blob", Message: "nothing is there"}
	}
	return content, nil
}

func newImages(b *commandstest.Bench) (*message.Images, *shelf) {
	b.T.Helper()
	blobs := &shelf{held: map[string][]byte{}}
	i, err := message.NewImages(message.ImagesConfig{Env: b.Env(), Blobs: blobs})
	if err != nil {
		b.T.Fatal(err)
	}
	return i, blobs
}

func drawing(width, height int) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	img.SetColorIndex(width/2, height/2, 1)
	return img
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := encode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pngOf(t *testing.T, width, height int) []byte {
	return encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, drawing(width, height)) })
}

// webpHeader is the header of a lossless WebP image, after RFC 9649.
func webpHeader(width, height int) []byte {
	bits := uint32(width-1) | uint32(height-1)<<14
	chunk := binary.LittleEndian.AppendUint32([]byte("VP8L\x05\x00\x00\x00\x2f"), bits)
	chunk = append(chunk, 0)
	out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(chunk)))
	return append(append(out, "WEBP"...), chunk...)
}

// hugePNG claims a size that nobody should decode.
func hugePNG(t *testing.T, width, height uint32) []byte {
	content := pngOf(t, 1, 1)
	binary.BigEndian.PutUint32(content[16:], width)
	binary.BigEndian.PutUint32(content[20:], height)
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	return content
}

func samples(t *testing.T) map[string][]byte {
	return map[string][]byte{
		"image/png":  pngOf(t, 7, 5),
		"image/jpeg": encoded(t, func(out *bytes.Buffer) error { return jpeg.Encode(out, drawing(7, 5), nil) }),
		"image/gif":  encoded(t, func(out *bytes.Buffer) error { return gif.Encode(out, drawing(7, 5), nil) }),
		"image/webp": webpHeader(7, 5),
	}
}

func TestUploadImage(t *testing.T) {
	for mediaType, content := range samples(t) {
		t.Run(mediaType, func(t *testing.T) {
			b := commandstest.NewBench(t)
			images, blobs := newImages(b)
			id, img, err := images.Upload(t.Context(), commandstest.Ada, content)
			if err != nil {
				t.Fatal(err)
			}
			want := domain.ImageUploaded{Hash: commands.BodyHash(content), MediaType: mediaType, Bytes: int64(len(content)), Width: 7, Height: 5}
			if img != want {
				t.Errorf("it is %+v, want %+v", img, want)
			}
			rec := b.Records(domain.TopicMessages)[0]
			e := rec.Envelope
			if e.ID != id || e.Trace.ID != id || !e.Parent.IsZero() || e.Principal != domain.PrincipalOperator || e.Source != "api" || e.Type != "image.uploaded" {
				t.Errorf("the envelope is %+v", e)
			}
			if bytes.Contains(e.Payload.Bytes, content[:8]) {
				t.Error("the image is in the log")
			}
			b.Clock.Advance(time.Hour)
			got, again, err := images.Open(t.Context(), id)
			if err != nil || !bytes.Equal(got, content) || again != want {
				t.Errorf("it comes back as %d bytes, %+v, %v", len(got), again, err)
			}
			if found, err := images.Find(t.Context(), id); err != nil || found != want {
				t.Errorf("found %+v, %v", found, err)
			}
			other, _, err := images.Upload(t.Context(), commandstest.Ada, content)
			if err != nil || other == id || len(blobs.held) != 1 {
				t.Errorf("uploaded again it is %v, %v, %d contents", other, err, len(blobs.held))
			}
		})
	}
}

func TestUploadRefuses(t *testing.T) {
	whole := samples(t)
	large := append(pngOf(t, 7, 5), make([]byte, domain.MaxImageBytes)...)
	cases := map[string]struct {
		content []byte
		code    domain.Code
		says    string
	}{
		"nothing":               {nil, "invalid", "empty"},
		"SVG":                   {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), message.CodeUnsupportedMedia, "PNG"},
		"HTML":                  {[]byte("<!doctype html><script>alert(1)</script>"), message.CodeUnsupportedMedia, "PNG"},
		"HTML before a PNG":     {append([]byte("<html>"), whole["image/png"]...), message.CodeUnsupportedMedia, "PNG"},
		"PDF":                   {[]byte("%PDF-1.7\n"), message.CodeUnsupportedMedia, "PNG"},
		"BMP":                   {append([]byte("BM"), make([]byte, 60)...), message.CodeUnsupportedMedia, "PNG"},
		"another RIFF":          {[]byte("RIFF\x24\x00\x00\x00WAVEfmt "), message.CodeUnsupportedMedia, "PNG"},
		"a PNG's beginning":     {whole["image/png"][:8], "invalid", "image/png"},
		"a PNG's header only":   {whole["image/png"][:20], "invalid", "image/png"},
		"a PNG without its end": {whole["image/png"][:len(whole["image/png"])-12], "invalid", "cut off"},
		"a PNG's half":          {whole["image/png"][:45], "invalid", "cut off"},
		"a JPEG's beginning":    {whole["image/jpeg"][:3], "invalid", "image/jpeg"},
		"a GIF's beginning":     {whole["image/gif"][:6], "invalid", "image/gif"},
		"a WebP's beginning":    {whole["image/webp"][:16], "invalid", "image/webp"},
		"too many bytes":        {large[:domain.MaxImageBytes+1], domain.CodeTooLarge, "10485760"},
		"too many pixels":       {hugePNG(t, 10_001, 10_000), domain.CodeTooLarge, "100000000"},
		"more than fits":        {hugePNG(t, 1<<31-1, 1<<31-1), "", ""},
		"a GIF of nothing":      {[]byte("GIF89a\x00\x00\x00\x00\x00\x00\x00"), "invalid", "no pixels"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := commandstest.NewBench(t)
			images, blobs := newImages(b)
			_, _, err := images.Upload(t.Context(), commandstest.Ada, c.content)
			if domain.CategoryOf(err) != domain.Validation || c.code != "" && domain.CodeOf(err) != c.code {
				t.Fatalf("the error is %v (%q)", err, domain.CodeOf(err))
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error doesn't say %q: %v", c.says, err)
			}
			if b.Count(domain.TopicAll, 0); blobs.put != 0 {
				t.Error("it was kept")
			}
		})
	}
}

// TestLargestImage is at the bounds, and inside them.
func TestLargestImage(t *testing.T) {
	b := commandstest.NewBench(t)
	images, _ := newImages(b)
	large := append(hugePNG(t, 10_000, 10_000), make([]byte, domain.MaxImageBytes)...)[:domain.MaxImageBytes]
	if _, img, err := images.Upload(t.Context(), commandstest.Ada, large); err != nil || img.Width != 10_000 {
		t.Errorf("it is %+v, %v", img, err)
	}
}

// TestImageIsKeptFirst: an envelope without its content would promise what isn't
// there, a content without its envelope is only in the way.
func TestImageIsKeptFirst(t *testing.T) {
	b := commandstest.NewBench(t)
	images, blobs := newImages(b)
	blobs.fail = &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskFailed, Message: "the disk is unwell"}
	_, _, err := images.Upload(t.Context(), commandstest.Ada, pngOf(t, 1, 1))
	commandstest.Refused(t, err, domain.Dependency, domain.CodeDiskFailed)
	b.Count(domain.TopicAll, 0)

	blobs.fail = nil
	kept := -1
	b.Door.Set(func(domain.Batch) error { kept = len(blobs.held); return errors.New("no") }, nil)
	if _, _, err := images.Upload(t.Context(), commandstest.Ada, pngOf(t, 1, 1)); err == nil || kept != 1 {
		t.Errorf("at the append %d contents were kept; the error is %v", kept, err)
	}
}

func TestImageThatIsNotThere(t *testing.T) {
	b := commandstest.NewBench(t)
	images, blobs := newImages(b)
	id, _, err := images.Upload(t.Context(), commandstest.Ada, pngOf(t, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	signal, err := b.Signals(0).Submit(t.Context(), commandstest.Ada, commandstest.Weather())
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []domain.ID{b.IDs.NewID(), signal} {
		_, _, err := images.Open(t.Context(), other)
		commandstest.Refused(t, err, domain.NotFound, message.CodeNoImage)
		_, err = images.Find(t.Context(), other)
		commandstest.Refused(t, err, domain.NotFound, message.CodeNoImage)
	}

	held := maps.Clone(blobs.held)
	clear(blobs.held)
	_, _, err = images.Open(t.Context(), id)
	commandstest.Refused(t, err, domain.NotFound, message.CodeImageGone)
	blobs.held = held
	blobs.fail = &domain.Error{Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "it is damaged"}
	_, _, err = images.Open(t.Context(), id)
	commandstest.Refused(t, err, domain.Dependency, domain.CodeCorrupt)

	erased := b.Records(domain.TopicMessages)[0].Envelope
	erased.ID = b.IDs.NewID()
	erased.Trace.ID = erased.ID
	erased.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if _, err := b.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{{Topic: domain.TopicMessages, Envelope: erased}}}); err != nil {
		t.Fatal(err)
	}
	_, _, err = images.Open(t.Context(), erased.ID)
	commandstest.Refused(t, err, domain.NotFound, domain.CodeErased)
}

func TestImagesConfig(t *testing.T) {
	b := commandstest.NewBench(t)
	good := message.ImagesConfig{Env: b.Env(), Blobs: &shelf{}}
	for name, change := range map[string]func(*message.ImagesConfig){
		"Log": func(c *message.ImagesConfig) { c.Log = nil }, "Reader": func(c *message.ImagesConfig) { c.Reader = nil },
		"Blobs": func(c *message.ImagesConfig) { c.Blobs = nil }, "Clock": func(c *message.ImagesConfig) { c.Clock = nil },
		"IDs": func(c *message.ImagesConfig) { c.IDs = nil },
	} {
		cfg := good
		change(&cfg)
		if _, err := message.NewImages(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// FuzzUpload holds whatever is uploaded to being an image that comes back whole,
// or being refused.
func FuzzUpload(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte("\xff\xd8\xff\xe0"))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00"))
	f.Add(webpHeader(3, 2))
	f.Add([]byte("RIFF\x1e\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x01\x00\x00"))
	f.Add([]byte("<svg/>"))
	f.Fuzz(func(t *testing.T, content []byte) {
		b := commandstest.NewBench(t)
		images, _ := newImages(b)
		id, img, err := images.Upload(t.Context(), commandstest.Ada, content)
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("the error is %v", err)
			}
			return
		}
		got, again, err := images.Open(t.Context(), id)
		if err != nil || !bytes.Equal(got, content) || again != img || img.Check() != nil {
			t.Fatalf("%+v came back as %+v, %v", img, again, err)
		}
	})
}
