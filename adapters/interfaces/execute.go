package interfaces

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// Execute implements commands.Peer. It makes one call at most.
func (c *Client) Execute(ctx context.Context, at commands.Endpoint, call commands.Call) (commands.Result, error) {
	q := question{
		op: "execute " + clip(call.Capability), method: http.MethodPost, path: "/execute", at: at, accept: mediaJSON,
		key: call.Key, within: c.cfg.ExecuteTimeout, most: c.cfg.MaxResultBytes,
	}
	var err error
	if q.body, err = executeBody(call); err != nil {
		return commands.Result{}, &domain.Error{Op: q.op, Category: domain.Validation, Code: "invalid", Field: "params", Message: "params is not JSON: nothing was sent", Err: err}
	}
	a, err := c.ask(ctx, q)
	if err != nil {
		return commands.Result{}, err
	}
	text, err := q.text(a)
	if err != nil {
		return commands.Result{}, err
	}
	if domain.Nesting(text) > domain.MaxNesting {
		return c.deep(ctx, q, text)
	}
	if text, err = q.json(a); err != nil {
		return commands.Result{}, err
	}
	return c.result(ctx, q, text)
}

// result reads what a tool answered, if there is room for it.
func (c *Client) result(ctx context.Context, q question, text []byte) (commands.Result, error) {
	// Its data stays text; of blocks there is more in memory than there was on the wire.
	if blocks, err := object("", text); err == nil {
		if err := c.decodable(ctx, q, blocks.members["blocks"]); err != nil {
			return commands.Result{}, err
		}
	}
	result, err := readResult(text)
	if err != nil {
		return commands.Result{}, q.badShape(err)
	}
	return result, nil
}

// readable is how deep JSON nests at most that encoding/json reads.
const readable = 10_000

// deep is an answer that nests deeper than what Chalie shows: the tool has run. What is
// deep of it, or all of it when that is more than its data, is the result's data, which
// is then kept as a text.
func (c *Client) deep(ctx context.Context, q question, text []byte) (commands.Result, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return commands.Result{}, q.badShape(&shapeError{want: "an object", got: kindOf(text)})
	}
	if domain.Nesting(text) > readable {
		return commands.Result{Data: bytes.Clone(text)}, nil
	}
	if err := q.valid(text); err != nil {
		return commands.Result{}, err
	}
	f, err := object("", text)
	if err != nil {
		return commands.Result{}, q.badShape(err)
	}
	data := f.members["data"]
	if delete(f.members, "data"); domain.Nesting(f.members["blocks"]) > domain.MaxNesting {
		data = text
		delete(f.members, "blocks")
	}
	shallow, err := json.Marshal(f.members)
	if err != nil {
		return commands.Result{}, q.badShape(err)
	}
	result, err := c.result(ctx, q, shallow)
	result.Data = compact(data)
	return result, err
}

func executeBody(call commands.Call) ([]byte, error) {
	params := call.Params
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Capability string          `json:"capability"`
		Params     json.RawMessage `json:"params"`
	}{call.Capability, params})
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// readResult reads what a tool answered. Text that is JSON stays text.
func readResult(text []byte) (r commands.Result, err error) {
	f, err := object("", text)
	if err != nil {
		return r, err
	}
	if r.Text, err = f.text("text"); err != nil {
		return r, err
	}
	if r.Error, err = f.text("error"); err != nil {
		return r, err
	}
	if r.Error != nil && *r.Error == "" {
		r.Error = nil // no error, in the words of those who always fill the member
	}
	// An object is asked for. What isn't one is kept all the same: the tool has run, and
	// a call that is recorded as failed may be made once more.
	if f.has("data") {
		r.Data = compact(f.members["data"])
	}
	if r.Blocks, err = readBlocks(f); err != nil {
		return r, err
	}
	if r.OpenURL, err = readOpenURL(f); err != nil {
		return r, err
	}
	r.Card, err = readCard(f)
	return r, err
}

// readCard reads a result as a piece of a page; nil when there is none. A colour
// that is none is left out.
func readCard(f fields) (*domain.Card, error) {
	html, err := f.text("html")
	if err != nil || html == nil || *html == "" {
		return nil, err
	}
	card := domain.Card{HTML: *html}
	css, err := f.text("css")
	if err != nil {
		return nil, err
	}
	if css != nil {
		card.CSS = *css
	}
	if card.Title, err = f.text("title"); err != nil {
		return nil, err
	}
	if card.AccentColor, err = f.text("accent_color"); err == nil && card.AccentColor != nil && !domain.IsColor(*card.AccentColor) {
		card.AccentColor = nil
	}
	return &card, err
}

// readBlocks keeps numbers as they were written: a block comes out as it went in.
func readBlocks(f fields) ([]domain.Block, error) {
	elements, err := f.array("blocks")
	if elements == nil {
		return nil, err
	}
	blocks := make([]domain.Block, 0, len(elements))
	for n, e := range elements {
		dec := json.NewDecoder(bytes.NewReader(e))
		dec.UseNumber()
		var b domain.Block
		if dec.Decode(&b) != nil || b == nil {
			return nil, &shapeError{field: element(f.path+"blocks", n), want: "an object", got: kindOf(e)}
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

func readOpenURL(f fields) (*string, error) {
	to, err := f.text("openUrl")
	if to == nil || err != nil {
		return nil, err
	}
	if !canOpen(*to) {
		return nil, &shapeError{field: "openUrl", want: `a URL that begins with http://, https:// or /`, got: quoted(*to)}
	}
	return to, nil
}

// canOpen reports whether a browser may be sent there: anything else than http
// could run what the interface wrote.
func canOpen(to string) bool {
	u, err := url.Parse(to)
	if err != nil {
		return false
	}
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" || u.Scheme == "" && strings.HasPrefix(to, "/")
}
