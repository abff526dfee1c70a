package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"

	"github.com/julienschmidt/httprouter"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets/*
var assetFiles embed.FS

// asset is a file that pages load.
type asset struct {
	text, kind, tag string
}

// assets are by name.
type assets map[string]asset

// kinds are the media types of what there is: the machine's own table may differ.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func readAssets() (assets, error) {
	out := assets{}
	entries, err := fs.ReadDir(assetFiles, "assets")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := assetFiles.ReadFile("assets/" + e.Name())
		if err != nil {
			return nil, err
		}
		out[e.Name()] = assetOf(e.Name(), text)
	}
	text, err := readSheet()
	if err != nil {
		return nil, err
	}
	out[sheet] = assetOf(sheet, text)
	return out, nil
}

func assetOf(name string, text []byte) asset {
	sum := sha256.Sum256(text)
	return asset{string(text), kinds[path.Ext(name)], `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
}

// asset is GET /assets/:name. A browser keeps it and asks whether it is still the
// same: modules name each other without a version.
func (s *Site) asset(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
	a, ok := s.assets[params.ByName("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", a.tag)
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	_, _ = w.Write([]byte(a.text))
}
