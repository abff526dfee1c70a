package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"

	"chalie/adapters/api"
)

// readTimeout bounds the time to receive a request.
const readTimeout = 30 * time.Second

// NewServer wraps a handler with the bounds a server should have. Cancelling
// ctx ends the requests under way, long polls first of all: do so when the
// server's Shutdown should not wait for them.
func NewServer(ctx context.Context, h http.Handler, log *slog.Logger) *http.Server {
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       readTimeout,
		WriteTimeout:      90 * time.Second, // longer than any poll
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	if log != nil {
		s.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	}
	return s
}

// router builds the two routers that serve the routes. One httprouter can't hold a fixed
// name beside a wildcard, such as /api/interfaces/pair beside
// /api/interfaces/:id/refresh: so fixed paths are looked up first, and all other paths,
// by any method, go on to the patterns.
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
		// A socket has no HEAD.
		if route.Method == http.MethodGet && !strings.HasPrefix(route.Path, "/ws") {
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
	r.PanicHandler = a.answerPanic
	return r
}

// escaped lets a wildcard match an escaped slash, %2F, because interfaces choose their
// tools' names. The path is matched in its escaped form, and handle decodes its
// parameters with unescaped.
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

// unescaped decodes the path's parameters.
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

func startupHandlers() handlers {
	return handlers{
		"visionCapable": (*exchange).visionCapable, "voiceHealth": (*exchange).voiceHealth,
		"tasks": (*exchange).tasks, "dropTask": (*exchange).dropTask, "scheduler": (*exchange).scheduler, "cancelReminder": (*exchange).cancelReminder,
	}
}

// visionCapable is GET /chat/vision-capable.
func (x *exchange) visionCapable() error {
	return x.answer(http.StatusOK, api.Available{Available: x.api.cfg.Vision})
}

// voiceHealth is GET /voice/health, by which a web chat shows its microphone and reads answers aloud, or
// leaves both off.
func (x *exchange) voiceHealth() error {
	if x.api.cfg.Voices == nil || !x.api.cfg.Voices.IsReady() {
		return x.answer(http.StatusOK, api.Voice{Status: "unavailable"})
	}
	return x.answer(http.StatusOK, api.Voice{Status: "ok"})
}
