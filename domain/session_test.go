package domain_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
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

// A session that was opened, or used last, while the clock was a year ahead ends a
// lifetime after the clock was put right, and says so.
func TestSessionsOpenedAheadEndInTime(t *testing.T) {
	const (
		now  = domain.Millis(1_700_000_000_000)
		day  = 24 * time.Hour
		year = 365 * day
	)
	far := now.Add(year)
	secret := domain.HashSecret("phone")
	opened := domain.OperatorLoggedIn{SessionHash: secret.String(), ExpiresAt: far.Add(domain.SessionLifetime)}
	used := domain.SessionExtended{SessionHash: secret.String(), ExpiresAt: far.Add(day + domain.SessionLifetime)}
	for name, payloads := range map[string][]any{"opened": {opened}, "used": {opened, used}} {
		t.Run(name, func(t *testing.T) {
			var people domain.Accounts
			newest, ids := far, domaintest.NewIDs(domaintest.NewClock(), 1)
			pos := domain.Position(0)
			add := func(clock domain.Millis, event any) {
				pos++
				newest = max(newest, clock)
				rec := recordOf(t, ids, pos, happened{clock, event})
				rec.RecordedAt, rec.Ahead = newest, newest-clock
				if err := people.Evolve(rec); err != nil {
					t.Fatal(err)
				}
			}
			for i, payload := range payloads {
				add(far.Add(time.Duration(i)*day), payload)
			}
			ends := func(at, want domain.Millis) {
				t.Helper()
				s, ok := people.SessionAt(secret, at)
				if open := at < want; ok != open || open && s.ExpiresAt != want || len(people.SessionsAt(at)) != map[bool]int{true: 1}[open] {
					t.Errorf("%v after the clock was put right it is open: %t, until %v, want until %v", at.Sub(now), ok, s.ExpiresAt.Sub(now), want.Sub(now))
				}
			}
			ends(now, now.Add(domain.SessionLifetime)) // nothing was recorded since
			pos++
			if err := people.Evolve(domain.Record{Position: pos, Topic: domain.TopicMessages, RecordedAt: newest, Ahead: newest - now}); err != nil {
				t.Fatal(err)
			}
			ends(now.Add(29*day), now.Add(domain.SessionLifetime))
			ends(now.Add(30*day), now.Add(domain.SessionLifetime))
			ends(now.Add(31*day), now.Add(domain.SessionLifetime))
			move, due := people.Extend(secret, now.Add(2*day))
			if !due {
				t.Fatal("its use isn't recorded")
			}
			add(now.Add(2*day), move)
			ends(now.Add(31*day), now.Add(32*day))
			ends(now.Add(32*day), now.Add(32*day))
		})
	}
}

// However often it is used, a session ends SessionMost after its login, and its use is
// recorded no more often for that. A clock that was ahead at the login gives it no more.
func TestSessionsEnd(t *testing.T) {
	const (
		now = domain.Millis(1_700_000_000_000)
		day = 24 * time.Hour
	)
	secret := domain.HashSecret("phone")
	for name, ahead := range map[string]time.Duration{"a right clock": 0, "a clock that was a year ahead": 365 * day} {
		t.Run(name, func(t *testing.T) {
			var people domain.Accounts
			var pos domain.Position
			ids, newest := domaintest.NewIDs(domaintest.NewClock(), 1), now
			add := func(clock domain.Millis, event any) {
				pos++
				newest = max(newest, clock)
				rec := recordOf(t, ids, pos, happened{clock, event})
				rec.RecordedAt, rec.Ahead = newest, newest-clock
				if err := people.Evolve(rec); err != nil {
					t.Fatal(err)
				}
			}
			opened := now.Add(ahead)
			add(opened, domain.OperatorLoggedIn{SessionHash: secret.String(), ExpiresAt: opened.Add(domain.SessionLifetime)})
			if !people.FreshAt(secret, opened) || people.FreshAt(secret, opened.Add(domain.SessionFresh)) {
				t.Error("it isn't fresh just after its login, or it stays so")
			}
			recorded := 0
			for at := now; ; at = at.Add(time.Hour) {
				s, open := people.SessionAt(secret, at)
				if age := at.Sub(now); open != (age < domain.SessionMost) {
					t.Fatalf("after %v it is open: %v, until %v", age, open, s.EndsAt().Sub(now))
				}
				if !open {
					break
				}
				if move, due := people.Extend(secret, at); due {
					recorded++
					add(at, move)
				}
				if ahead > 0 && at == now {
					add(at, domain.OperatorLoginRefused{Count: 1, Since: at})
				}
			}
			if recorded > 91 {
				t.Errorf("its use was recorded %d times in 90 days", recorded)
			}
		})
	}
}
