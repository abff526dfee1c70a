package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/julienschmidt/httprouter"
)

// router builds the two routers that serve the routes. One httprouter can't hold
// a fixed name beside a wildcard, /api/interfaces/pair beside
// /api/interfaces/:id/refresh: so fixed paths are looked up first, and what is
// none of them, by any method, goes on to the patterns.
func (a *API) router(routes []route, trusted bool) http.Handler {
	patterns := a.newRouter(a.refusing(noSuchRoute))
	fixed := a.newRouter(escaped(patterns))
	for _, route := range routes {
		r := fixed
		if strings.Contains(route.Path, "{") {
			r = patterns
		}
		path := strings.NewReplacer("{", ":", "}", "").Replace(route.Path)
		handle := a.handle(route, trusted)
		r.Handle(route.Method, path, handle)
		// Asking for the header of a socket means nothing.
		if route.Method == http.MethodGet && route.Path != "/ws" {
			r.Handle(http.MethodHead, path, handle)
		}
	}
	return fixed
}

func (a *API) newRouter(otherwise http.Handler) *httprouter.Router {
	r := httprouter.New()
	// A redirect would turn a POST into a GET; a wrong path is a 404.
	r.RedirectTrailingSlash, r.RedirectFixedPath = false, false
	r.NotFound = otherwise
	r.MethodNotAllowed = a.refusing(wrongMethod)
	r.PanicHandler = a.recovered
	return r
}

// escaped lets a wildcard take a slash that came escaped, %2F: names are chosen by
// interfaces. The path is then matched as it came, and handle reads the names in
// it with unescaped.
func escaped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawPath != "" {
			asSent := *r.URL
			asSent.Path = r.URL.RawPath
			r = r.Clone(r.Context())
			r.URL = &asSent
		}
		next.ServeHTTP(w, r)
	})
}

// unescaped undoes what escaped left as it came.
func unescaped(r *http.Request, params httprouter.Params) httprouter.Params {
	if r.URL.RawPath == "" {
		return params
	}
	for i := range params {
		if plain, err := url.PathUnescape(params[i].Value); err == nil {
			params[i].Value = plain
		}
	}
	return params
}
