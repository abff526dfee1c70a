package wsapi

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/gobwas/ws"
)

func TestWhatIsSaid(t *testing.T) {
	h := newHouse(t)
	p := connect(t, h.serve(t))
	id := h.ids.NewID()
	p.say(`{"type":"chat","text":"one","more":{"ignored":true}}`)
	p.say(`{"type":"chat","text":"two","source":"voice","image_ids":["%s","%s"]}`, id, strings.ReplaceAll(h.ids.NewID().UUID(), "-", ""))
	p.say(`{"type":"chat","text":"three","source":null,"image_ids":null,"timezone":"Europe/Malta"}`)
	p.say(`{"type":"action","payload":{"skill":"remind","when":"noon"},"label":"At noon"}`)
	p.say(`{"type":"chat","text":"four \u00fc \ud83d\ude00"}`)
	for range 4 {
		p.text("status")
	}
	said := h.said()
	want := []any{
		domain.MessageReceived{Text: "one", Source: "text", ImageIDs: []domain.ID{}},
		nil,
		domain.MessageReceived{Text: "three", Source: "text", Zone: "Europe/Malta", ImageIDs: []domain.ID{}},
		domain.ActionReceived{Skill: "remind", Payload: []byte(`{"skill":"remind","when":"noon"}`), Label: "At noon"},
		domain.MessageReceived{Text: "four ü 😀", Source: "text", ImageIDs: []domain.ID{}},
	}
	if len(said) != len(want) {
		t.Fatalf("heard %v", said)
	}
	for i := range want {
		if want[i] != nil && !reflect.DeepEqual(said[i], want[i]) {
			t.Errorf("heard %+v, want %+v", said[i], want[i])
		}
	}
	if two, ok := said[1].(domain.MessageReceived); !ok || two.Source != "voice" || len(two.ImageIDs) != 2 || two.ImageIDs[0] != id {
		t.Errorf("heard %+v", said[1])
	}
	p.say(`{"type":"act_steer","text":"shorter"}`)
	domaintest.Until(t, "the steer is heard", func() bool { return len(h.said()) == 6 && h.said()[5] == "shorter" })
	p.say(`{"type":"cancel"}`)
	p.say(`{"type":"cancel","exchange_id":"%s"}`, id.UUID())
	domaintest.Until(t, "both wishes are heard", func() bool { return len(h.said()) == 8 && h.said()[6] == domain.ID{} && h.said()[7] == id })
	p.say(`{"type":"seen","exchange_ids":["%s"]}`, id.UUID())
	domaintest.Until(t, "what was seen is heard", func() bool { return len(h.said()) == 9 && reflect.DeepEqual(h.said()[8], []domain.ID{id}) })
	for _, bad := range []string{`{"type":"seen"}`, `{"type":"seen","exchange_ids":["nonsense"]}`, `{"type":"cancel","exchange_id":"nonsense"}`, `{"type":"action","payload":{"skill":"remind"},"label":7}`} {
		p.say("%s", bad)
		p.refusal()
	}
}

// TestWhatIsRefused tells what a command says, and never why inside.
func TestWhatIsRefused(t *testing.T) {
	h := newHouse(t)
	p := connect(t, h.serve(t))
	for _, c := range []struct {
		err  error
		want string
	}{
		{domain.Invalid("say", "image_ids", "no image was uploaded: upload it first"), "no image was uploaded: upload it first"},
		{&domain.Error{Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "the disk is full: make room", Err: errors.New("secret")}, "the disk is full: make room"},
		{errors.New("secret"), "something went wrong inside Chalie: its log says what"},
	} {
		h.refusing(c.err)
		for _, msg := range []string{hello, `{"type":"action","payload":{"skill":"x"}}`, `{"type":"act_steer","text":"x"}`} {
			p.say("%s", msg)
			if got := p.refusal(); got.Message != c.want {
				t.Errorf("got %q, want %q", got.Message, c.want)
			}
		}
	}
	h.refusing(nil)
	p.say(hello)
	p.text("status")
}

// TestEveryLengthComesWhole sends messages of many lengths, in pieces and
// fragments of any size, under changing masks.
func TestEveryLengthComesWhole(t *testing.T) {
	h := newHouse(t)
	p := connect(t, h.serve(t))
	dice := rand.New(rand.NewPCG(1, 2))
	lengths := []int{4095, 4096, 4097, 8192, 65535 - 26, 65535 - 25, 65536 - 26, 60_000}
	for n := range 300 {
		lengths = append(lengths, n+1)
	}
	var want []string
	for _, n := range lengths {
		text := strings.Repeat("abcdefghijklmnopqrstuvwxyz", n/26+1)[:n]
		want = append(want, text)
		msg := []byte(`{"type":"chat","text":"` + text + `"}`)
		var wire []byte
		op := ws.OpText
		for len(msg) > 0 {
			size := min(len(msg), 1+dice.IntN(len(msg)))
			f := ws.MaskFrame(ws.NewFrame(op, size == len(msg), append([]byte(nil), msg[:size]...)))
			wire, msg, op = append(wire, ws.MustCompileFrame(f)...), msg[size:], ws.OpContinuation
		}
		for len(wire) > 0 {
			size := min(len(wire), 1+dice.IntN(len(wire)))
			p.send(wire[:size])
			wire = wire[size:]
		}
		p.text("status")
	}
	for i, what := range h.said() {
		if msg, ok := what.(domain.MessageReceived); !ok || msg.Text != want[i] {
			t.Fatalf("message %d of %d bytes came as %.80v", i, len(want[i]), what)
		}
	}
}
