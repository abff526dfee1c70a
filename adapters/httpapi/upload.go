package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"

	"chalie/commands/message"
	"chalie/domain"
)

// upload is a file that comes in: as a field of a form, or as the body itself.
type upload struct {
	op, field string
	thing     string // the image
	none      string // no image came
	several   string
	most      int64
	prefixes  []string // of the media types that a body may have
	how       string   // to send it
}

const (
	// frameBytes is what a form may add to the file it holds.
	frameBytes = 64 << 10
	// uploadPatience is how long a file may take to come: ten megabytes over a
	// telephone take longer than the requests that a server's deadlines are made
	// for.
	uploadPatience = 3 * time.Minute
)

// sent is the file that a request brings. The declared type of a file is ignored.
func (x *exchange) sent(u upload) ([]byte, error) {
	bound := u.most + frameBytes
	if x.r.ContentLength > bound {
		x.w.Header().Set("Connection", "close")
		return nil, u.tooLarge()
	}
	declared := x.r.Header.Get("Content-Type")
	media, params, err := mime.ParseMediaType(declared)
	switch {
	case declared == "" || err != nil:
		return nil, u.missing("say in Content-Type what comes")
	case media == "multipart/form-data" && params["boundary"] == "":
		return nil, u.missing("the Content-Type names no boundary of the form")
	case media != "multipart/form-data" && !slices.ContainsFunc(u.prefixes, func(p string) bool { return strings.HasPrefix(media, p) }):
		return nil, &domain.Error{Op: u.op, Category: domain.Validation, Code: message.CodeUnsupportedMedia, Field: "Content-Type",
			Message: fmt.Sprintf("%s can't be sent as %s: %s", u.thing, clip(media), u.how)}
	}
	stream := http.NewResponseController(x.w)
	until := time.Now().Add(uploadPatience)
	// Without a connection, as in tests, there is no deadline to set.
	_ = stream.SetReadDeadline(until)
	_ = stream.SetWriteDeadline(until.Add(uploadPatience))
	body := x.arriving(bound)
	if media == "multipart/form-data" {
		return u.ofForm(multipart.NewReader(body, params["boundary"]))
	}
	return u.read(body)
}

// ofForm is the one field of a form that is meant. Other fields are ignored.
func (u upload) ofForm(form *multipart.Reader) ([]byte, error) {
	var content []byte
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, u.bad(err)
		}
		if part.FormName() != u.field {
			continue
		}
		if found {
			return nil, domain.Invalid(u.op, u.field, u.several)
		}
		if content, err = u.read(part); err != nil {
			return nil, err
		}
		found = true
	}
	if !found {
		return nil, u.missing("the form has no field " + u.field + ", or ended before it")
	}
	return content, nil
}

func (u upload) read(from io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, u.most+1))
	switch {
	case err != nil:
		return nil, u.bad(err)
	case int64(len(content)) > u.most:
		return nil, u.tooLarge()
	}
	return content, nil
}

func (u upload) missing(why string) error {
	return domain.Invalid(u.op, u.field, u.none+", "+why+": "+u.how)
}

func (u upload) bad(err error) error {
	if domain.CodeOf(err) == codeNoRoom {
		return err
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return u.tooLarge()
	}
	return &domain.Error{Op: u.op, Category: domain.Validation, Code: "invalid", Field: u.field, Err: err,
		Message: "the form or " + u.field + " ended early or could not be read: send it again"}
}

func (u upload) tooLarge() error {
	return &domain.Error{Op: u.op, Category: domain.Validation, Code: domain.CodeTooLarge, Field: u.field,
		Message: fmt.Sprintf("%s is over %d bytes: send a smaller one", u.thing, u.most)}
}
