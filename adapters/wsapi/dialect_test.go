package wsapi

import (
	"context"
	"net/http"
	"testing"

	"chalie/domain"
)

// foreign is a dialect of another kind: its clients resume by their request, and are sent no
// ping of its own.
type foreign struct {
	*Chat
	from domain.Seq
}

func (d foreign) Opening(*http.Request) (domain.Seq, bool, error) { return d.from, true, nil }
func (d foreign) Ping() []byte                                    { return nil }
func (d foreign) Handle(_ context.Context, c *Client, text []byte) error {
	c.Send(append([]byte(`{"type":"echo","text":`), append(text, '}')...))
	return nil
}

func TestARequestResumes(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Speaks = foreign{c.Speaks.(*Chat), domain.SeqOf(1, 0)} })
	srv := h.serve(t)
	h.status(t)
	missed := h.status(t)
	h.followed(t)
	p := connect(t, srv)
	if got := p.text("status"); got.Seq != missed {
		t.Errorf("it is sent %s first, want %d", got, missed)
	}
	p.say(`7`)
	p.text("echo")
	live := h.status(t)
	if got := p.text("status"); got.Seq != live {
		t.Errorf("it is sent %s, want %d", got, live)
	}
}

// TestToldToThoseWhoAreThere: it comes from no record, so it has no number and nobody is sent it
// later.
func TestToldToThoseWhoAreThere(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	p := connect(t, srv)
	p.say(`{"type":"nonsense"}`)
	p.refusal()
	h.hub.Tell([]byte(`{"type":"weather"}`))
	p.text("weather")
	live := h.status(t)
	late := connect(t, srv)
	late.say(`{"type":"resume","last_seq":0}`)
	if got := late.text("status"); got.Seq != live {
		t.Errorf("who comes later is sent %s", got)
	}
}
