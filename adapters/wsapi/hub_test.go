package wsapi

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

func TestAnAnswerReachesEveryDevice(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	h.exchange(t, "before anyone came")
	phone, desk := connect(t, srv), connect(t, srv)
	phone.say(`{"type":"pong"}`)
	desk.say(`{"type":"pong"}`)
	h.exchange(t, "it will rain")
	for _, p := range []*peer{phone, desk} {
		first := p.text("status")
		if want := domain.SeqOf(6, 0); first.Seq != want || first.Stage != "processing" {
			t.Errorf("got %s, want processing with seq %d", first, want)
		}
		if second := p.text("status"); second.Stage != "thinking" || second.Seq != domain.SeqOf(7, 0) {
			t.Errorf("got %s, want thinking", second)
		}
		if third := p.text("status"); third.Stage != "retrieving_memory" || third.Seq != domain.SeqOf(7, 1) {
			t.Errorf("got %s, want retrieving_memory", third)
		}
		if fourth := p.text("status"); fourth.Stage != "thinking" || fourth.Seq != domain.SeqOf(8, 0) {
			t.Errorf("got %s, want thinking", fourth)
		}
		if fifth := p.text("status"); fifth.Stage != "responding" || fifth.Seq != domain.SeqOf(9, 0) {
			t.Errorf("got %s, want responding", fifth)
		}
		if msg := p.text("message"); msg.Seq != domain.SeqOf(10, 0) {
			t.Errorf("got %s, want seq %d", msg, domain.SeqOf(10, 0))
		}
		if done := p.text("done"); done.Seq != domain.SeqOf(10, 1) {
			t.Errorf("got %s, want seq %d", done, domain.SeqOf(10, 1))
		}
	}
	domaintest.Until(t, "two clients are counted", func() bool { return h.hub.Clients() == 2 })
}
