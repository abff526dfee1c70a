package wsapi

import (
	"strings"
	"testing"

	"chalie/domain"
)

// TestResumeAcrossAnEpoch: frames say in which epoch they are sent, and a client that resumes
// from an earlier one, or from one that this log doesn't know, is first of all told why what it
// has may be otherwise, also when it has seen more than the log has. It then gets what is new.
func TestResumeAcrossAnEpoch(t *testing.T) {
	first, second, third, unknown := domain.ID{0: 1, 15: 1}, domain.ID{0: 1, 15: 2}, domain.ID{0: 1, 15: 3}, domain.ID{0: 1, 15: 9}
	epochs := func() domain.Epochs {
		return domain.Epochs{{ID: first, From: 1}, {ID: second, From: 4, Reason: domain.EpochRestore}, {ID: third, From: 6, Reason: domain.EpochMove}}
	}
	h := newHouse(t, func(cfg *Config) {
		cfg.Epochs = epochs
		cfg.Speaks.(*Chat).Epochs = epochs
	})
	srv := h.serve(t)
	var all []domain.Seq
	for range 8 {
		all = append(all, h.status(t))
	}
	h.followed(t)
	for _, c := range []struct {
		name   string
		seen   string
		last   domain.Seq
		from   domain.Seq
		reason domain.EpochReason
	}{
		{"the current one", `,"epoch":"` + third.String() + `"`, all[5], 0, ""},
		{"none", "", all[5], 0, ""},
		{"the first", `,"epoch":"` + first.String() + `"`, all[5], domain.SeqOf(4, 0), domain.EpochRestore},
		{"the first, long ago", `,"epoch":"` + first.String() + `"`, all[1], all[1] + 1, domain.EpochRestore},
		{"the second, with more than there is", `,"epoch":"` + second.String() + `"`, 1 << 40, domain.SeqOf(6, 0), domain.EpochMove},
		{"one that is unknown", `,"epoch":"` + unknown.String() + `"`, all[5], domain.SeqOf(1, 0), domain.EpochMove},
	} {
		t.Run(c.name, func(t *testing.T) {
			end := domain.EndOf(h.log.Tail())
			p := connect(t, srv)
			p.say(`{"type":"resume","last_seq":%d%s}`, c.last, c.seen)
			if c.reason == "" {
				for _, want := range all[6:] {
					if got := p.text("status"); got.Seq != want || got.Epoch != third {
						t.Errorf("got %s, want %d", got, want)
					}
				}
				return
			}
			gap := p.text("gap")
			if gap.From != c.from || gap.To != end || gap.Seq != end || domain.EpochReason(gap.Reason) != c.reason || gap.Epoch != third {
				t.Errorf("got %s, want from %d to %d", gap, c.from, end)
			}
			live := h.status(t)
			if got := p.text("status"); got.Seq != live {
				t.Errorf("got %s, want the live frame %d", got, live)
			}
		})
	}
	p := connect(t, srv)
	p.say(`{"type":"resume","last_seq":3,"epoch":7}`)
	if got := p.text("error"); !strings.Contains(got.String(), "epoch") {
		t.Errorf("an epoch that is none: %s", got)
	}
}
