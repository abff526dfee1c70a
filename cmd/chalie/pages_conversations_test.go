package main

import "testing"

// The page lists the conversations, with times as a person reads them, and shows what was said
// in one that a program holds.
func TestConversationsPage(t *testing.T) {
	r := newReader(t)
	s := nowadays(t, t.TempDir())
	r.enters(s)
	for _, body := range []string{
		`{"text":"what can you do?"}`,
		`{"text":"put milk on the shopping list","conversation":{"project_id":"home","session_id":"kitchen","user_id":"ada"}}`,
	} {
		if status, answer := s.post("/api/messages", body); status != 202 {
			t.Fatalf("%d %s", status, answer)
		}
	}
	r.opens(s, "/system/conversations")
	r.sees("#main", "home/kitchen (ada)")
	r.sees("#main", "The default one")
	if r.has("#main time:not([title])") {
		t.Error("a time isn't told as a person reads it")
	}
	r.presses(".items a[href*='in=']")
	r.sees("#said", "home/kitchen (ada)")
	r.sees("#main", "put milk on the shopping list")
	r.checks("conversation-of-a-program")
	s.stop()
}
