package web

import (
	"net/http"
)

// keyHeader is where a page's modules show the session's key. See assets/key.js.
const keyHeader = "Chalie-Key"

// sessionCookie is sent with every request, to every server of this host.
const sessionCookie = "chalie_session"

// opensByKey reports whether the browser asks with the session's cookie alone, as it does
// when somebody follows a link: a page can't be shown to that, but what opens it can.
func (v *visit) opensByKey() bool {
	if v.r.Header.Get(keyHeader) != "" || v.r.Header.Get("Authorization") != "" {
		return false
	}
	_, err := v.r.Cookie(sessionCookie)
	return err == nil && v.ask("/auth/session", nil, &struct{}{}) == nil
}

// opening is the same for every page, and tells nothing: its module asks for the page
// with the key that this origin alone has, and puts it in its place.
func (v *visit) opening() error {
	return v.show(http.StatusOK, "opening", frame{Title: "Opening", Bare: true, Opening: true, Scripts: []string{"opening.js"}})
}
