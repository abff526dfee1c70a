package player

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"chalie/domain"
)

// idBook gives the steps of a branch their ids. A step that was also recorded gets the
// recorded id, because later records refer to it. Which step that is becomes known when it
// is appended, so code gets provisional ids, which are then replaced everywhere.
type idBook struct {
	w       *walk
	act     Act
	handed  map[domain.ID]bool
	renamed map[domain.ID]domain.ID
	texts   []string          // of strings.NewReplacer
	written *strings.Replacer // of texts; nil when they have changed
}

func (w *walk) naming(act Act) idBook {
	return idBook{w: w, act: act, handed: map[domain.ID]bool{}, renamed: map[domain.ID]domain.ID{}}
}

func (n *idBook) clone() idBook {
	out := *n
	out.handed, out.renamed, out.texts = maps.Clone(n.handed), maps.Clone(n.renamed), slices.Clone(n.texts)
	return out
}

// NewID implements domain.IDs for the run whose turn it is: an act gets the same ids on
// every machine.
func (w *walk) NewID() domain.ID {
	r := w.moving
	w.minted[r.act]++
	seed := slices.Concat(r.act.Trace.ID[:], r.act.Invocation[:], binary.BigEndian.AppendUint64(nil, w.minted[r.act]))
	id := mintedAt(w.now, sha256.Sum256(seed))
	r.names.handed[id] = true
	return id
}

// of is an id's replacement in the branch.
func (n *idBook) of(id domain.ID) domain.ID {
	if other, ok := n.renamed[id]; ok {
		return other
	}
	return id
}

func (n *idBook) selector(s domain.Selector) domain.Selector {
	s.Parent = n.of(s.Parent)
	if s.Key != "" {
		s.Key = domain.Key(n.text(string(s.Key)))
	}
	return s
}

func (n *idBook) text(s string) string {
	if len(n.texts) == 0 {
		return s
	}
	if n.written == nil {
		n.written = strings.NewReplacer(n.texts...)
	}
	return n.written.Replace(s)
}

// replace replaces one id by another from now on, in every spelling.
func (n *idBook) replace(from, to domain.ID) {
	n.renamed[from] = to
	n.texts, n.written = append(n.texts, from.String(), to.String(), from.UUID(), to.UUID()), nil
}

// settle gives the entries of a batch their ids: those of their twins in the log, where
// they have any.
func (n *idBook) settle(ctx context.Context, on course, batch *domain.Batch) error {
	for i := range batch.Entries {
		env := batch.Entries[i].Envelope
		n.rewrite(&env)
		if env.Type == domain.TimerDueType && n.handed[env.ID] {
			// It opens the trace of its recorded step.
			n.replace(env.ID, n.act.Trace.ID)
			env.ID = n.act.Trace.ID
			n.rewrite(&env)
		}
		if n.handed[env.ID] {
			twin, err := on.twin(ctx, n.act, env)
			if err != nil {
				return err
			}
			if twin != nil {
				n.replace(env.ID, twin.ID)
				n.tokens(env, *twin)
				env.ID = twin.ID
				n.rewrite(&env)
				env.Payload.Bytes = on.asThen(env.Payload.Bytes, twin.Payload.Bytes)
			}
		}
		batch.Entries[i].Envelope = env
	}
	for i := range len(batch.Entries) - 1 { // what refers to an entry behind it
		n.rewrite(&batch.Entries[i].Envelope)
	}
	for i, c := range batch.Conditions {
		batch.Conditions[i].Key = domain.Key(n.text(string(c.Key)))
	}
	return nil
}

// copied copies a number of a recorded payload.
func copied(now, then []byte, field string) []byte {
	here, there := gjson.GetBytes(now, field), gjson.GetBytes(then, field)
	if !here.Exists() || !there.Exists() || here.Index == 0 || here.Raw == there.Raw {
		return now
	}
	return slices.Concat(now[:here.Index], []byte(there.Raw), now[here.Index+len(here.Raw):])
}

// rewrite replaces all ids in an envelope.
func (n *idBook) rewrite(env *domain.Envelope) {
	if len(n.texts) == 0 {
		return
	}
	env.Parent, env.Trace.ID = n.of(env.Parent), n.of(env.Trace.ID)
	keys := make([]domain.Key, len(env.Keys))
	for i, k := range env.Keys {
		keys[i] = domain.Key(n.text(string(k)))
	}
	env.Keys = keys
	if env.Payload.Encoding == domain.EncodingJSON {
		env.Payload.Bytes = []byte(n.text(string(env.Payload.Bytes)))
	}
	faults := make([]domain.Fault, len(env.Errors))
	for i, f := range env.Errors {
		f.Message = n.text(f.Message)
		faults[i] = f
	}
	if len(faults) > 0 {
		env.Errors = faults
	}
}

// tokens gives a proposal its recorded token, because the recorded decision refers to it.
func (n *idBook) tokens(env, twin domain.Envelope) {
	if env.Type != domain.PolicyDecidedType && env.Type != domain.ApprovalProposedType {
		return
	}
	var now, then struct {
		Token string `json:"proposal_token"`
	}
	if json.Unmarshal(env.Payload.Bytes, &now) != nil || json.Unmarshal(twin.Payload.Bytes, &then) != nil {
		return
	}
	if now.Token != "" && then.Token != "" && now.Token != then.Token {
		n.texts, n.written = append(n.texts, now.Token, then.Token), nil
	}
}

// identity identifies a step of a trace, equally in the log and in a branch.
type identity struct {
	kind domain.EventType
	of   string
	n    int
}

// identityOf identifies a step by its number in the episode, its call in a reply, its
// part in an invocation, or otherwise its parent. An episode has one end.
func identityOf(env domain.Envelope) identity {
	id := identity{kind: env.Type, of: env.Parent.String()}
	if env.Type == domain.ReasoningConcludedType {
		id.of = ""
		return id
	}
	for _, key := range env.Keys {
		for _, prefix := range []string{"call/", "step/", "invocation/"} {
			if strings.HasPrefix(string(key), prefix) {
				id.of = string(key)
				return id
			}
		}
	}
	return id
}
