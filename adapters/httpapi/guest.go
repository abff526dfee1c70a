package httpapi

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/domain/guest"
)

// guestPolicy is the Content-Security-Policy of an interface's HTML page: it runs
// nothing, loads nothing and belongs to no origin. No sandbox keeps a link from being
// opened in another tab, with the middle button of a mouse, and a script makes links as
// it likes; so a page's scripts are left out, and what links remain lead away from this
// machine.
const guestPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

// frame shows an interface's HTML page within a document of Chalie's that names the
// interface.
func (x *exchange) frame(i domain.Interface, page []byte) {
	h := x.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", guestPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Del("X-Frame-Options") // frame-ancestors says who may frame it
	x.begun = true
	x.w.WriteHeader(http.StatusOK)
	inside := "<p>There is nothing in it that can be shown here.</p>"
	if x.api.cfg.Cards != nil {
		var card domain.Card
		card.HTML, _, _ = x.api.cfg.Cards.Clean(strings.ToValidUTF8(string(page), "\uFFFD"), "")
		if card = x.rule().Card(card); card.HTML != "" {
			inside = card.HTML
		}
	}
	from := html.EscapeString(guest.From(i))
	_, _ = io.WriteString(x.w, frameBegin+from+"</title><script>window.CHALIE_GW_BASE=\""+gatewayPath(i.ID)+"\";</script>"+frameStyle+from+frameSays+inside+frameEnd)
}

// The document around a page. The script is for clients that show the page by their own
// means and look for the gateway there; in this document it doesn't run.
const (
	frameBegin = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>`
	frameStyle = `
<style>body { margin: 0; min-height: 100vh; box-sizing: border-box; border: 3px solid #8c5a12; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere } body > p { margin: 0; padding: .4rem .75rem; background: #8c5a12; color: #fff } body > div { padding: .75rem }</style></head>
<body><p dir="auto"><strong>`
	frameSays = `</strong>: what its page says, without its scripts and fields.</p><div>`
	frameEnd  = `</div></body></html>
`
)

// pass answers with an interface's answer.
func (x *exchange) pass(body []byte) {
	x.w.Header().Set("Content-Security-Policy", "sandbox")
	x.write(http.StatusOK, body)
}

// guarded is an answer without links that a browser may not follow; unchanged when it has
// none.
func (x *exchange) guarded(body []byte) []byte {
	members := objectOf(body)
	if members == nil {
		return body
	}
	before := encoded(members)
	said := guest.Said{Text: textIn(members, "text"), Open: textIn(members, "openUrl"), Blocks: blocksOf(members["blocks"])}
	said = x.rule().PageAnswer(said)
	if members["blocks"] != nil || len(said.Blocks) > 0 {
		members["blocks"] = listed(said.Blocks)
	}
	if said.Text != nil {
		members["text"] = *said.Text
	}
	if members["openUrl"] != nil {
		delete(members, "openUrl")
	}
	if said.Open != nil {
		members["openUrl"] = *said.Open
	}
	x.clean(members)
	after := encoded(members)
	if before == nil || after == nil || bytes.Equal(before, after) {
		return body
	}
	return after
}

func textIn(members map[string]any, name string) *string {
	if text, ok := members[name].(string); ok {
		return &text
	}
	return nil
}

// clean sanitises the HTML in an answer as that of cards.
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

// sentBody is the body of a call with the field names that the interface knows.
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

// card is GET /api/cards/:seq: the card of the frame with that number, sanitised as it
// was stored, without links that a browser may not follow.
func (x *exchange) card() error {
	seq, err := strconv.ParseUint(x.params.ByName("seq"), 10, 63)
	if err != nil {
		return noCard()
	}
	records, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{Topic: domain.TopicAll}, domain.Seq(seq).Position(), 1)
	if err != nil {
		return err
	}
	if len(records) == 0 || records[0].Position != domain.Seq(seq).Position() {
		return noCard()
	}
	done, err := domain.Decode[domain.ToolCompleted](records[0].Envelope)
	if err != nil || done.Card == nil {
		return noCard()
	}
	card := x.rule().Card(*done.Card)
	return x.answer(http.StatusOK, api.Card{HTML: card.HTML, CSS: card.CSS})
}

func noCard() error {
	return &domain.Error{Op: "read card", Category: domain.NotFound, Code: "no_card",
		Message: "there is no such card: it may have been erased, or the number is not a card's"}
}
