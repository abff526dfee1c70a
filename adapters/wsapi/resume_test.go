package wsapi

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chalie/domain"

	"pgregory.net/rapid"
)

func TestGapThenTheLast200(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	first := h.status(t)
	for range 300 {
		h.status(t)
	}
	h.followed(t) // before that a client misses less, not more
	p := connect(t, srv)
	p.say(`{"type":"resume","last_seq":%d}`, first)
	gap := p.text("gap")
	if gap.From != first+1 || gap.To != domain.SeqOf(101, 0) || gap.Seq != gap.To {
		t.Errorf("got %s, want from %d to %d", gap, first+1, domain.SeqOf(101, 0))
	}
	for i := range 200 {
		if got, want := p.text("status"), domain.SeqOf(domain.Position(102+i), 0); got.Seq != want {
			t.Fatalf("frame %d: got %s, want seq %d", i, got, want)
		}
	}
	live := h.status(t)
	if got := p.text("status"); got.Seq != live {
		t.Errorf("got %s, want the live frame %d", got, live)
	}
}

// TestResumeGivesWhatIsMissing resumes at any number of any story.
func TestResumeGivesWhatIsMissing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := idleHouse(t)
		h.start()
		defer func() {
			if err := h.shut(); err != nil {
				rt.Error(err)
			}
		}()
		for range rapid.IntRange(0, 120).Draw(rt, "records") {
			switch rapid.IntRange(0, 2).Draw(rt, "kind") {
			case 0:
				h.status(t)
			case 1:
				h.quiet(t)
			case 2:
				h.exchange(t, "so")
			}
		}
		end := domain.EndOf(h.log.Tail())
		last := domain.Seq(rapid.Uint64Range(0, uint64(end)).Draw(rt, "last_seq"))
		want, dropped := h.After(last)
		h.followed(t)

		mine, theirs := pipe(t)
		h.join(t, theirs, h.log.Tail())
		mine.say(`{"type":"resume","last_seq":%d}`, last)
		if last < dropped {
			if gap := mine.text("gap"); gap.From != last+1 || gap.To != dropped {
				rt.Fatalf("got %s, want a gap from %d to %d", gap, last+1, dropped)
			}
		}
		want = append(want, h.status(t))
		for _, seq := range want {
			if got := mine.next(); got.Seq != seq {
				rt.Fatalf("got %s, want seq %d", got, seq)
			}
		}
		_ = mine.conn.Close()
	})
}

// TestResumeBeforeReady asks for frames before the buffer has any.
func TestResumeBeforeReady(t *testing.T) {
	ready := make(chan struct{})
	h := newHouse(t, func(c *Config) {
		c.Ready = func(ctx context.Context) error {
			select {
			case <-ready:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	p := connect(t, h.serve(t))
	first, second := h.status(t), h.status(t)
	p.say(`{"type":"resume","last_seq":%d}`, first)
	p.say(`what?`)
	lives := func() { // nothing but the pong: refusals wait for what is due before them
		p.send(masked(9, true, []byte("x")))
		if got := p.next(); got.op != 10 {
			t.Errorf("got %s, want a pong", got)
		}
	}
	lives()
	close(ready)
	if got := p.text("status"); got.Seq != second {
		t.Errorf("got %s, want %d", got, second)
	}
	if got := p.refusal(); got.Seq <= second {
		t.Errorf("got %s, want a number after %d", got, second)
	}
}

// TestRefusalsAreNumberedAside sends nonsense at every point of a story.
func TestRefusalsAreNumberedAside(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	h.exchange(t, "before")
	tail := h.log.Tail()
	p := connect(t, srv)

	p.say(`?`)
	if got := p.refusal(); got.Seq != domain.SeqOf(tail, 8) {
		t.Errorf("got %s, want the upper half of the room of position %d", got, tail)
	}
	p.say(`?`)
	if got := p.refusal(); got.Seq != domain.SeqOf(tail, 9) {
		t.Errorf("got %s, want the next number", got)
	}
	h.quiet(t)
	live := h.status(t)
	if got := p.text("status"); got.Seq != live {
		t.Errorf("got %s, want %d", got, live)
	}
	last := live
	for i := range 10 {
		p.say(`?`)
		got := p.refusal()
		if want := min(domain.SeqOf(live.Position(), 8+i), domain.EndOf(live.Position())); got.Seq != want || got.Seq < last {
			t.Errorf("got %s, want %d", got, want)
		}
		last = got.Seq
	}
	next := h.status(t)
	if got := p.text("status"); got.Seq != next {
		t.Errorf("got %s, want %d", got, next)
	}

	// Who resumes from a refusal's number misses nothing.
	again := connect(t, srv)
	again.say(`{"type":"resume","last_seq":%d}`, last)
	if got := again.text("status"); got.Seq != next {
		t.Errorf("got %s, want %d", got, next)
	}
	// Within a record, the rest of it comes before any refusal.
	h.exchange(t, "in two frames")
	message := domain.SeqOf(h.log.Tail(), 0)
	h.followed(t)
	within := connect(t, srv)
	within.say(`{"type":"resume","last_seq":%d}`, message)
	within.say(`?`)
	if got := within.text("done"); got.Seq != message+1 {
		t.Errorf("got %s", got)
	}
	if got := within.refusal(); got.Seq != domain.SeqOf(message.Position(), 8) {
		t.Errorf("got %s", got)
	}
}

// TestTwoResumes sends again what is asked for again.
func TestTwoResumes(t *testing.T) {
	h := newHouse(t)
	p := connect(t, h.serve(t))
	first, second := h.status(t), h.status(t)
	for range 2 {
		p.say(`{"type":"resume","last_seq":0}`)
		for _, want := range []domain.Seq{first, second} {
			if got := p.text("status"); got.Seq != want {
				t.Errorf("got %s, want %d", got, want)
			}
		}
	}
	p.say(`{"type":"resume","last_seq":%d}`, domain.EndOf(h.log.Tail())+1)
	if got := p.refusal(); !strings.Contains(got.Message, fmt.Sprint(domain.EndOf(h.log.Tail()))) {
		t.Errorf("got %s, want the latest number in it", got)
	}
}
