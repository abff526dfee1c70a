package player

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
	"chalie/replay/narrate"
)

// come appends an input to the branch, unless the change removes or moves it.
func (w *branching) come(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	if w.without[env.ID] || w.shut[env.Principal] || w.governs(env) {
		return w.lose(ctx, rec)
	}
	if id, _ := domain.InvocationOf(env); w.granted[id] && (env.Type == domain.ApprovalGrantedType || env.Type == domain.ApprovalRefusedType) {
		return w.lose(ctx, rec) // the yes was said before
	}
	if _, other := w.edited[env.Trace.ID]; other && env.Type == domain.AttemptFailedType {
		return w.lose(ctx, rec) // it was an attempt at other words
	}
	one, isEdited := w.edited[env.ID]
	if isEdited && one.moves() {
		return nil // it was moved
	}
	there, err := w.follows(ctx, rec)
	if err != nil {
		return err
	}
	if !there {
		return w.lose(ctx, rec)
	}
	for _, who := range letIn(env) {
		delete(w.shut, who)
	}
	switch env.Type {
	case domain.SystemStartedType:
		w.stopAll() // acts under way begin again from the log
	case domain.ReasoningYieldedType, domain.AttemptFailedType:
		return w.makeRoom(ctx, rec)
	}
	if isEdited {
		return w.write(ctx, one.rec)
	}
	pos, err := w.branch.Keep(rec)
	if err != nil {
		return err
	}
	rec.Position = pos
	return w.apply(rec)
}

// write appends an edited input.
func (w *branching) write(ctx context.Context, rec domain.Record) error {
	w.at = rec.Clock()
	receipt, err := w.branch.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}})
	if err != nil {
		return err
	}
	if t := w.anew[rec.Envelope.Trace]; t != nil {
		t.differs = true
	}
	rec.Position, rec.RecordedAt, rec.Ahead = receipt.Positions[0], receipt.RecordedAt, receipt.Ahead
	return w.apply(rec)
}

// letIn are the principals that a record lets in: an interface, a program with a token, also
// as earlier builds knew it, or a stream; none for any other record.
func letIn(env domain.Envelope) []domain.Principal {
	switch env.Type {
	case domain.InterfacePairedType, domain.MCPServerAddedType:
		return []domain.Principal{domain.Interface{ID: env.ID}.Principal()}
	case domain.InterfaceRegisteredType:
		p, _ := domain.Decode[domain.InterfaceRegistered](env)
		return []domain.Principal{domain.Interface{ID: p.InterfaceID}.Principal()}
	case domain.TokenIssuedType:
		p, _ := domain.Decode[domain.TokenIssued](env)
		return p.Principals(env.ID)
	case domain.StreamAddedType:
		return []domain.Principal{domain.Stream{ID: env.ID}.Principal()}
	}
	return nil
}

// lose notes that an input is left out. Whom it would have let in says nothing any more.
func (w *branching) lose(ctx context.Context, rec domain.Record) error {
	for _, who := range letIn(rec.Envelope) {
		w.shut[who] = true
	}
	trace := rec.Envelope.Trace
	if !w.scope.Trace.IsZero() && trace != w.scope.Trace {
		return nil
	}
	p, err := w.pastOf(ctx, trace)
	if err != nil {
		return err
	}
	w.touch(trace, p.opened.Position).differs = true
	return nil
}

// follows reports whether the causes of an input are in the branch, unchanged.
func (w *branching) follows(ctx context.Context, rec domain.Record) (bool, error) {
	if by := saidBy(rec.Envelope); !by.IsZero() {
		// An edited message decides the proposal itself, when it is answered.
		said, err := w.branch.Find(ctx, by)
		if domain.CategoryOf(err) == domain.NotFound || err == nil && !w.branch.Shares(said.Position) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	parent := rec.Envelope.Parent
	if parent.IsZero() {
		return true, nil
	}
	_, err := w.branch.Find(ctx, parent)
	if domain.CategoryOf(err) == domain.NotFound {
		// A cause that the log itself no longer holds isn't required.
		_, err = w.log.Find(ctx, parent)
		if domain.CategoryOf(err) == domain.NotFound {
			return true, nil
		}
		return false, err
	}
	return err == nil, err
}

// saidBy is the message that decided a proposal; nil for any other record.
func saidBy(env domain.Envelope) domain.ID {
	switch env.Type {
	case domain.ApprovalGrantedType:
		p, _ := domain.Decode[domain.ApprovalGranted](env)
		return p.MessageID
	case domain.ApprovalRefusedType:
		p, _ := domain.Decode[domain.ApprovalRefused](env)
		return p.MessageID
	}
	return domain.ID{}
}

// makeRoom makes an episode stop at its present step in the branch, as it did: a cycle that made
// room, or an attempt that ran into its bound.
func (w *branching) makeRoom(ctx context.Context, rec domain.Record) error {
	act := Act{Trace: rec.Envelope.Trace}
	w.stop(act)
	var ep domain.Episode
	if err := eachOf(ctx, w.branch, act.Trace, ep.Evolve); err != nil {
		return err
	}
	if ep.Next() == domain.MoveNone {
		return w.lose(ctx, rec)
	}
	key := domain.StepKey(act.Trace, ep.Steps+1)
	if slices.Contains(rec.Envelope.Keys, key) {
		pos, err := w.branch.Keep(rec)
		if err != nil {
			return err
		}
		rec.Position = pos
		return w.apply(rec)
	}
	rec.Envelope.Keys = slices.Clone(rec.Envelope.Keys)
	for i, k := range rec.Envelope.Keys {
		if strings.HasPrefix(string(k), "step/") {
			rec.Envelope.Keys[i] = key
		}
	}
	return w.write(ctx, rec)
}

// comeLate appends the moved inputs whose time has come: those before next, or all that
// are left.
func (w *branching) comeLate(ctx context.Context, next *domain.Record) error {
	for len(w.moved) > 0 && (next == nil || w.moved[0].rec.RecordedAt <= next.RecordedAt) {
		one := w.moved[0]
		w.moved = w.moved[1:]
		there, err := w.follows(ctx, one.rec)
		if err == nil && there {
			err = w.write(ctx, one.rec)
		} else if err == nil {
			err = w.lose(ctx, one.rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// govern sets the change's policy and parameters before the next record, as the person
// would.
func (w *branching) govern(ctx context.Context, next domain.Record) error {
	if w.Policy != nil {
		if err := decree(ctx, w, next, "policy", domain.PolicyChanged{Policy: *w.Policy}); err != nil {
			return err
		}
	}
	if len(w.Set) == 0 {
		return nil
	}
	set, err := w.settingsBefore(ctx, next.Position)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(w.Set)) {
		params := set.Params()
		was, err := params.Of(name)
		if err == nil {
			err = params.Set(name, w.Set[name])
		}
		if err != nil {
			return err
		}
		if is, _ := params.Of(name); is.Value == was.Value {
			continue // it stays as it was, whatever was set later
		}
		if err := decree(ctx, w, next, name, domain.SettingsChanged{Name: name, From: was.Value, To: w.Set[name]}); err != nil {
			return err
		}
	}
	return nil
}

// settingsBefore are the settings in force before a position.
func (w *branching) settingsBefore(ctx context.Context, before domain.Position) (out domain.Settings, err error) {
	_, failed := domain.Look(ctx, w.log, domain.Selector{Key: domain.SettingsKey}, 1, math.MaxInt, func(rec domain.Record) {
		if rec.Position < before && err == nil {
			err = out.Evolve(rec)
		}
	})
	return out, cmp.Or(err, failed)
}

func decree[P commands.Keyed](ctx context.Context, w *branching, next domain.Record, what string, payload P) error {
	var id domain.ID
	sum := sha256.Sum256(append([]byte(what+" before "), next.Envelope.ID[:]...))
	copy(id[:], sum[:])
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, next.RecordedAt, "replay", payload)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = payload.Keys()
	return w.write(ctx, domain.Record{Topic: entry.Topic, RecordedAt: next.RecordedAt, Ahead: next.Ahead, Envelope: entry.Envelope})
}

// governs reports whether a record changes what the change has decided.
func (w *branching) governs(env domain.Envelope) bool {
	switch env.Type {
	case domain.PolicyChangedType:
		return w.Policy != nil
	case domain.SettingsChangedType:
		set, err := domain.Decode[domain.SettingsChanged](env)
		_, ours := w.Set[set.Name]
		return err == nil && ours
	}
	return false
}

// InputType is a type of input, which a change can leave out or edit.
type InputType struct {
	Type   domain.EventType
	Fields []string // in an Edit's syntax, recorded_at last
}

// Inputs are the types of inputs, by topic. Tool calls are inputs only if a caller
// requested them directly, and changes by skills are none: those of settings are the
// person's, but for what a skill takes back.
func Inputs() []InputType {
	var out []InputType
	for _, d := range domain.Events().Definitions() {
		if origin, _ := narrate.OriginOf(d.Type); origin == narrate.OriginGiven || d.Type == domain.ToolInvokedType || d.Type == domain.SettingsChangedType {
			out = append(out, InputType{d.Type, append(fieldNames(d.Fields), AtField)})
		}
	}
	return out
}

// falling finds the plans that fall due in a branch but didn't in the log. They have no
// recorded moment, so the scheduler tells them on time.
type falling struct {
	then, here domain.Commitments // plans in the log and in the branch
	told       map[dueAt]bool     // plans already told in the branch
	next       dueAt              // the earliest; the zero value for nothing
	begun      map[domain.ID]domain.Record
}

// dueAt is a plan at a time.
type dueAt struct {
	plan domain.ID
	at   domain.Millis
}

// recorded folds a record of the log.
func (w *branching) recorded(rec domain.Record) error {
	if !domain.IsCommitment(rec.Envelope.Type) {
		return nil
	}
	if err := w.falling.then.Evolve(rec); err != nil {
		return err
	}
	w.falling.look()
	return nil
}

// apply folds a record of the branch.
func (w *branching) apply(rec domain.Record) error {
	if err := w.runtime.Apply(rec); err != nil {
		return err
	}
	if !domain.IsCommitment(rec.Envelope.Type) {
		return nil
	}
	if err := w.falling.here.Evolve(rec); err != nil {
		return err
	}
	w.falling.look()
	return nil
}

// look finds the next plan that falls due only in the branch.
func (f *falling) look() {
	f.next = dueAt{}
	for id, one := range f.here.Open {
		due := dueAt{id, one.Tells()}
		if due.at == 0 || f.told[due] || f.then.Open[id].Tells() == due.at {
			continue
		}
		if first := f.next; first.at == 0 || due.at < first.at || due.at == first.at && bytes.Compare(id[:], first.plan[:]) < 0 {
			f.next = due
		}
	}
}

// fallDue tells the plans that have fallen due in the branch by a time. A plan with a
// recorded moment waits for that.
func (w *branching) fallDue(ctx context.Context, by domain.Millis, pos domain.Position) error {
	for w.falling.next.at != 0 && w.falling.next.at <= by {
		due := w.falling.next
		w.falling.told[due] = true
		w.falling.look()
		recorded, err := w.log.Select(ctx, domain.Selector{Key: domain.DueKey(due.plan, due.at)}, w.fork+1, 1)
		if err != nil {
			return err
		}
		if len(recorded) > 0 || !w.scope.Trace.IsZero() {
			continue
		}
		sum := sha256.Sum256(slices.Concat([]byte("due"), due.plan[:], binary.BigEndian.AppendUint64(nil, uint64(due.at))))
		id := mintedAt(due.at, sum)
		opening, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, due.at, "scheduler", domain.TimerDue{SubjectID: due.plan, Due: due.at})
		if err != nil {
			return err
		}
		w.falling.begun[id] = domain.Record{Topic: opening.Topic, RecordedAt: due.at, Envelope: opening.Envelope}
		w.touch(domain.TraceID{ID: id}, pos).differs = true
		w.now, w.at = due.at, due.at
		if err := w.finish(ctx, Act{Trace: domain.TraceID{ID: id}}); err != nil {
			return err
		}
	}
	return nil
}

// mintedAt is an id made of a hash.
func mintedAt(at domain.Millis, sum [sha256.Size]byte) domain.ID {
	var id domain.ID
	copy(id[:], sum[:])
	binary.BigEndian.PutUint64(id[:8], uint64(max(at, 0))<<16|0x7000|uint64(binary.BigEndian.Uint16(id[6:8])&0x0fff))
	id[8] = id[8]&0x3f | 0x80
	return id
}
