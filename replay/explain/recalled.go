package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// Bounds of linking a skill's answer to the memories and plans that it names.
const (
	recalledMost = 16   // ids of one answer; recall tells five
	recallsMost  = 5000 // steps of calls that are read after a memory or plan
	recallLooked = 8    // memories and plans of one explanation whose answers are looked for
)

// recallable are the fields in which skills name memories and plans.
var recallable = []string{"memory_id", "reminder_id", "appointment_id", "task_id", "list_id"}

// followRecalled goes from the answer of a skill to the memories and plans that it names
// and that were there before: what the call made came of it.
func (w *walk) followRecalled(ctx context.Context, rec domain.Record) error {
	ids := recalledIn(rec.Envelope)
	if len(ids) == 0 {
		return nil
	}
	call, err := w.callOf(ctx, rec)
	if err != nil || !call.ofSkill() {
		return err
	}
	for _, id := range ids {
		found, err := w.log.Find(ctx, id)
		switch {
		case domain.CategoryOf(err) == domain.NotFound:
		case err != nil:
			return err
		case isKept(found) && found.Position < call.invoked.Position:
			w.followTo(rec, found, RoleRecalled)
		}
	}
	return nil
}

// noteRecalled notes the answers of skills that name a memory or a plan.
func (w *walk) noteRecalled(ctx context.Context, rec domain.Record) error {
	if !isKept(rec) || w.linked.kept == recallLooked {
		return nil
	}
	w.linked.kept++
	id := rec.Envelope.ID
	var named []domain.Record
	err := w.lookOn(ctx, domain.TopicTools, rec, recallsMost, func(r domain.Record) {
		if len(named) < MaxNodes && bytes.Contains(r.Envelope.Payload.Bytes, []byte(id.UUID())) && slices.Contains(recalledIn(r.Envelope), id) {
			named = append(named, r)
		}
	})
	if err != nil {
		return err
	}
	for _, r := range named {
		call, err := w.callOf(ctx, r)
		if err != nil {
			return err
		}
		if call.ofSkill() && rec.Position < call.invoked.Position {
			w.expect(r, cause{id: id, role: RoleRecalled})
		}
	}
	return nil
}

// isKept reports whether a record is a memory, or made a plan.
func isKept(rec domain.Record) bool {
	made := rec.Envelope.Type
	return made == domain.MemoryRememberedType || made == domain.ListCreatedType || domain.MakesCommitment(made)
}

func (c call) ofSkill() bool {
	p, ok := decoded[domain.ToolInvoked](c.invoked.Envelope)
	return ok && c.invoked.Envelope.Type == domain.ToolInvokedType && p.InterfaceID.IsZero()
}

// recalledIn are the ids that the data of a tool's answer names.
func recalledIn(e domain.Envelope) (out []domain.ID) {
	answer, ok := decoded[domain.ToolCompleted](e)
	if !ok || e.Type != domain.ToolCompletedType || len(answer.Data) == 0 {
		return nil
	}
	tokens := json.NewDecoder(bytes.NewReader(answer.Data))
	names := false // the token before was such a field
	for len(out) < recalledMost {
		token, err := tokens.Token()
		if err != nil {
			return out // the end
		}
		text, _ := token.(string)
		if names {
			if id, err := domain.ParseID(text); err == nil && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
		names = slices.Contains(recallable, text)
	}
	return out
}
