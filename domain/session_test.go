package domain_test

import (
	"testing"
	"time"

	"chalie/domain"
)

func TestSessions(t *testing.T) {
	const now = domain.Millis(1_700_000_000_000)
	opened := func(ago time.Duration) domain.Session {
		at := now.Add(-ago)
		return domain.Session{OpenedAt: at, ExpiresAt: at.Add(domain.SessionLifetime)}
	}
	phone, laptop, old := domain.HashSecret("phone"), domain.HashSecret("laptop"), domain.HashSecret("old")
	used := opened(72 * time.Hour)
	used.ExpiresAt = now.Add(domain.SessionLifetime - time.Hour)
	people := domain.Accounts{Sessions: map[domain.SecretHash]domain.Session{
		phone: used, laptop: opened(time.Hour), old: opened(domain.SessionLifetime),
	}}

	open := people.SessionsAt(now)
	if len(open) != 2 || open[0].Hash != laptop || open[1].Hash != phone {
		t.Fatalf("open are %v", open)
	}
	if open[0].UsedAt() != now.Add(-time.Hour) || open[1].UsedAt() != now.Add(-time.Hour) {
		t.Errorf("used at %d and %d", open[0].UsedAt(), open[1].UsedAt())
	}
	if open[0].ID() == open[1].ID() || open[0].ID() != (domain.OpenSession{Hash: laptop}).ID() {
		t.Error("an id is not the session's own")
	}
	end, err := people.EndSession(open[1].ID(), now)
	if err != nil || end.SessionHash != phone.String() {
		t.Errorf("ends %v, %v", end, err)
	}
	for name, id := range map[string]domain.ID{"one that is over": domain.OpenSession{Hash: old}.ID(), "none": {}} {
		if _, err := people.EndSession(id, now); domain.CodeOf(err) != "no_session" || domain.CategoryOf(err) != domain.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if ends := people.EndOtherSessions(laptop, now); len(ends) != 1 || ends[0].SessionHash != phone.String() {
		t.Errorf("the others are %v", ends)
	}
	if ends := people.EndOtherSessions(domain.SecretHash{}, now); len(ends) != 2 {
		t.Errorf("all are %v", ends)
	}
}
