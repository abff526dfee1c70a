package httpapi

import (
	"cmp"
	"net/http"
	"slices"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/when"
)

func planHandlers() handlers { return handlers{"plans": (*exchange).plans} }

// plans is GET /api/plans?at=.
func (x *exchange) plans() error {
	q := x.query()
	then, book, err := x.planBook(q)
	if err != nil {
		return err
	}
	now := q.now
	if then != nil {
		now = then.Time
	}
	body := api.Plans{AsOf: then, Reminders: []api.Plan{}, Appointments: []api.Plan{}, Tasks: []api.Plan{}, Lists: []api.PlanList{}, Ended: []api.Plan{}}
	open, ended, lists := planned(book)
	of := map[domain.ItemKind]*[]api.Plan{domain.ItemReminder: &body.Reminders, domain.ItemAppointment: &body.Appointments, domain.ItemTask: &body.Tasks}
	for _, c := range open {
		p, err := x.planBody(c, now)
		if err != nil {
			return err
		}
		all := cmp.Or(of[c.Kind], &body.Others)
		*all = append(*all, p)
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

// planBook is the plans now, or at the moment "at".
func (x *exchange) planBook(q *query) (*api.AsOf, commands.View[domain.Plans], error) {
	then, err := x.asOf(q)
	switch {
	case err != nil:
		return nil, nil, err
	case then == nil:
		x.catchUp()
		return nil, viewOf[domain.Plans](x), nil
	}
	book, err := x.api.cfg.Past.Plans(x.r.Context(), then.Position)
	return then, book, err
}

// planned is the plans, by reference; empty without a view of them.
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

func (x *exchange) planBody(c domain.Commitment, now domain.Millis) (api.Plan, error) {
	out := api.Plan{
		ID: api.UUID{ID: c.ID}, Kind: c.Kind, Standing: c.Standing, Due: api.TimestampOf(c.Due), Percent: c.Percent,
		Overdue: c.Standing == domain.StandingOpen && c.Due != 0 && c.Due < now && !c.Kind.TakesPlace(),
		Ends:    api.TimestampOf(c.End), People: []string{},
		SetAt: api.TimestampOf(c.RecordedAt), ToldAt: api.TimestampOf(c.Told), EndedAt: api.TimestampOf(c.Ended),
	}
	var err error
	if out.Text, err = x.planText(c.TextID); err != nil {
		return out, err
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), c.Timing)
	if err != nil {
		return out, err
	}
	said, err := domain.SaidOf(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return out, err
	}
	a := said.Time
	out.Zone = a.Zone
	if a.Recurrence != nil {
		words := when.SayAgain(*a.Recurrence)
		out.Recurrence = &words
	}
	if !c.Kind.TakesPlace() {
		return out, nil
	}
	out.TellAt, out.AllDay, out.Place, out.People = api.TimestampOf(c.Tells()), a.AllDay, a.Place, append(out.People, a.People...)
	if a.AllDay && a.Recurrence != nil {
		words := when.SayDays(*a.Recurrence)
		out.Recurrence = &words
	}
	return out, nil
}

func (x *exchange) listBody(l domain.Listing) (api.PlanList, error) {
	out := api.PlanList{ID: api.UUID{ID: l.ID}, Items: []api.PlanItem{}}
	var err error
	if out.Name, err = x.planText(l.ID); err != nil {
		return out, err
	}
	for _, id := range l.Items {
		text, err := x.planText(id)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, api.PlanItem{ID: api.UUID{ID: id}, Text: text})
	}
	return out, nil
}

// planText is the text of a plan, from the envelope that holds it.
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
