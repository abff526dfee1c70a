package httpapi

import (
	"net/http"
	"slices"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/when"
)

// plansBody is the answer of GET /api/plans.
type plansBody struct {
	AsOf      *asOf      `json:"as_of,omitempty"` // when at was asked
	Reminders []planBody `json:"reminders"`       // the next first
	Tasks     []planBody `json:"tasks"`           // those with a deadline first, the nearest before the others
	Lists     []listBody `json:"lists"`
	Ended     []planBody `json:"ended"` // told, done or dropped lately, the latest first
}

// planBody is a reminder or a task. Its text is read from the log by reference: a
// projection keeps none.
type planBody struct {
	ID         string          `json:"id"`
	Kind       domain.ItemKind `json:"kind"`
	Text       string          `json:"text"`
	Standing   domain.Standing `json:"standing"`
	Due        *string         `json:"due"` // of a task the deadline
	Overdue    bool            `json:"overdue"`
	Recurrence *string         `json:"recurrence"` // in words; null for once
	Zone       string          `json:"zone"`       // in which its times are meant
	Percent    int             `json:"percent"`    // of a task
	SetAt      *string         `json:"set_at"`
	ToldAt     *string         `json:"told_at"`
	EndedAt    *string         `json:"ended_at"`
}

// listBody is a list with what is on it.
type listBody struct {
	ID    string         `json:"id"`
	Name  string         `json:"name"`
	Items []listItemBody `json:"items"`
}

type listItemBody struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// plans is GET /api/plans?at=.
func (x *exchange) plans() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	then, book, err := x.planBook(q)
	if err != nil {
		return err
	}
	now := q.now
	if then != nil {
		now = then.Time
	}
	body := plansBody{AsOf: then, Reminders: []planBody{}, Tasks: []planBody{}, Lists: []listBody{}, Ended: []planBody{}}
	open, ended, lists := planned(book)
	for _, c := range open {
		p, err := x.planBody(c, now)
		if err != nil {
			return err
		}
		if c.Kind == domain.ItemReminder {
			body.Reminders = append(body.Reminders, p)
		} else {
			body.Tasks = append(body.Tasks, p)
		}
	}
	for _, c := range slices.Backward(ended) {
		p, err := x.planBody(c, now)
		if err != nil {
			return err
		}
		body.Ended = append(body.Ended, p)
	}
	for _, l := range lists {
		one, err := x.listBody(l)
		if err != nil {
			return err
		}
		body.Lists = append(body.Lists, one)
	}
	return x.answer(http.StatusOK, body)
}

// planBook is what is planned, or what was when at asks about.
func (x *exchange) planBook(q query) (*asOf, commands.View[domain.Plans], error) {
	then, err := x.asOf(q)
	switch {
	case err != nil:
		return nil, nil, err
	case then == nil:
		x.catchUp()
		return nil, x.api.cfg.Plans, nil
	}
	book, err := x.api.cfg.Past.Plans(x.r.Context(), then.Position)
	return then, book, err
}

// planned is what is planned, by reference; nothing where nobody knows.
func planned(book commands.View[domain.Plans]) (open, ended []domain.Commitment, lists []domain.Listing) {
	if book == nil {
		return nil, nil, nil
	}
	book.Read(func(p *domain.Plans) {
		open, ended = p.Commitments.List(), slices.Clone(p.Commitments.Ended)
		for _, l := range p.Lists.All {
			lists = append(lists, domain.Listing{ID: l.ID, Items: slices.Clone(l.Items)})
		}
	})
	return open, ended, lists
}

func (x *exchange) planBody(c domain.Commitment, now domain.Millis) (planBody, error) {
	out := planBody{
		ID: c.ID.UUID(), Kind: c.Kind, Standing: c.Standing, Due: timestamp(c.Due), Percent: c.Percent,
		Overdue: c.Standing == domain.StandingOpen && c.Due != 0 && c.Due < now,
		SetAt:   timestamp(c.RecordedAt), ToldAt: timestamp(c.Told), EndedAt: timestamp(c.Ended),
	}
	var err error
	if out.Text, err = x.planText(c.TextID); err != nil {
		return out, err
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), c.Timing)
	if err != nil {
		return out, err
	}
	timing, err := domain.TimingOf(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return out, err
	}
	out.Zone = timing.Zone
	if timing.Recurrence != nil {
		words := when.SayAgain(*timing.Recurrence)
		out.Recurrence = &words
	}
	return out, nil
}

func (x *exchange) listBody(l domain.Listing) (listBody, error) {
	out := listBody{ID: l.ID.UUID(), Items: []listItemBody{}}
	var err error
	if out.Name, err = x.planText(l.ID); err != nil {
		return out, err
	}
	for _, id := range l.Items {
		text, err := x.planText(id)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, listItemBody{id.UUID(), text})
	}
	return out, nil
}

// planText is what a plan says, by the envelope that its words stand in.
func (x *exchange) planText(id domain.ID) (string, error) {
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if err != nil {
		return "", err
	}
	text, err := domain.PlanText(rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return "(erased)", nil
	}
	return text, err
}
