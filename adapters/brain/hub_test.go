package brain

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// present is the clock of a bubble.
type present struct{}

func (present) Now() time.Time { return time.Now() }

// one is a registry with a program.
type one struct{ program domain.ID }

func (o one) Read(fn func(*domain.Registry)) {
	fn(&domain.Registry{Interfaces: map[domain.ID]*domain.Interface{o.program: {ID: o.program, Name: "Shed", Version: "2", Tools: []domain.Tool{{Name: "add"}}}}})
}

func newHub() (*Hub, commands.Endpoint) {
	id := domain.ID{7}
	return NewHub(nil, one{id}, present{}), commands.Endpoint{Program: id}
}

// execute calls the program and sends what came of it.
func execute(h *Hub, at commands.Endpoint, key string) <-chan answeredCall {
	out := make(chan answeredCall, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
		defer cancel()
		result, err := h.Execute(ctx, at, commands.Call{Capability: "add", Key: key})
		out <- answeredCall{result, err}
	}()
	return out
}

func wantCode(t *testing.T, a answeredCall, code domain.Code) {
	t.Helper()
	if domain.CodeOf(a.err) != code {
		t.Errorf("ended with %v, want %s", a.err, code)
	}
}

// A program that asks is there, is called, and answers once.
func TestHubCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, at := newHub()
		if _, err := h.Health(t.Context(), at); domain.CodeOf(err) != commands.CodePeerUnreachable {
			t.Errorf("before it asked it is %v", err)
		}
		wantCode(t, <-execute(h, at, "early"), commands.CodePeerUnreachable)
		got := make(chan *call, 1)
		go func() { got <- h.next(context.Background(), at.Program) }()
		synctest.Wait()
		if health, err := h.Health(t.Context(), at); err != nil || health.Version != "2" {
			t.Errorf("it is %+v, %v", health, err)
		}
		done := execute(h, at, "k")
		if c := <-got; c.Key != "k" || c.Capability != "add" {
			t.Errorf("it is called with %+v", c)
		}
		if h.answer(domain.ID{8}, "k", commands.Result{}) {
			t.Error("another program answers the call")
		}
		text := "three"
		if !h.answer(at.Program, "k", commands.Result{Text: &text}) || h.answer(at.Program, "k", commands.Result{}) {
			t.Error("a call is answered not once")
		}
		if a := <-done; a.err != nil || *a.result.Text != text {
			t.Errorf("told %+v", a)
		}
		domaintest.Pass(PresentFor)
		if _, err := h.Health(t.Context(), at); err == nil {
			t.Error("a program that asks no more is there")
		}
	})
}

// A call that hangs has an unknown outcome; one that nobody took was not sent, and isn't taken later.
func TestHubHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, at := newHub()
		go h.next(context.Background(), at.Program) // takes one call and dies
		synctest.Wait()
		taken := execute(h, at, "taken")
		synctest.Wait()
		left := execute(h, at, "left")
		wantCode(t, <-taken, commands.CodePeerUnknown)
		wantCode(t, <-left, commands.CodePeerUnreachable)
		if h.answer(at.Program, "taken", commands.Result{}) {
			t.Error("a late answer is taken")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if c := h.next(ctx, at.Program); c != nil {
			t.Errorf("%s is called late", c.Key)
		}
	})
}

// Calls beyond the bound aren't sent.
func TestHubFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, at := newHub()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if h.next(ctx, at.Program) != nil { // it was there a moment ago
			t.Fatal("a call without a caller")
		}
		var all []<-chan answeredCall
		for n := range MaxWaiting {
			all = append(all, execute(h, at, fmt.Sprint(n)))
		}
		synctest.Wait()
		wantCode(t, <-execute(h, at, "more"), commands.CodePeerUnreachable)
		for _, one := range all {
			wantCode(t, <-one, commands.CodePeerUnreachable)
		}
		if l := h.line(at.Program); len(l.waiting)+len(l.taken) != 0 {
			t.Errorf("%d calls are kept", len(l.waiting)+len(l.taken))
		}
	})
}
