package domain_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

func TestConversationNames(t *testing.T) {
	for _, c := range []struct {
		name domain.ConversationName
		says string
	}{
		{domain.ConversationName{}, ""},
		{domain.ConversationName{Session: "work"}, "work"},
		{domain.ConversationName{Project: "aistalk", Session: "s 1", User: "u"}, "aistalk/s 1 (u)"},
	} {
		if err := c.name.Check(); err != nil || c.name.String() != c.says || c.name.ID().IsZero() != c.name.IsZero() {
			t.Errorf("%+v: %q, %v", c.name, c.name, err)
		}
		if got := domain.ConversationOf(domain.Envelope{Keys: append([]domain.Key{"other"}, c.name.ID().Keys()...)}); got != c.name.ID() {
			t.Errorf("%+v is marked as %v", c.name, got)
		}
	}
	for says, name := range map[string]domain.ConversationName{
		"session_id is required": {Project: "p"},
		"user_id has 129 bytes":  {Session: "s", User: strings.Repeat("x", 129)},
		"not valid UTF-8":        {Session: "\xff"},
		"control characters":     {Session: "a\nb"},
	} {
		if err := name.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v", name, err)
		}
	}
	if (domain.ConversationName{Project: "a", Session: "b"}).ID() == (domain.ConversationName{Project: "a\x00b"}).ID() {
		t.Error("two names have one id")
	}
}
