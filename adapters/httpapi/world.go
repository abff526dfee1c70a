package httpapi

import (
	"net/http"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/replay/narrate"
)

// aheadSteps is the number of expected saliences of an item, besides the present one;
// maxAhead bounds how far ahead they reach.
const (
	aheadSteps = 48
	maxAhead   = 30 * 24 * time.Hour
)

func worldHandlers() handlers { return handlers{"world": (*exchange).world} }

// world is GET /api/world?at=&ahead=: the world state now, later, or at a past moment;
// with ahead also how each item will fade in that time.
func (x *exchange) world() error {
	q := x.query()
	ahead := q.span("ahead", maxAhead)
	ground, err := x.ground(q)
	if err != nil {
		return err
	}
	assembly := ground.Assembly
	body := api.World{AsOf: assembly.AsOf, Position: ground.Through, Over: assembly.Over, Zone: ground.Zone, Relations: make([]api.WorldRelation, len(ground.Relations)), StepMS: (ahead / aheadSteps).Milliseconds(),
		Threshold: ground.Params.World.Threshold.Float(), Surfaces: ground.Params.World.Surfaces.Float()}
	for i, rel := range ground.Relations {
		body.Relations[i] = api.WorldRelation{Signal: rel.Signal, Commitment: rel.Commitment, Score: rel.Score.Float()}
	}
	if body.Items, err = x.items(assembly.Items, assembly.AsOf); err != nil {
		return err
	}
	if body.LeftOut, err = x.items(assembly.LeftOut, assembly.AsOf); err != nil {
		return err
	}
	if body.Lacks, err = x.lacks(body.Position); err != nil {
		return err
	}
	if body.StepMS > 0 {
		expect(&body, assembly, ground.Params.World)
	}
	return x.answer(http.StatusOK, body)
}

// expect adds to each item its expected saliences.
func expect(b *api.World, assembly domain.Assembly, rules domain.WorldRules) {
	lists := [][]api.WorldItem{b.Items, b.LeftOut}
	for n, list := range [][]domain.Item{assembly.Items, assembly.LeftOut} {
		for i, item := range list {
			body := &lists[n][i]
			for step := range domain.Millis(aheadSteps + 1) {
				salience, expired := rules.Ahead(item.Candidate, b.AsOf+step*domain.Millis(b.StepMS))
				if expired {
					salience = 0
				}
				body.Expected = append(body.Expected, salience.Float())
			}
			// An item that was pushed out doesn't come back.
			if item.Gate != domain.GateOverCapacity {
				body.TurnsAt, _ = rules.Turns(item.Candidate, b.AsOf)
			}
		}
	}
}

// maxLabel bounds the bytes of an item's text: a hundred items may have the largest size.
const maxLabel = 2 << 10

// shorten cuts the label to the bound.
func shorten(b *api.WorldItem) {
	if len(b.Label) > maxLabel {
		b.Label, b.Cut = strings.ToValidUTF8(b.Label[:maxLabel], "")+" …", true
	}
}

// ground is the world state at a past moment, now, or at a later moment by present
// knowledge.
func (x *exchange) ground(q *query) (reasoning.ContextSnapshot, error) {
	if q.err == nil && !strings.HasPrefix(q.values.Get("at"), positionMark) {
		if at := q.moment("at", ahead); at >= q.now && q.err == nil {
			x.catchUp()
			return x.api.cfg.World.Ground(x.r.Context(), at, domain.ID{})
		}
	}
	then, err := x.asOf(q)
	if err != nil {
		return reasoning.ContextSnapshot{}, err
	}
	world, err := x.api.cfg.Past.World(x.r.Context(), then.Position)
	if err != nil {
		return reasoning.ContextSnapshot{}, err
	}
	snapshot, err := world.Ground(x.r.Context(), then.Time, domain.ID{})
	snapshot.Through = then.Position // also where the records before it went
	return snapshot, err
}

func (x *exchange) items(items []domain.Item, asOf domain.Millis) ([]api.WorldItem, error) {
	out := make([]api.WorldItem, 0, len(items))
	for _, item := range items {
		body, err := x.item(item, asOf)
		if err != nil {
			return nil, err
		}
		shorten(&body)
		out = append(out, body)
	}
	return out, nil
}

func (x *exchange) item(item domain.Item, asOf domain.Millis) (api.WorldItem, error) {
	body := api.WorldItem{
		Kind: item.Kind, Salience: item.Salience.Float(), Bonus: item.Bonus.Float(), Gate: item.Gate,
		EnvelopeID: item.EnvelopeID, Position: item.Position, RecordedAt: item.RecordedAt,
		AgeSeconds: max(0, int64(asOf-item.Since())/1000), ActivationEnergy: item.Energy.Float(),
		Phase: item.Phase, Moment: item.Moment,
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), item.EnvelopeID)
	if err != nil {
		return body, err
	}
	body.TraceID, body.Principal = rec.Envelope.Trace.ID, rec.Envelope.Principal
	if item.Kind.IsMinded() {
		body.Source = string(rec.Envelope.Source)
		body.Label, err = x.planText(item.Text())
		return body, err
	}
	if item.Kind == domain.ItemMessage {
		m, err := domain.Decode[domain.MessageReceived](rec.Envelope)
		body.Label, body.Source, body.Topic = m.Text, m.Sender(rec.Envelope.Source), m.Topic
		if domain.CodeOf(err) == domain.CodeErased {
			body.Label, err = commands.ErasedText, nil
		}
		return body, err
	}
	sig, err := domain.Decode[domain.SignalReceived](rec.Envelope)
	switch {
	case domain.CodeOf(err) == domain.CodeErased:
		body.Label, body.Source = "(erased)", string(rec.Envelope.Source)
	case err != nil:
		return body, err
	default:
		body.Label, body.Source, body.SignalType, body.Topic = sig.Content, sig.Source, sig.SignalType, sig.Topic
	}
	return body, nil
}

// entries are records for an answer, never null.
func entries(records []domain.Record, gists bool) []api.Entry {
	out := make([]api.Entry, len(records))
	for i, rec := range records {
		out[i].Record = rec
		if gists {
			told := narrate.Line(rec.Envelope)
			out[i].Gist = &told
		}
	}
	return out
}
