package httpapi

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

//go:embed page.html setup.html home.html
var pageFiles embed.FS

func parsePages() (*template.Template, error) {
	return template.ParseFS(pageFiles, "*.html")
}

// pageView is what a page shows: the front page, the set-up form, or where
// setting up stands. What the page fills in itself stands last.
type pageView struct {
	Home     bool   // the front page
	Key      string // "" for no form
	Username string
	Error    string
	Done     bool // the account was just made
	Exists   bool // it was made before

	Nonce   string
	Title   string
	Command func(args string) string
}

// home is GET /, for whoever opens the address in a browser.
func (x *exchange) home() error {
	// A start without a set-up key found an account, though its fold may still
	// be on the way.
	exists := x.api.cfg.SetupKey == "" || x.api.cfg.Accounts.HasOperator()
	return x.page(http.StatusOK, pageView{Home: true, Exists: exists})
}

// page writes a page. It may load nothing, send its form nowhere else, and
// tells no other site where it was: the set-up link holds the key.
func (x *exchange) page(status int, view pageView) error {
	view.Nonce, view.Title, view.Command = commands.NewSecret(), "Set up Chalie", x.command(view)
	if view.Home {
		view.Title = "Chalie"
	}
	var out bytes.Buffer
	if err := x.api.pages.ExecuteTemplate(&out, "page", view); err != nil {
		return &domain.Error{Op: "show page", Code: "internal", Message: "the page could not be written", Err: err}
	}
	h := x.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'nonce-"+view.Nonce+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	x.begun = true
	x.w.WriteHeader(status)
	_, _ = x.w.Write(out.Bytes())
	return nil
}

// command is how the page names commands: as this program was started, for the
// person at this machine or with the set-up key. That tells where its data lies,
// so strangers see the bare program.
func (x *exchange) command(view pageView) func(args string) string {
	here := x.trusted || loopbackPeer(x.r.RemoteAddr) && loopbackHost(x.r.Host) && !forwarded(x.r.Header)
	if here || view.Key != "" || view.Done {
		return x.api.cfg.Command
	}
	return func(args string) string { return "chalie " + args }
}
