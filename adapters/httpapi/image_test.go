package httpapi_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"

	"chalie/domain"
)

func drawing() image.Image {
	img := image.NewPaletted(image.Rect(0, 0, 7, 5), color.Palette{color.Black, color.White})
	img.SetColorIndex(3, 2, 1)
	return img
}

// pictures is an image of each type that is taken.
func pictures(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for mediaType, encode := range map[string]func(io.Writer) error{
		"image/png":  func(w io.Writer) error { return png.Encode(w, drawing()) },
		"image/jpeg": func(w io.Writer) error { return jpeg.Encode(w, drawing(), nil) },
		"image/gif":  func(w io.Writer) error { return gif.Encode(w, drawing(), nil) },
	} {
		var text bytes.Buffer
		if err := encode(&text); err != nil {
			t.Fatal(err)
		}
		out[mediaType] = text.String()
	}
	// The header of a lossless WebP image, after RFC 9649: nothing writes them here.
	chunk := binary.LittleEndian.AppendUint32([]byte("VP8L\x05\x00\x00\x00\x2f"), (7-1)|(5-1)<<14)
	out["image/webp"] = string(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(5+len(chunk)))) + "WEBP" + string(chunk) + "\x00"
	return out
}

// part is a field of a form; without a filename it is a value.
type part struct{ field, filename, mediaType, content string }

// form writes a multipart form and its content type.
func form(t testing.TB, parts ...part) (body, contentType string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, p := range parts {
		disposition := fmt.Sprintf("form-data; name=%q", p.field)
		if p.filename != "" {
			disposition += fmt.Sprintf("; filename=%q", p.filename)
		}
		h := textproto.MIMEHeader{"Content-Disposition": {disposition}}
		if p.mediaType != "" {
			h.Set("Content-Type", p.mediaType)
		}
		to, err := w.CreatePart(h)
		if err == nil {
			_, err = io.WriteString(to, p.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), w.FormDataContentType()
}

// uploaded sends an image as a chat does and returns its id.
func (b *bench) uploaded(content string) string {
	b.t.Helper()
	body, contentType := form(b.t, part{"image", "photo.png", "image/png", content})
	var out struct {
		ImageID string `json:"image_id"`
	}
	b.socket("POST", "/chat/image", body, header("Content-Type", contentType)).wants(201).read(&out)
	return out.ImageID
}

func TestImages(t *testing.T) {
	for mediaType, content := range pictures(t) {
		body, contentType := form(t, part{"image", "photo.bin", "application/octet-stream", content})
		lying, lyingType := form(t, part{"image", "page.html", "text/html", content})
		value, valueType := form(t, part{"note", "", "", "mine"}, part{"image", "", "", content})
		for name, sent := range map[string]struct{ body, contentType string }{
			"in a form":                    {body, contentType},
			"in a form, with a lying type": {lying, lyingType},
			"in a form, without filename":  {value, valueType},
			"bare":                         {content, mediaType},
			"bare, with parameters":        {content, mediaType + "; charset=binary"},
			"bare, with a lying type":      {content, "image/svg+xml"},
		} {
			t.Run(mediaType+" "+name, func(t *testing.T) {
				b := newBench(t, settings{})
				session := b.settled()
				var out struct {
					ImageID string `json:"image_id"`
					Status  string
				}
				b.call("POST", "/chat/image", sent.body, header("Content-Type", sent.contentType), cookie(session)).wants(201).read(&out)
				id, err := domain.ParseID(out.ImageID)
				if err != nil || out.ImageID != id.UUID() || out.Status != "ready" {
					t.Errorf("answered %+v, %v", out, err)
				}
				got := b.call("GET", "/chat/image/"+out.ImageID, "", cookie(session)).wants(200)
				if got.body != content {
					t.Errorf("it comes back as %q", got.body)
				}
				for name, want := range map[string]string{
					"Content-Type": mediaType, "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
					"Cache-Control": "private, no-cache", "ETag": `"` + id.String() + `"`, "X-Frame-Options": "DENY",
				} {
					if got.header.Get(name) != want {
						t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
					}
				}
				b.call("GET", "/chat/image/"+out.ImageID, "", cookie(session), header("If-None-Match", got.header.Get("ETag"))).wants(304)
				b.call("GET", "/chat/image/"+id.String()+"/status", "", cookie(session)).wants(200, `{"status":"ready","result":null}`)
				e := b.records(domain.TopicMessages)[0].Envelope
				if e.ID != id || e.Trace.ID != id || e.Principal != domain.PrincipalOperator {
					t.Errorf("the envelope is %+v", e)
				}
			})
		}
	}
}

func TestBadImages(t *testing.T) {
	const boundary = "multipart/form-data; boundary=b"
	whole := pictures(t)["image/png"]
	two, twoType := form(t, part{"image", "a.png", "", whole}, part{"image", "b.png", "", whole})
	wrong, wrongType := form(t, part{"picture", "a.png", "image/png", whole})
	empty, emptyType := form(t, part{"image", "a.png", "image/png", ""})
	none, noneType := form(t)
	cut, cutType := form(t, part{"image", "a.png", "image/png", whole})
	svg, svgType := form(t, part{"image", "a.png", "image/png", `<svg xmlns="http://www.w3.org/2000/svg"/>`})
	broken, brokenType := form(t, part{"image", "a.png", "image/png", whole[:20]})
	for _, c := range []struct {
		name, contentType, body string
		status                  int
		says                    string
	}{
		{"nothing at all", "", "", 400, "no image came"},
		{"no content type", "", whole, 400, "Content-Type"},
		{"a content type that is none", "image", whole, 415, "can't be sent as image"},
		{"a broken content type", "image/png; =", whole, 400, "Content-Type"},
		{"JSON", "application/json", `{"image":"…"}`, 415, "application/json"},
		{"a plain form", "application/x-www-form-urlencoded", "image=x", 415, "multipart/form-data"},
		{"bytes of unknown type", "application/octet-stream", whole, 415, "multipart/form-data"},
		{"no boundary", "multipart/form-data", cut, 400, "boundary"},
		{"an empty boundary", "multipart/form-data; boundary=\"\"", cut, 400, "boundary"},
		{"another boundary", boundary, cut, 400, "no field image"},
		{"no form where one was promised", boundary, "", 400, "no field image"},
		{"an empty form", noneType, none, 400, "no field image"},
		{"two images", twoType, two, 400, "several images"},
		{"the wrong field", wrongType, wrong, 400, "no field image"},
		{"an empty image in a form", emptyType, empty, 400, "empty"},
		{"an empty body", "image/png", "", 400, "empty"},
		{"a form cut off in the image", cutType, cut[:len(cut)-80], 400, "ended early"},
		{"a form cut off in its boundary", cutType, cut[:30], 400, "ended before it"},
		{"a form cut off in its header", cutType, cut[:90], 400, "ended before it"},
		{"a form with a broken header", boundary, "--b\r\nContent-Disposition form-data\r\n\r\nx\r\n--b--\r\n", 400, "could not be read"},
		{"a part without a name", boundary, "--b\r\n\r\n" + whole + "\r\n--b--\r\n", 400, "no field image"},
		{"an SVG as one", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`, 415, "PNG"},
		{"an SVG as a PNG", svgType, svg, 415, "PNG"},
		{"a page as a PNG", "image/png", "<!doctype html><script>alert(1)</script>", 415, "PNG"},
		{"a broken PNG", brokenType, broken, 400, "broken"},
		{"a broken PNG, bare", "image/png", whole[:20], 400, "broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			var opts []with
			if c.contentType != "" {
				opts = append(opts, header("Content-Type", c.contentType))
			}
			b.socket("POST", "/chat/image", c.body, opts...).wants(c.status, c.says)
			b.holds(domain.TopicAll, 0)
		})
	}
}

// padded is a picture of so many bytes: what follows a PNG's end is passed over.
func padded(t testing.TB, bytes int) string {
	text := pictures(t)["image/png"]
	return text + strings.Repeat("\x00", bytes-len(text))
}

func TestImageBound(t *testing.T) {
	b := newBench(t, settings{})
	for _, c := range []struct {
		name   string
		bytes  int
		status int
	}{
		{"at the bound", domain.MaxImageBytes, 201},
		{"one byte over", domain.MaxImageBytes + 1, 413},
		{"far over", domain.MaxImageBytes + 1<<20, 413},
	} {
		content := padded(t, c.bytes)
		body, contentType := form(t, part{"image", "a.png", "image/png", content})
		for how, sent := range map[string]struct{ body, contentType string }{"in a form": {body, contentType}, "bare": {content, "image/png"}} {
			for framing, length := range map[string]int64{"announced": int64(len(sent.body)), "chunked": -1} {
				t.Run(c.name+" "+how+" "+framing, func(t *testing.T) {
					b := *b
					b.t = t
					a := b.socket("POST", "/chat/image", sent.body, header("Content-Type", sent.contentType), func(r *http.Request) { r.ContentLength = length })
					if a.wants(c.status); c.status == 413 && !strings.Contains(a.body, fmt.Sprint(domain.MaxImageBytes)) {
						t.Errorf("the limit isn't named: %s", a.body)
					}
				})
			}
		}
	}
	b.holds(domain.TopicMessages, 4)
}

// TestImageThatNeverEnds is read up to the bound, whatever the form holds.
func TestImageThatNeverEnds(t *testing.T) {
	const most = domain.MaxImageBytes + 64<<10 + 1
	const start = "--b\r\nContent-Disposition: form-data; name=%q; filename=\"a\"\r\n\r\n"
	for name, c := range map[string]struct {
		contentType, start string
		status             int
	}{
		"bare":                {"image/png", "", 413},
		"in a form":           {"multipart/form-data; boundary=b", fmt.Sprintf(start, "image"), 413},
		"in another field":    {"multipart/form-data; boundary=b", fmt.Sprintf(start, "other"), 413},
		"before the form":     {"multipart/form-data; boundary=b", "", 400},
		"in a part's headers": {"multipart/form-data; boundary=b", "--b\r\nX: ", 400},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, settings{})
			endless := &counted{rest: 1 << 40}
			r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/chat/image", io.MultiReader(strings.NewReader(c.start), endless))
			r.Header.Set("Content-Type", c.contentType)
			w := httptest.NewRecorder()
			b.api.TrustedHandler().ServeHTTP(w, r)
			told{t, w.Code, w.Header(), w.Body.String()}.wants(c.status)
			if endless.read > most {
				t.Errorf("%d bytes were read, %d are allowed", endless.read, most)
			}
			b.holds(domain.TopicAll, 0)
		})
	}
}

func TestImagesAreTheOperators(t *testing.T) {
	b := newBench(t, settings{})
	session, token := b.settled(), b.token("station", "[]")
	id := b.uploaded(pictures(t)["image/png"])
	before := len(b.records(domain.TopicMessages))
	for _, route := range []string{"POST /chat/image", "GET /chat/image/" + id, "GET /chat/image/" + id + "/status"} {
		method, path, _ := strings.Cut(route, " ")
		body, contentType := form(t, part{"image", "a.png", "image/png", pictures(t)["image/png"]})
		sent := header("Content-Type", contentType)
		b.call(method, path, body, sent).wants(401)
		b.call(method, path, body, sent, bearer(token)).wants(403)
		if method == "POST" {
			b.call(method, path, body, sent, cookie(session), header("Origin", "http://evil.example")).wants(403)
		}
		b.call("DELETE", path, "", cookie(session)).wants(405)
	}
	b.holds(domain.TopicMessages, before)
}

func TestImageThatIsNotThere(t *testing.T) {
	b := newBench(t, settings{})
	id := b.uploaded(pictures(t)["image/png"])
	var signal struct {
		ID string `json:"signal_id"`
	}
	b.socket("POST", "/api/signals", rain).wants(202).read(&signal)
	b.socket("GET", "/chat/image/x", "").wants(400, "UUID")
	for _, other := range []string{b.ids.NewID().UUID(), signal.ID} {
		b.socket("GET", "/chat/image/"+other, "").wants(404, other, "POST /chat/image")
		b.socket("GET", "/chat/image/"+other+"/status", "").wants(404, other)
	}
	b.blobs.fails(&domain.Error{Op: "read", Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "the file is damaged"})
	if a := b.socket("GET", "/chat/image/"+id, "").wants(503, "damaged"); a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("a failure may be cached: %v", a.header)
	}
	b.blobs.fails(nil)
	b.blobs.lose()
	b.socket("GET", "/chat/image/"+id, "").wants(410, id, "backup")

	erased := b.records(domain.TopicMessages)[0].Envelope
	erased.ID = b.ids.NewID()
	erased.Trace.ID, erased.Payload = erased.ID, domain.Payload{Encoding: domain.EncodingErased}
	b.append(domain.TopicMessages, erased)
	b.socket("GET", "/chat/image/"+erased.ID.UUID(), "").wants(410, "erased")
	b.socket("GET", "/chat/image/"+erased.ID.UUID()+"/status", "").wants(410, "erased")
}

// append puts envelopes into the log as they are.
func (b *bench) append(topic domain.Topic, envelopes ...domain.Envelope) {
	b.t.Helper()
	for _, e := range envelopes {
		_, err := b.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: topic, Envelope: e}}})
		b.must(err)
	}
}
