package apiclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"chalie/domain"
)

// Say sends a message and returns its id, which is its exchange's too. It is
// answered later, in the trace of that id.
func (c *Client) Say(ctx context.Context, text string) (domain.ID, error) {
	told, err := call[struct {
		MessageID domain.ID `json:"message_id"`
	}](ctx, c, http.MethodPost, "/api/messages", nil, map[string]string{"text": text})
	return told.MessageID, err
}

// Exchange is one turn of the conversation.
type Exchange struct {
	ID        domain.ID      `json:"id"`
	Prompt    string         `json:"prompt"` // "" for images alone, for an action, and when nobody asked
	Action    *Action        `json:"action"` // nil for anything but a button that was pressed
	ImageIDs  []domain.ID    `json:"image_ids"`
	Blocks    []domain.Block `json:"blocks"` // none while the answer is under way
	Topic     string         `json:"topic"`
	Timestamp string         `json:"timestamp"` // RFC 3339
}

// Action is a button that the person pressed.
type Action struct {
	Skill string `json:"skill"`
	Label string `json:"label"` // what stood on it; "" when nobody knows
}

// Conversation is a page of it, oldest first.
type Conversation struct {
	Exchanges []Object[Exchange] `json:"exchanges"`
	Total     int                `json:"total"`
	HasMore   bool               `json:"has_more"`
}

// MaxExchanges is how many exchanges the API gives at a time.
const MaxExchanges = 100

// Conversation reads up to limit exchanges, after skipping the offset latest.
func (c *Client) Conversation(ctx context.Context, limit, offset int) (Conversation, error) {
	return get[Conversation](ctx, c, "/conversation/recent", url.Values{
		"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)},
	})
}
