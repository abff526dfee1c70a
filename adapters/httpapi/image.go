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

// image is GET /chat/image/:id, the image itself. It was sent by who knows whom,
// so it is served as what was found in it and as nothing else, and may do nothing.
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
	// An id's content never changes, but it may be erased: a browser that kept it
	// asks each time whether it still may show it.
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+id.String()+`"`)
	x.begun = true
	http.ServeContent(x.w, x.r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

// imageStatus is GET /chat/image/:id/status. An image is ready as soon as it is
// uploaded: nothing is found out about it beforehand.
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
