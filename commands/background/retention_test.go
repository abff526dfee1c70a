package background_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/retain"
)

// shredder has records go as the test says.
type shredder struct {
	next      domain.SpanRetired
	went      domain.Runs
	differing []string
	fails     error
	refuses   error
	asked     int
	retired   []domain.Runs
}

func (s *shredder) Next(context.Context, []domain.KeptFor) (domain.SpanRetired, domain.Runs, error) {
	s.asked++
	return s.next, s.went, s.refuses
}

func (s *shredder) Differing(context.Context, domain.Runs, domain.Envelope) ([]string, error) {
	return s.differing, nil
}

func (s *shredder) Retire(_ context.Context, went domain.Runs) error {
	if s.fails != nil {
		return s.fails
	}
	s.retired = append(s.retired, went)
	return nil
}

// kept is the settings with such a time to keep.
type kept string

func (k kept) Read(fn func(*domain.SettingsBook)) {
	fn(&domain.SettingsBook{Settings: domain.Settings{Values: map[string]string{"keep_signals": string(k)}}})
}

// TestRetentionBySetting: what goes is recorded before it is deleted, once a day, and never where
// something else would be known without it; a start deletes what the last one had recorded.
func TestRetentionBySetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		went := domain.Runs{{From: 1, Through: 3}}
		s := &shredder{went: went, next: domain.SpanRetired{Runs: went.Write(), Kept: []domain.KeptFor{}, Counts: []domain.RetiredCount{}, Records: 3}}
		env := commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}
		begin := func(k kept) *background.Retention {
			r, err := background.NewRetention(background.RetentionConfig{Env: env, Retirer: s, Settings: k, Priority: n.front})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		round := func(r *background.Retention) error {
			t.Helper()
			return r.Round(t.Context())
		}
		recorded := func() int {
			t.Helper()
			records, _, err := retain.Spans(t.Context(), n.log)
			if err != nil {
				t.Fatal(err)
			}
			return len(records)
		}
		if err := round(begin("0s")); err != nil || s.asked > 0 {
			t.Errorf("without a time: asked %d times, %v", s.asked, err)
		}
		s.differing = []string{"world"}
		if err := round(begin("30d")); domain.CodeOf(err) != background.CodeFoldsDiffer || recorded() > 0 || len(s.retired) > 0 {
			t.Errorf("where it would differ: %d recorded, %v", recorded(), err)
		}
		s.differing = nil
		broken := errors.New("broken off")
		s.fails = broken
		if err := round(begin("30d")); !errors.Is(err, broken) || recorded() != 1 {
			t.Errorf("broken off: %d recorded, %v", recorded(), err)
		}
		s.fails = nil
		r := begin("30d")
		if err := round(r); err != nil || recorded() != 1 || len(s.retired) != 1 {
			t.Errorf("the next start: %d recorded, %v deleted, %v", recorded(), s.retired, err)
		}
		if err := round(r); err != nil || recorded() != 1 {
			t.Errorf("the same day: %d recorded, %v", recorded(), err)
		}
		domaintest.Pass(25 * time.Hour)
		if err := round(r); err != nil || recorded() != 2 || len(s.retired) != 2 {
			t.Errorf("the next day: %d recorded, %v deleted, %v", recorded(), s.retired, err)
		}
	})
}

// TestRetentionSaysWhatStays: why what is over stays can be asked for until it goes, or is to be kept for
// ever, and is looked at once a day.
func TestRetentionSaysWhatStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		went := domain.Runs{{From: 1, Through: 3}}
		s := &shredder{went: went, next: domain.SpanRetired{Runs: went.Write(), Kept: []domain.KeptFor{}, Counts: []domain.RetiredCount{}, Records: 3}}
		env := commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}
		keep := kept("30d")
		r, err := background.NewRetention(background.RetentionConfig{Env: env, Retirer: s, Settings: &keep, Priority: n.front})
		if err != nil {
			t.Fatal(err)
		}
		says := func(when, want string) {
			t.Helper()
			s.asked = 0
			first, second := r.Round(t.Context()), r.Round(t.Context())
			trouble := r.Trouble()
			if s.asked != 1 || second != nil || (first == nil) != (trouble == nil) || (want == "") != (trouble == nil) || trouble != nil && !strings.Contains(trouble.Error(), want) {
				t.Errorf("%s: it says %v, asked %d times, %v", when, trouble, s.asked, first)
			}
			domaintest.Pass(25 * time.Hour)
		}
		s.differing = []string{"world", "traces"}
		says("where it would differ", "3 records whose time to be kept is over stay, because without them the projections world, traces would")
		s.differing = nil
		says("once it wouldn't", "")
		s.refuses = &domain.Error{Category: domain.Conflict, Message: "a cluster keeps it"}
		says("on a cluster", "a cluster keeps it")
		keep = "0s"
		if err := r.Round(t.Context()); err != nil || r.Trouble() != nil {
			t.Errorf("to be kept for ever: %v, %v", err, r.Trouble())
		}
	})
}
