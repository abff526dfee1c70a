package apiclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// Say sends a message and returns its id, which is its exchange's too. It is
// answered later, in the trace of that id. zone is where it is said, by an IANA name; "" when
// that isn't known.
func (c *Client) Say(ctx context.Context, text, zone string) (domain.ID, error) {
	return c.SayIn(ctx, api.ConversationName{}, text, zone)
}

// SayIn is Say in another conversation than the default one.
func (c *Client) SayIn(ctx context.Context, in api.ConversationName, text, zone string) (domain.ID, error) {
	msg := api.Message{Text: text, Timezone: zone}
	if in != (api.ConversationName{}) {
		msg.Conversation = &in
	}
	told, err := call[api.MessageTaken](ctx, c, http.MethodPost, "/api/messages", nil, msg)
	return told.MessageID.ID, err
}

// Press presses a button of an exchange and returns the id of what comes of it, as Say does.
func (c *Client) Press(ctx context.Context, exchange domain.ID, payload []byte, label string) (domain.ID, error) {
	told, err := call[api.MessageTaken](ctx, c, http.MethodPost, "/api/actions", nil, api.Press{Payload: payload, Label: label, ExchangeID: exchange.String()})
	return told.MessageID.ID, err
}

// Conversation is a page of it, oldest first.
type Conversation struct {
	api.Conversation
	Exchanges []Object[api.Exchange] `json:"exchanges"`
}

// Conversation reads up to limit exchanges of a conversation, by its id or its session's name,
// after skipping the offset latest; "" is the default one.
func (c *Client) Conversation(ctx context.Context, in string, limit, offset int) (Conversation, error) {
	return get[Conversation](ctx, c, "/conversation/recent", url.Values{
		"conversation": {in}, "limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)},
	})
}

// Exchange reads one exchange by its id.
func (c *Client) Exchange(ctx context.Context, id domain.ID) (api.Exchange, error) {
	return get[api.Exchange](ctx, c, "/api/exchanges/"+id.String(), nil)
}

// Conversations lists the conversations.
func (c *Client) Conversations(ctx context.Context) (Object[api.Conversations], error) {
	return get[Object[api.Conversations]](ctx, c, "/api/conversations", nil)
}
