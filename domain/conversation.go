package domain

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ConversationName names a conversation as the program that holds it does. The zero value is
// the default conversation, that of /ws, the pages and the command line. What is said in one
// is no part of another's dialogue and working memory; plans and memories are the person's,
// wherever they speak of them.
type ConversationName struct {
	Project string `json:"project_id"`
	Session string `json:"session_id"`
	User    string `json:"user_id"`
}

// The projects of the conversations that programs hold, each of one program alone.
const (
	ProjectMCP   = "mcp"
	ProjectBrain = "brain"
)

// IsZero reports whether it is the default conversation's.
func (n ConversationName) IsZero() bool { return n == ConversationName{} }

// Check returns a validation error that names the field.
func (n ConversationName) Check() error {
	const op = "check conversation"
	if n.IsZero() {
		return nil
	}
	for _, part := range []struct{ field, text string }{{"project_id", n.Project}, {"session_id", n.Session}, {"user_id", n.User}} {
		switch {
		case len(part.text) > MaxNameBytes:
			return tooLong(op, part.field, len(part.text), MaxNameBytes)
		case !utf8.ValidString(part.text):
			return Invalid(op, part.field, part.field+" is not valid UTF-8")
		case hasControl(part.text):
			return Invalid(op, part.field, part.field+" has control characters")
		}
		if err := checkSeen(op, part.field, part.text); err != nil {
			return err
		}
	}
	if isBlank(n.Session) {
		return Invalid(op, "session_id", "session_id is required beside project_id and user_id: it tells one conversation from another")
	}
	return nil
}

// CheckGiven is Check of a name that a caller gives, beside the sessions that their other
// conversations are called by: it must look like none of those, and be no program's.
func (n ConversationName) CheckGiven(others ...string) error {
	const op = "check conversation"
	if err := n.Check(); err != nil || n.IsZero() {
		return err
	}
	if n.Project == ProjectMCP || n.Project == ProjectBrain {
		return Invalid(op, "project_id", fmt.Sprintf("the conversations of %s are each of one program alone: leave project_id out, or choose another", n.Project))
	}
	for field, part := range map[string]string{"project_id": n.Project, "user_id": n.User} {
		if err := CheckNaming(op, field, part); err != nil {
			return err
		}
	}
	return CheckNaming(op, "session_id", n.Session, others...)
}

// String is the name in one line, for people; "" of the default conversation.
func (n ConversationName) String() string {
	out := n.Session
	if n.Project != "" {
		out = n.Project + "/" + out
	}
	// That a program's conversation is its own needn't be read.
	if _, own := Principal(n.User).Program(); n.User != "" && !own && (n.Project != ProjectBrain || !isAnID(n.User)) {
		out += fmt.Sprintf(" (%s)", n.User)
	}
	return out
}

// ConversationID identifies a conversation. It follows from the name and doesn't tell it; the
// zero value is the default conversation.
type ConversationID struct{ ID }

// ID is the conversation's.
func (n ConversationName) ID() (out ConversationID) {
	if n.IsZero() {
		return out
	}
	sum := sha256.Sum256([]byte(n.Project + "\x00" + n.Session + "\x00" + n.User))
	copy(out.ID[:], sum[:])
	return out
}

// Conversation is one in which something was said, by reference: its name is in its first
// message.
type Conversation struct {
	ID        ConversationID
	Thread    ID // of its first exchange, which is the first message's
	Exchanges int
	Last      Millis // when the latest exchange began
}

const conversationPrefix = "conversation/"

// Keys mark the envelopes of an episode in a conversation other than the default one.
func (c ConversationID) Keys() []Key {
	if c.IsZero() {
		return nil
	}
	return []Key{conversationPrefix + Key(c.String())}
}

// ConversationOf is the conversation that an envelope is marked as part of; the default one of
// an envelope without a mark.
func ConversationOf(e Envelope) ConversationID {
	for _, key := range e.Keys {
		if text, ok := strings.CutPrefix(string(key), conversationPrefix); ok {
			id, err := ParseID(text)
			if err == nil {
				return ConversationID{id}
			}
		}
	}
	return ConversationID{}
}
