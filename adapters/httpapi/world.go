package httpapi

import (
	"net/http"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// worldBody is the answer of GET /api/world.
type worldBody struct {
	AsOf     domain.Millis   `json:"as_of"`
	Position domain.Position `json:"position"`
	Items    []itemBody      `json:"items"`
	LeftOut  []itemBody      `json:"left_out"`
	// Relations are what was heard that bears on what is planned, strongest first.
	Relations []relationBody `json:"relations"`
	// Ahead is how far apart the expected saliences of each item are; 0 unless asked.
	Ahead int64 `json:"ahead_step_ms,omitempty"`
}

// relationBody is a pair by envelope id, and how much the one bears on the other,
// from 0 to 1.
type relationBody struct {
	Signal     domain.ID `json:"signal"`
	Commitment domain.ID `json:"commitment"`
	Score      float64   `json:"score"`
}

// itemBody is one item. Its text is read from the log by reference: a projection
// keeps none.
type itemBody struct {
	Kind             domain.ItemKind  `json:"kind"`
	Label            string           `json:"label"`
	Cut              bool             `json:"cut,omitempty"` // the label is the text's beginning; the envelope has all of it
	Salience         float64          `json:"salience"`
	Bonus            float64          `json:"bonus,omitempty"`
	Gate             domain.Gate      `json:"gate,omitempty"` // only of what is left out
	Source           string           `json:"source"`
	EnvelopeID       domain.ID        `json:"envelope_id"`
	TraceID          domain.ID        `json:"trace_id"`
	Position         domain.Position  `json:"position"`
	RecordedAt       domain.Millis    `json:"recorded_at"`
	AgeSeconds       int64            `json:"age_seconds"`
	Principal        domain.Principal `json:"principal"`
	SignalType       string           `json:"signal_type,omitempty"`
	Topic            *string          `json:"topic,omitempty"`
	ActivationEnergy float64          `json:"activation_energy"`
	Phase            domain.Phase     `json:"phase,omitempty"`  // of a reminder or task
	Moment           domain.Millis    `json:"moment,omitempty"` // when that is due, or was told or done

	// Expected are its saliences from as_of on, and TurnsAt when it falls out of mind
	// or comes into it by itself: 0 when neither is to be expected. With ahead only.
	Expected []float64     `json:"expected,omitempty"`
	TurnsAt  domain.Millis `json:"turns_at,omitempty"`
}

// aheadSteps is how many expected saliences an item has, besides that of the moment;
// maxAhead bounds how far they reach.
const (
	aheadSteps = 48
	maxAhead   = 30 * 24 * time.Hour
)

// world is GET /api/world?at=&ahead=: now, later, or as it was; with ahead also how
// each item will fade in that time.
func (x *exchange) world() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	ahead, err := q.span("ahead", maxAhead)
	if err != nil {
		return err
	}
	ground, err := x.ground(q)
	if err != nil {
		return err
	}
	assembly := ground.Assembly
	body := worldBody{AsOf: assembly.AsOf, Position: ground.Through, Relations: make([]relationBody, len(ground.Relations)), Ahead: (ahead / aheadSteps).Milliseconds()}
	for i, rel := range ground.Relations {
		body.Relations[i] = relationBody{rel.Signal, rel.Commitment, rel.Score.Float()}
	}
	if body.Items, err = x.items(assembly.Items, assembly.AsOf); err != nil {
		return err
	}
	if body.LeftOut, err = x.items(assembly.LeftOut, assembly.AsOf); err != nil {
		return err
	}
	if body.Ahead > 0 {
		body.expect(assembly)
	}
	return x.answer(http.StatusOK, body)
}

// expect says of each item how it will go on.
func (b *worldBody) expect(assembly domain.Assembly) {
	rules := domain.DefaultWorldRules()
	lists := [][]itemBody{b.Items, b.LeftOut}
	for n, list := range [][]domain.Item{assembly.Items, assembly.LeftOut} {
		for i, item := range list {
			body := &lists[n][i]
			for step := range domain.Millis(aheadSteps + 1) {
				salience, expired := rules.Ahead(item.Candidate, b.AsOf+step*domain.Millis(b.Ahead))
				if expired {
					salience = 0
				}
				body.Expected = append(body.Expected, salience.Float())
			}
			// What was pushed out doesn't come back.
			if item.Gate != domain.GateOverCapacity {
				body.TurnsAt, _ = rules.Turns(item.Candidate, b.AsOf)
			}
		}
	}
}

// maxLabel is how many bytes of an item's text are told: a hundred of them may be of
// the largest size.
const maxLabel = 2 << 10

// shorten leaves of the label what fits.
func (b *itemBody) shorten() {
	if len(b.Label) > maxLabel {
		b.Label, b.Cut = strings.ToValidUTF8(b.Label[:maxLabel], "")+" …", true
	}
}

// ground is the world as it was at a past moment; now, or with what is known now at
// a later one.
func (x *exchange) ground(q query) (commands.Ground, error) {
	if !strings.HasPrefix(q.values.Get("at"), positionMark) {
		at, err := q.moment("at", ahead)
		if err != nil {
			return commands.Ground{}, err
		}
		if at >= q.now {
			x.catchUp()
			return x.api.cfg.World.Ground(x.r.Context(), at)
		}
	}
	then, err := x.asOf(q)
	if err != nil {
		return commands.Ground{}, err
	}
	world, err := x.api.cfg.Past.World(x.r.Context(), then.Position)
	if err != nil {
		return commands.Ground{}, err
	}
	return world.Ground(x.r.Context(), then.Time)
}

func (x *exchange) items(items []domain.Item, asOf domain.Millis) ([]itemBody, error) {
	out := make([]itemBody, 0, len(items))
	for _, item := range items {
		body, err := x.item(item, asOf)
		if err != nil {
			return nil, err
		}
		body.shorten()
		out = append(out, body)
	}
	return out, nil
}

func (x *exchange) item(item domain.Item, asOf domain.Millis) (itemBody, error) {
	body := itemBody{
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
	if item.Kind == domain.ItemReminder || item.Kind == domain.ItemTask {
		body.Source = string(rec.Envelope.Source)
		body.Label, err = x.planText(item.Text())
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
