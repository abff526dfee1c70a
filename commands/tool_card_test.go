package commands_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// knife cleans a card by cutting scripts off.
type knife struct{}

func (knife) Clean(html, css string) (string, string, string) {
	clean, _, _ := strings.Cut(html, "<script")
	return clean, css, "c1"
}

// A card is recorded clean, or not at all, and shown to who waits for an answer.
func TestCards(t *testing.T) {
	title, color := "Valletta", "#0af"
	answer := func(html string) func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
			r := answered("done")
			r.Card = &domain.Card{HTML: html, CSS: "p{}", Title: &title, AccentColor: &color}
			return r, nil
		}
	}
	end := func(w *workshop) (domain.Record, domain.ToolCompleted) {
		records := w.records(domain.TopicTools)
		last := records[len(records)-1]
		return last, decoded[domain.ToolCompleted](w.t, last)
	}
	find := func(w *workshop) func(domain.ID) (domain.Envelope, error) {
		return func(id domain.ID) (domain.Envelope, error) {
			rec, err := w.log.Find(t.Context(), id)
			return rec.Envelope, err
		}
	}
	w := newWorkshop(t)
	w.cards = knife{}
	w.peer.do = answer("<p>21°</p><script>")
	if _, err := w.tools().Call(t.Context(), ada, inAnEpisode(t, w)); err != nil {
		t.Fatal(err)
	}
	rec, done := end(w)
	if done.Card == nil || done.Card.HTML != "<p>21°</p>" || done.Card.ScopeID != "c1" || *done.Card.Title != title {
		t.Fatalf("recorded %+v", done.Card)
	}
	frames, err := domain.Frames(rec, find(w))
	if err != nil || len(frames) != 1 || frames[0].Type != domain.FrameCard || frames[0].Card.HTML != "<p>21°</p>" || frames[0].Tool != "cancel" || frames[0].OutputID != rec.Envelope.ID {
		t.Errorf("the person gets %+v, %v", frames, err)
	}
	rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if frames, err := domain.Frames(rec, find(w)); err != nil || len(frames) != 1 || !strings.Contains(frames[0].Card.HTML, "erased") {
		t.Errorf("erased, the person gets %+v, %v", frames, err)
	}

	// Nothing of it may be shown.
	w.peer.do = answer("<script>")
	if _, err := w.tools().Call(t.Context(), ada, inAnEpisode(t, w)); err != nil {
		t.Fatal(err)
	}
	if rec, done := end(w); done.Card != nil || slices.Contains(rec.Envelope.Keys, domain.CardKey) {
		t.Errorf("recorded %+v", done.Card)
	}
	// Whoever invoked it by hand has the answer.
	w.peer.do = answer("<p>21°</p>")
	if _, err := w.tools().Invoke(t.Context(), ada, cancels()); err != nil {
		t.Fatal(err)
	}
	if rec, done := end(w); done.Card == nil || slices.Contains(rec.Envelope.Keys, domain.CardKey) {
		t.Errorf("recorded %+v with %v", done.Card, rec.Envelope.Keys)
	}
}
