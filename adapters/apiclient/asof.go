package apiclient

import (
	"context"
	"net/url"
	"strconv"

	"chalie/domain"
)

// AsOf says what an answer about the past is based on: everything through a
// position, at a moment.
type AsOf struct {
	Position domain.Position `json:"position"`
	Time     domain.Millis   `json:"time"`
}

// PastApps are the interfaces of a moment. When each was heard nobody knows any more.
type PastApps struct {
	AsOf AsOf  `json:"as_of"`
	Apps []App `json:"apps"`
}

// AppsThen lists the interfaces as they were, at a moment or position as the API
// takes it; the same goes for the others here.
func (c *Client) AppsThen(ctx context.Context, at string) (Object[PastApps], error) {
	return get[Object[PastApps]](ctx, c, "/api/apps", url.Values{"at": {at}})
}

// PastApprovals is what waited for the person. It has no tokens to decide by.
type PastApprovals struct {
	AsOf      AsOf               `json:"as_of"`
	Approvals []Object[Approval] `json:"approvals"`
}

// ApprovalsThen lists what waited for the person, oldest first.
func (c *Client) ApprovalsThen(ctx context.Context, at string) (Object[PastApprovals], error) {
	return get[Object[PastApprovals]](ctx, c, "/api/approvals", url.Values{"at": {at}})
}

// PastConversation is a page of the conversation of a moment, oldest first.
type PastConversation struct {
	AsOf AsOf `json:"as_of"`
	Conversation
}

// ConversationThen reads up to limit exchanges, after skipping the offset latest.
func (c *Client) ConversationThen(ctx context.Context, at string, limit, offset int) (PastConversation, error) {
	return get[PastConversation](ctx, c, "/conversation/recent", url.Values{
		"at": {at}, "limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)},
	})
}

// PastPlans is what was planned.
type PastPlans struct {
	AsOf AsOf `json:"as_of"`
	Plans
}

// PlansThen lists what was planned.
func (c *Client) PlansThen(ctx context.Context, at string) (Object[PastPlans], error) {
	return get[Object[PastPlans]](ctx, c, "/api/plans", url.Values{"at": {at}})
}

// PolicyThen is the policy that was in force.
func (c *Client) PolicyThen(ctx context.Context, at string) (Object[Policy], error) {
	return get[Object[Policy]](ctx, c, "/api/policy", url.Values{"at": {at}})
}
