package httpapi

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"

	"chalie/domain"
	"chalie/domain/guest"
)

// guestPolicy is that of the document a page of HTML stands in, which hands it down to
// the page. Its scripts run, but as nobody: the page has no origin, so it reaches
// neither Chalie's cookie nor its API. It can't lead its frame, its window or another
// one anywhere: wherever that was on this machine, the cookie would go along.
const guestPolicy = "sandbox allow-scripts allow-forms; frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

// frame shows a page of HTML within a document of Chalie's that says whose it is.
func (x *exchange) frame(i domain.Interface, page []byte) {
	h := x.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", guestPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Del("X-Frame-Options") // frame-ancestors says who may frame it
	x.begun = true
	x.w.WriteHeader(http.StatusOK)
	from := html.EscapeString(guest.From(i))
	inside := attribute.Replace(strings.ToValidUTF8(string(withGateway(page, gatewayPath(i.ID))), "\uFFFD"))
	_, _ = x.w.Write([]byte(frameBegin + from + frameTitled + from + frameSays + from + frameHolds + inside + frameEnd))
}

// The document around a page: its title, the caption and the frame's title are whose
// it is. The frame is closed to what is around it wherever the document's text comes
// to, also without its header.
const (
	frameBegin = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'">
<title>`
	frameTitled = `</title>
<style>html, body { height: 100%; margin: 0 } body { display: flex; flex-direction: column; box-sizing: border-box; border: 3px solid #a86400; font: 1rem/1.4 system-ui, sans-serif }
p { margin: 0; padding: .4rem .75rem; background: #a86400; color: #fff; overflow-wrap: anywhere } iframe { flex: 1; width: 100%; border: 0; background: #fff }</style></head>
<body><p dir="auto"><strong>`
	frameSays  = `</strong>: this page is its own. Never type the password of Chalie here.</p><iframe sandbox="allow-scripts allow-forms" title="`
	frameHolds = `" srcdoc='`
	frameEnd   = `'></iframe></body></html>
`
)

// attribute writes a text as the value of an attribute between single quotes.
var attribute = strings.NewReplacer("&", "&amp;", "'", "&#39;")

// pageStart is what may stand before the first script of a page.
var pageStart = regexp.MustCompile(`(?i)^\s*(<!doctype[^>]*>)?\s*(<html(\s[^>]*)?>)?\s*(<head(\s[^>]*)?>)?`)

// withGateway tells a page where its interface's gateway is, before any script of
// the page runs.
func withGateway(page []byte, path string) []byte {
	at := len(pageStart.Find(page))
	script := "<script>window.CHALIE_GW_BASE=\"" + path + "\";</script>"
	out := make([]byte, 0, len(page)+len(script))
	out = append(out, page[:at]...)
	out = append(out, script...)
	return append(out, page[at:]...)
}

// pass hands on what an interface answered its page with.
func (x *exchange) pass(body []byte) {
	x.w.Header().Set("Content-Security-Policy", "sandbox")
	x.write(http.StatusOK, body)
}

// guarded is an answer as a person's client may draw it: as it came, when nothing in
// it leads where it mustn't.
func (x *exchange) guarded(body []byte) []byte {
	members := objectOf(body)
	if members == nil {
		return body
	}
	before := encoded(members)
	var text, open *string
	if said, ok := members["text"].(string); ok {
		text = &said
	}
	switch to := members["openUrl"].(type) {
	case string:
		open = &to
	case nil:
	default:
		delete(members, "openUrl")
	}
	given, has := members["blocks"]
	blocks, open := x.rule().PageAnswer(text, blocksOf(given), open)
	if has && given != nil || len(blocks) > 0 {
		members["blocks"] = listed(blocks)
	}
	if _, has := members["openUrl"]; has {
		if delete(members, "openUrl"); open != nil {
			members["openUrl"] = *open
		}
	}
	x.clean(members)
	after := encoded(members)
	if before == nil || after == nil || bytes.Equal(before, after) {
		return body
	}
	return after
}

// clean makes a piece of HTML in an answer what a card may be.
func (x *exchange) clean(members map[string]any) {
	page, isText := members["html"].(string)
	if _, has := members["html"]; !has || page == "" && isText {
		return
	}
	style, _ := members["css"].(string)
	delete(members, "html")
	delete(members, "css")
	if x.api.cfg.Cards == nil || !isText {
		return
	}
	var card domain.Card
	card.HTML, card.CSS, card.ScopeID = x.api.cfg.Cards.Clean(page, style)
	if card = x.rule().Card(card); card.HTML != "" {
		members["html"], members["css"] = card.HTML, card.CSS
	}
}

// sentBody is the body of a call as the interface gets it: with the names of fields
// that it knows.
func sentBody(body []byte, params json.RawMessage) []byte {
	sent, renamed := guest.Typed(params)
	members := objectOf(body)
	if !renamed || members == nil {
		return bytes.Clone(body)
	}
	members["params"] = sent
	return encoded(members)
}

// objectOf reads a JSON object, with numbers as they were written; nil for anything
// else.
func objectOf(body []byte) (members map[string]any) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&members) != nil {
		return nil
	}
	return members
}

// blocksOf are those elements of a list that may be blocks.
func blocksOf(list any) []domain.Block {
	elements, _ := list.([]any)
	out := make([]domain.Block, 0, len(elements))
	for _, e := range elements {
		if b, ok := e.(map[string]any); ok {
			out = append(out, b)
		}
	}
	return out
}

// encoded is an object as JSON; nil when it can't be written.
func encoded(members map[string]any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(members) != nil {
		return nil
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
