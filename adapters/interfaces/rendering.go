package interfaces

import (
	"context"
	"net/http"

	"chalie/commands"
)

// Render implements commands.Peer. JSON must be an object whose blocks, if it has
// any, are an array of objects; HTML is taken as it is.
func (c *Client) Render(ctx context.Context, at commands.Endpoint) (commands.Rendering, error) {
	q := question{
		op: "render interface", method: http.MethodGet, path: "/", at: at, accept: mediaJSON + ", " + mediaHTML + ";q=0.5",
		within: c.cfg.Timeout, most: c.cfg.MaxAnswerBytes,
	}
	a, err := c.ask(ctx, q)
	if err != nil {
		return commands.Rendering{}, err
	}
	if a.ok() && a.media == mediaHTML {
		return commands.Rendering{MediaType: mediaHTML, Body: a.body}, nil
	}
	text, err := q.json(a)
	if err != nil {
		return commands.Rendering{}, err
	}
	if err := c.decodable(ctx, q, text); err != nil {
		return commands.Rendering{}, err
	}
	f, err := object("", text)
	if err == nil {
		err = checkBlocks(f)
	}
	if err != nil {
		return commands.Rendering{}, q.badShape(err)
	}
	return commands.Rendering{MediaType: mediaJSON, Body: text}, nil
}

// Pass implements commands.Peer. It makes one call at most.
func (c *Client) Pass(ctx context.Context, at commands.Endpoint, body []byte, key string) (commands.Rendering, error) {
	q := question{
		op: "pass on to interface", method: http.MethodPost, path: "/execute", at: at, accept: mediaJSON,
		body: body, key: key, within: c.cfg.Timeout, most: c.cfg.MaxAnswerBytes,
	}
	a, err := c.ask(ctx, q)
	if err != nil {
		return commands.Rendering{}, err
	}
	text, err := q.json(a)
	if err != nil {
		return commands.Rendering{}, err
	}
	if err := c.decodable(ctx, q, text); err != nil {
		return commands.Rendering{}, err
	}
	return commands.Rendering{MediaType: mediaJSON, Body: text}, nil
}

// checkBlocks looks at what the blocks are, and leaves it to the caller to decode them.
func checkBlocks(f fields) error {
	elements, err := f.array("blocks")
	for n, e := range elements {
		if e[0] != '{' {
			return &shapeError{field: element(f.path+"blocks", n), want: "an object", got: kindOf(e)}
		}
	}
	return err
}
