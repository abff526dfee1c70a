package api

import "chalie/domain"

// ImageTaken confirms an uploaded image.
type ImageTaken struct {
	ImageID UUID   `json:"image_id"`
	Status  string `json:"status" enum:"ready"`
}

// ImageStatus is the state of an uploaded image.
type ImageStatus struct {
	Status string  `json:"status" enum:"ready"`
	Result *string `json:"result" doc:"Always null: nothing is found out about an image beforehand."`
}

// Card is a tool's answer as sanitised HTML.
type Card struct {
	HTML string `json:"html"`
	CSS  string `json:"css"`
}

// ImageTypes are the media types an image may have.
func ImageTypes() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

func imageRoutes() []Route {
	// A multipart form adds a little to the image.
	const most = domain.MaxImageBytes + 64*kib
	return []Route{
		{Name: "uploadImage", Method: post, Path: "/chat/image", Who: Browsers, Summary: "Send an image, for messages to name",
			Detail: "As the field image of a form, or as the body with its own type. At most 10 MiB and 100 million pixels; what it is, is read from its content.",
			Body:   Body{Most: most, Media: append([]string{"multipart/form-data"}, ImageTypes()...)}, Answers: withStatus(201, ImageTaken{}), Refuses: []int{410, 415}},
		{Name: "image", Method: get, Path: "/chat/image/{id}", Who: Loaders, Summary: "The image itself",
			Detail: "404 says that there never was such an image, 410 that it was erased or its file is lost.", ID: "The image's.",
			Answers: []Answer{{Status: 200, Media: ImageTypes(), ETag: true}, {Status: 206, Media: ImageTypes(), ETag: true}, {Status: 304, ETag: true}}, Refuses: []int{410, 416}},
		{Name: "imageStatus", Method: get, Path: "/chat/image/{id}/status", Who: Browsers, Summary: "Whether an image can be used", ID: "The image's.",
			Answers: ok(ImageStatus{}), Refuses: []int{410}},
		{Name: "card", Method: get, Path: "/api/cards/{seq}", Who: Loaders, Summary: "The card of a frame, cleaned", ID: "The frame's seq.", Answers: ok(Card{})},
	}
}
