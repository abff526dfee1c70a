package httpapi

import (
	"bytes"
	"net/http"
	"time"

	"chalie/adapters/api"
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

// imageUpload is how an image is sent.
var imageUpload = upload{
	op: "read image", field: "image", thing: "the image", none: "no image came", several: "the form has several images: send each with a request of its own",
	most: domain.MaxImageBytes, prefixes: []string{"image/"},
	how: "send a form (multipart/form-data) with the field image, or the image itself with its own type such as image/png",
}

// sentImage is the image a request brings.
func (x *exchange) sentImage() ([]byte, error) { return x.sent(imageUpload) }
