package domain

// Card is a tool's result as a piece of a page.
type Card struct {
	HTML        string  `json:"html"`
	CSS         string  `json:"css"`
	ScopeID     string  `json:"scope_id"` // cards with the same have the same CSS
	Title       *string `json:"title"`
	AccentColor *string `json:"accent_color"` // #rgb or #rrggbb
}

// CardKey marks a tool.completed whose card is shown to clients.
const CardKey Key = "card"

// IsColor reports whether a text is a colour as an accent may be: #rgb or #rrggbb.
func IsColor(text string) bool {
	if len(text) != 4 && len(text) != 7 || text[0] != '#' {
		return false
	}
	for _, c := range []byte(text[1:]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// show fills in a tool's card.
func (f *Frame) show(e Envelope, find func(ID) (Envelope, error)) error {
	f.OutputID = e.ID
	done, err := Decode[ToolCompleted](e)
	switch {
	case CodeOf(err) == CodeErased || err == nil && done.Card == nil:
		f.Card = Card{HTML: "<p>(erased)</p>"}
		return nil
	case err != nil:
		return err
	}
	f.Card = *done.Card
	first, err := find(done.InvocationID)
	if err != nil {
		return err
	}
	invoked, err := Decode[ToolInvoked](first)
	if err == nil {
		f.Tool = invoked.Tool
	} else if CodeOf(err) != CodeErased {
		return err
	}
	f.Topic, err = topicOfCall(first, find)
	return err
}

// topicOfCall is the topic of what a tool was called for: of the model's answer that
// called it, or of an action, whose topic is the skill it names; "" where that was
// erased, or a program called.
func topicOfCall(invoked Envelope, find func(ID) (Envelope, error)) (string, error) {
	if invoked.Parent.IsZero() {
		return "", nil
	}
	caller, err := find(invoked.Parent)
	if err != nil {
		return "", err
	}
	var topic string
	switch caller.Type {
	case ModelRepliedType:
		var reply ModelReplied
		reply, err = Decode[ModelReplied](caller)
		topic = reply.Topic
	case ActionReceivedType:
		var action ActionReceived
		action, err = Decode[ActionReceived](caller)
		topic = clip(action.Skill, MaxTopicHintBytes)
	}
	if CodeOf(err) == CodeErased {
		return "", nil
	}
	return topic, err
}
