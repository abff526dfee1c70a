package web

import (
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"chalie/domain"
)

// codeStarting is the API's refusal while it reads its log.
const codeStarting domain.Code = "starting"

// codeCrossOrigin is the refusal of a cross-origin form.
const codeCrossOrigin domain.Code = "cross_origin"

// codeKeyNeeded is the refusal of a session's cookie without its key.
const codeKeyNeeded domain.Code = "key_needed"

// errorPage is the page of an error: what happened, and what to do.
type errorPage struct {
	Status   int
	Title    string
	Says     string
	Do       string
	Exactly  string // the API's message
	Back     spot   // a link to continue
	Starting bool   // it reloads by itself
}

// fail shows an error. Without a session it redirects to the login, and back.
func (v *visit) fail(err error) {
	var refused *refusal
	if !errors.As(err, &refused) {
		v.site.cfg.Logger.Error("a page could not be shown", slog.String("path", v.r.URL.Path), slog.Any("error", err))
		refused = &refusal{status: http.StatusInternalServerError, code: "page", message: "The page could not be put together. Chalie's own log says why."}
	}
	if refused.status == http.StatusUnauthorized {
		again := ""
		if refused.code == codeKeyNeeded {
			again = "again&"
		}
		_ = v.goTo("/login?" + again + "next=" + template.URLQueryEscaper(v.r.URL.RequestURI()))
		return
	}
	page := errorPageOf(refused)
	page.Back = backFrom(v.r.URL.Path)
	page.Starting = refused.code == codeStarting && v.r.Method == http.MethodGet
	if err := v.show(refused.status, "trouble", frame{Title: page.Title, Scripts: []string{"trouble.js"}, Page: page}); err != nil {
		http.Error(v.w, refused.message, refused.status)
	}
}

// errorPageOf words a refusal for a person. A page's own refusals have such words
// already, and no code.
func errorPageOf(r *refusal) errorPage {
	out := errorPage{Status: r.status, Exactly: r.message}
	switch {
	case r.code == codeStarting:
		out.Title, out.Says, out.Do = "Chalie is starting", "It is still reading its log.", "This page opens by itself in a moment."
	case r.code == codeCrossOrigin:
		out.Title, out.Says, out.Do = "That came from another site", "A page that isn't Chalie's tried to do something here in your name. Nothing was done.", "If it was you, open Chalie and do it there."
	case r.status == http.StatusBadRequest:
		out.Title, out.Says, out.Do = "That link can't be read", "Something in the address is not as it should be.", "It may be cut off or mistyped: check it, or start from the list."
		if r.field != "" {
			out.Says = "In the address, " + strings.TrimPrefix(r.message, "the ") + "."
			out.Exactly = ""
		}
	case r.status == http.StatusForbidden:
		out.Title, out.Says, out.Do = "That isn't allowed", "You are known, but this may not be done from here.", "The exact answer below says what is missing."
	case r.status == http.StatusNotFound:
		out.Title, out.Says, out.Do = "That isn't here", "Chalie knows nothing by this name.", "It may have been removed or erased, or the link is cut off."
	case r.status == http.StatusGone:
		out.Title, out.Says, out.Do = "That is gone", "It was erased, and can't be brought back.", "What it led to is still in the log."
	case r.status == http.StatusRequestEntityTooLarge:
		out.Title, out.Says, out.Do = "That is too much at once", "What was sent is larger than Chalie takes.", "Send less at a time: an image has at most 10 MiB, anything else 1 MiB."
	case r.status == http.StatusTooManyRequests:
		out.Title, out.Says, out.Do = "That was too often", "Too much came within a minute.", "Wait "+inAWhile(r.retryAfter)+", then try again."
	case r.status == http.StatusBadGateway || r.status == http.StatusGatewayTimeout:
		out.Title, out.Says, out.Do = "An interface doesn't answer", "Chalie asked it, and it did not answer as it should.", "See under Interfaces how it stands, and try again."
	case r.code == domain.CodeCorrupt:
		says, do, _ := strings.Cut(r.message, "; ")
		out.Title, out.Says, out.Do, out.Exactly = "Something that is stored is damaged", sentence(says)+" What doesn't rest on it can still be looked at.", sentence(do), ""
	case r.status == http.StatusServiceUnavailable:
		out.Title, out.Says, out.Do = "Chalie can't answer now", "It is busy or stopping, or its disk is full or fails.", "Try again in a moment. If it stays so, the terminal in which Chalie runs says why."
	case r.status >= http.StatusInternalServerError:
		out.Title, out.Says, out.Do = "Something went wrong inside Chalie", "That is not your doing, and nothing that was said is lost.", "Try again. The terminal in which Chalie runs says what it was."
	default:
		out.Title, out.Says, out.Do = "That can't be done now", sentence(r.message), "Go back, and look at how things stand."
		out.Exactly = ""
	}
	if r.code == "" && r.status < http.StatusInternalServerError {
		out.Says, out.Exactly = r.message, ""
		if r.status == http.StatusNotFound {
			out.Title, out.Do = "There is no such page", ""
		}
	}
	return out
}

// backFrom is the list that a path belongs to, or the conversation.
func backFrom(path string) spot {
	for _, s := range append(places(), morePlaces()...) {
		if path == s.Path || strings.HasPrefix(path, s.Path+"/") {
			return s
		}
	}
	if strings.HasPrefix(path, "/why/") || strings.HasPrefix(path, "/why-not/") {
		return spot{"/traces", "Traces"}
	}
	return places()[0]
}

// sentence makes one of the API's words.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		return text
	}
	return text + "."
}
