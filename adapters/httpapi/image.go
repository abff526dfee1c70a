package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/commands/message"
	"chalie/domain"
)

func imageHandlers() handlers {
	return handlers{"uploadImage": (*exchange).uploadImage, "image": (*exchange).image, "imageStatus": (*exchange).imageStatus, "card": (*exchange).card}
}

// uploadImage is POST /chat/image.
func (x *exchange) uploadImage() error {
	images := x.api.cfg.Images
	if images == nil {
		return notRunning("take images")
	}
	content, err := x.sentImage()
	if err != nil {
		return err
	}
	id, _, err := images.Upload(x.r.Context(), x.caller, content)
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, api.ImageTaken{ImageID: api.UUID{ID: id}, Status: "ready"})
}

// image is GET /chat/image/:id, the image itself. Its origin is unknown, so it is served
// with the type that was detected, and with a policy that lets it do nothing.
func (x *exchange) image() error {
	id, err := x.imageID()
	if err != nil {
		return err
	}
	content, img, err := x.api.cfg.Images.Open(x.r.Context(), id)
	if err != nil {
		return err
	}
	h := x.w.Header()
	h.Set("Content-Type", img.MediaType)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	// An id's content never changes but may be erased: a browser revalidates its copy
	// each time.
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+id.String()+`"`)
	x.begun = true
	http.ServeContent(x.w, x.r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

// imageStatus is GET /chat/image/:id/status. An image is ready as soon as it is uploaded.
func (x *exchange) imageStatus() error {
	id, err := x.imageID()
	if err != nil {
		return err
	}
	if _, err := x.api.cfg.Images.Find(x.r.Context(), id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.ImageStatus{Status: "ready"})
}

func (x *exchange) imageID() (domain.ID, error) {
	if x.api.cfg.Images == nil {
		return domain.ID{}, notRunning("show images")
	}
	return parseID("id", x.params.ByName("id"))
}

const (
	// imageFrameBytes is what a form may add to the image it holds.
	imageFrameBytes = 64 << 10
	// imagePatience is how long an image may take to come: ten megabytes over a
	// telephone take longer than the requests that a server's deadlines are made
	// for.
	imagePatience = 3 * time.Minute
)

// sentImage is the image a request brings: the body itself, or the field image of a form.
// The declared type is ignored.
func (x *exchange) sentImage() ([]byte, error) {
	const bound = domain.MaxImageBytes + imageFrameBytes
	if x.r.ContentLength > bound {
		x.w.Header().Set("Connection", "close")
		return nil, imageTooLarge()
	}
	media, params, err := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	switch {
	case x.r.Header.Get("Content-Type") == "" || err != nil:
		return nil, noImage("say in Content-Type what comes")
	case media == "multipart/form-data" && params["boundary"] == "":
		return nil, noImage("the Content-Type names no boundary of the form")
	case media != "multipart/form-data" && !strings.HasPrefix(media, "image/"):
		return nil, &domain.Error{Op: "read image", Category: domain.Validation, Code: message.CodeUnsupportedMedia, Field: "Content-Type",
			Message: fmt.Sprintf("an image can't be sent as %s: %s", clip(media), howToSend)}
	}
	stream := http.NewResponseController(x.w)
	until := time.Now().Add(imagePatience)
	// Without a connection, as in tests, there is no deadline to set.
	_ = stream.SetReadDeadline(until)
	_ = stream.SetWriteDeadline(until.Add(imagePatience))
	body := x.arriving(bound)
	if media == "multipart/form-data" {
		return imageOfForm(multipart.NewReader(body, params["boundary"]))
	}
	return readImage(body)
}

// imageOfForm is the one field image of a form. Other fields are ignored.
func imageOfForm(form *multipart.Reader) ([]byte, error) {
	var content []byte
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badUpload(err)
		}
		if part.FormName() != "image" {
			continue
		}
		if found {
			return nil, domain.Invalid("read image", "image", "the form has several images: send each with a request of its own")
		}
		if content, err = readImage(part); err != nil {
			return nil, err
		}
		found = true
	}
	if !found {
		return nil, noImage("the form has no field image, or ended before it")
	}
	return content, nil
}

func readImage(from io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, domain.MaxImageBytes+1))
	switch {
	case err != nil:
		return nil, badUpload(err)
	case len(content) > domain.MaxImageBytes:
		return nil, imageTooLarge()
	}
	return content, nil
}

const howToSend = "send a form (multipart/form-data) with the field image, or the image itself with its own type such as image/png"

func noImage(why string) error {
	return domain.Invalid("read image", "image", "no image came, "+why+": "+howToSend)
}

func badUpload(err error) error {
	if domain.CodeOf(err) == codeNoRoom {
		return err
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return imageTooLarge()
	}
	return &domain.Error{Op: "read image", Category: domain.Validation, Code: "invalid", Field: "image", Err: err,
		Message: "the form or image ended early or could not be read: send it again"}
}

func imageTooLarge() error {
	return &domain.Error{Op: "read image", Category: domain.Validation, Code: domain.CodeTooLarge, Field: "image",
		Message: fmt.Sprintf("the image is over %d bytes: send a smaller one", domain.MaxImageBytes)}
}
