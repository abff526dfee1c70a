package apiclient

import (
	"context"
	"net/url"
	"strconv"

	"chalie/adapters/api"
)

// AppsThen lists the interfaces as they were, at a moment or position as the API
// takes it; the same goes for the others here.
func (c *Client) AppsThen(ctx context.Context, at string) (Object[api.PastApps], error) {
	return get[Object[api.PastApps]](ctx, c, "/api/apps", url.Values{"at": {at}})
}

// PastApprovals is what waited for the person. It has no tokens to decide by.
type PastApprovals struct {
	AsOf      api.AsOf               `json:"as_of"`
	Approvals []Object[api.Proposal] `json:"approvals"`
}

// ApprovalsThen lists what waited for the person, oldest first.
func (c *Client) ApprovalsThen(ctx context.Context, at string) (Object[PastApprovals], error) {
	return get[Object[PastApprovals]](ctx, c, "/api/approvals", url.Values{"at": {at}})
}

// PastConversation is a page of the conversation of a moment, oldest first.
type PastConversation struct {
	AsOf api.AsOf `json:"as_of"`
	Conversation
}

// ConversationThen reads up to limit exchanges, after skipping the offset latest.
func (c *Client) ConversationThen(ctx context.Context, at, in string, limit, offset int) (PastConversation, error) {
	return get[PastConversation](ctx, c, "/conversation/recent", url.Values{
		"at": {at}, "conversation": {in}, "limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)},
	})
}

// PlansThen lists what was planned.
func (c *Client) PlansThen(ctx context.Context, at string) (Object[api.Plans], error) {
	return get[Object[api.Plans]](ctx, c, "/api/plans", url.Values{"at": {at}})
}

// SettingsThen is what was set.
func (c *Client) SettingsThen(ctx context.Context, at string) (Object[api.Settings], error) {
	return get[Object[api.Settings]](ctx, c, "/api/settings", url.Values{"at": {at}})
}

// PolicyThen is the policy that was in force.
func (c *Client) PolicyThen(ctx context.Context, at string) (Object[api.Policy], error) {
	return get[Object[api.Policy]](ctx, c, "/api/policy", url.Values{"at": {at}})
}
