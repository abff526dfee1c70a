package web

import (
	"net/url"

	"chalie/adapters/api"
	"chalie/domain"
)

// conversationsPage is the conversations, and what was said in one of them.
type conversationsPage struct {
	api.Conversations
	In   *api.OneConversation // the one that is shown; nil while none is
	Said saidThen
}

// NameOf is a conversation's name, for people.
func (conversationsPage) NameOf(c api.OneConversation) string {
	switch name := domain.ConversationName(c.ConversationName).String(); {
	case c.Default:
		return "The default one"
	case name == "":
		return "(erased)"
	default:
		return name
	}
}

// Shows reports whether a conversation is the one that is shown.
func (p conversationsPage) Shows(c api.OneConversation) bool {
	return p.In != nil && !c.Default && p.In.ID.ID == c.ID.ID
}

// At is a moment of the API's.
func (conversationsPage) At(t api.Timestamp) domain.Millis { return domain.MillisOf(t.Time) }

// conversationsShown is how many exchanges of one are shown.
const conversationsShown = "50"

// conversations is GET /system/conversations?in=.
func (v *visit) conversations() error {
	var page conversationsPage
	if err := v.ask("/api/conversations", nil, &page.Conversations); err != nil {
		return err
	}
	in := v.r.URL.Query().Get("in")
	for i, c := range page.Conversations.Conversations {
		if c.Default || in != c.ID.UUID() {
			continue
		}
		page.In = &page.Conversations.Conversations[i]
		if err := v.ask("/conversation/recent", url.Values{"conversation": {in}, "limit": {conversationsShown}}, &page.Said); err != nil {
			return err
		}
	}
	return v.systemPage("system_conversations", "Conversations", []string{"times.js"}, page)
}
