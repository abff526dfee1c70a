package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// keptDemo tells the demo's story into a folder, and returns the account of it.
func keptDemo(t *testing.T, folder string) (username, password string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "chalie", "demo", "--json", "--keep", folder).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var end struct {
		Detail struct {
			Username string `json:"username"`
			Password string `json:"password"`
		} `json:"detail"`
	}
	if err := json.Unmarshal(lines[len(lines)-1], &end); err != nil {
		t.Fatal(err)
	}
	return end.Detail.Username, end.Detail.Password
}

// logsIn is a person with an account coming to the pages.
func (r *reader) logsIn(address, username, password string) {
	r.t.Helper()
	r.does(chromedp.Navigate(address+"/login"), chromedp.SetValue(chromedp.CSS("#username"), username), chromedp.SetValue(chromedp.CSS("#password"), password))
	r.presses("main form button")
	r.sees("#line", "Connected")
}

// cookie is what the browser sends with every request.
func (r *reader) cookie() string {
	r.t.Helper()
	known, err := chromedp.Call(r.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		r.t.Fatal(err)
	}
	var all []string
	for _, c := range known.Cookies {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}

// brings is what a request of Chalie's own pages brings.
func (r *reader) brings() http.Header {
	r.t.Helper()
	key, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`localStorage.getItem("chalie-key") ?? ""`))
	if err != nil {
		r.t.Fatal(err)
	}
	return http.Header{"Cookie": {r.cookie()}, "Chalie-Key": {key}}
}

// follows a link, and returns where that leads. What isn't a page leads nowhere.
func (r *reader) follows(v *victim, headers http.Header, link string) (links []string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, v.address+link, http.NoBody)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header = headers.Clone()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close() // some never end
	if resp.StatusCode != http.StatusOK {
		r.t.Errorf("%s is answered %d", link, resp.StatusCode)
		return nil
	}
	// What stands in a frame without scripts can't be asked where it leads.
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), "sandbox") {
		return nil
	}
	r.does(chromedp.Navigate(v.address + link))
	r.settles()
	const leads = `[...new Set([...document.querySelectorAll("a[href], area[href], img[src], iframe[src], use[href], svg a")].map((e) => String(e.href?.baseVal ?? e.href ?? e.src)))]`
	all, err := chromedp.Run(r.ctx, chromedp.Evaluate[[]string](leads))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, link := range all {
		if on := onSite(link, v.address); on != "" {
			links = append(links, on)
		}
	}
	return links
}

var noName = regexp.MustCompile(`[^a-z0-9]+`)

// TestLinks goes wherever links lead from / on, after the demo. None leads to
// nothing, and every kind of page keeps what every page must and can be used by keys.
func TestLinks(t *testing.T) {
	r := newReader(t)
	data := filepath.Join(t.TempDir(), "demo")
	username, password := keptDemo(t, data)
	v := startVictim(t, data)
	v.ready()
	r.logsIn(v.address, username, password)
	r.opensMore()
	headers := r.brings()
	checked := map[string]bool{}
	been := crawl(1, func(link string) []string {
		links := r.follows(v, headers, link)
		if kind := pageOf(link); links != nil && !checked[kind] {
			checked[kind] = true
			r.walksByKeys(kind)
			r.checks("site" + strings.TrimSuffix(noName.ReplaceAllString(strings.ToLower(kind), "-"), "-"))
		}
		return links
	})
	for _, kind := range []string{"/chat", "/now", "/interfaces/:id", "/traces/:id", "/why/:id"} {
		if len(been[kind]) == 0 {
			t.Errorf("no link leads to %s", kind)
		}
	}
	t.Logf("%d kinds of pages and pieces, %d of them pages", len(been), len(checked))
	v.stop()
}
