package httpapi_test

import (
	"strings"
	"testing"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/projections"
)

// planned is a fold that a test fills.
type planned struct {
	projections.Projection // none: it is only read
	domain.Plans
}

func (p *planned) Read(fn func(*domain.Plans)) { fn(&p.Plans) }

// plan records something planned and folds it.
func plan[P any](b *bench, p *planned, payload P) domain.ID {
	b.t.Helper()
	id := b.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(b.clock.Now()), "skills", payload)
	if keyed, ok := any(payload).(interface{ Keys() []domain.Key }); ok {
		entry.Envelope.Keys = keyed.Keys()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	receipt, err := b.log.Append(b.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	if err == nil {
		err = p.Evolve(domain.Record{Position: receipt.Positions[0], RecordedAt: receipt.RecordedAt, Topic: entry.Topic, Envelope: entry.Envelope})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// TestPlans asks for what is planned in the three ways that clients ask.
func TestPlans(t *testing.T) {
	p := &planned{}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Views = append(cfg.Views, p) }})
	now := domain.MillisOf(b.clock.Now()) // noon, 1 January 2026, UTC
	const hour = 3_600_000
	first := plan(b, p, domain.ReminderSet{Text: "call <Anna>", Due: now + hour, Zone: "Europe/Malta"})
	plan(b, p, domain.ReminderSet{Text: "bins", Due: now + 2*hour, Zone: "UTC", Recurrence: &domain.Recurrence{Rule: "FREQ=DAILY;BYHOUR=14;BYMINUTE=0"}})
	task := plan(b, p, domain.TaskCreated{Text: "tax return", Deadline: now - hour, Zone: "UTC"})
	plan(b, p, domain.TaskProgressed{TaskID: task, Percent: 40})
	list := plan(b, p, domain.ListCreated{Name: "shopping"})
	plan(b, p, domain.ListItemAdded{ListID: list, Text: "milk"})
	gone := plan(b, p, domain.ReminderSet{Text: "not wanted", Due: now + hour, Zone: "UTC"})
	plan(b, p, domain.ReminderCancelled{ReminderID: gone})

	before := domain.Millis(hour / 2)
	plan(b, p, domain.AppointmentSet{Text: "meeting", Start: now + hour, End: now + 2*hour, Zone: "UTC", Place: "the office", People: []string{"Joe"}, Before: &before, Tell: now + hour/2})
	day := now - 12*hour
	plan(b, p, domain.AppointmentSet{Text: "Susan's birthday", Start: day, End: day + 24*hour, AllDay: true, Zone: "UTC", Recurrence: &domain.Recurrence{Rule: "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;BYHOUR=0;BYMINUTE=0"}})

	session := b.settled()
	b.call("GET", "/api/plans", "").wants(401)
	b.call("GET", "/api/plans", "", cookie(session)).wants(200,
		`"reminders":[{"id":"`+first.UUID()+`","kind":"reminder","text":"call <Anna>","standing":"open","due":"2026-01-01T13:00:00.000Z"`,
		`"appointments":[{"id":"`, `"kind":"appointment","text":"Susan's birthday","standing":"open","due":"2026-01-01T00:00:00.000Z","overdue":false,"recurrence":"every year on 1 January"`,
		`"ends":"2026-01-02T00:00:00.000Z","all_day":true,"place":"","people":[],"tell_at":null}`, `"text":"meeting","standing":"open","due":"2026-01-01T13:00:00.000Z"`,
		`"ends":"2026-01-01T14:00:00.000Z","all_day":false,"place":"the office","people":["Joe"],"tell_at":"2026-01-01T12:30:00.000Z"`,
		`"zone":"Europe/Malta"`, `"recurrence":"every day at 14:00"`,
		`"text":"tax return","standing":"open","due":"2026-01-01T11:00:00.000Z","overdue":true`, `"percent":40`,
		`"name":"shopping","items":[{"id":`, `"text":"milk"`, `"ended":[{"id":"`+gone.UUID(), `"standing":"dropped"`)
	b.call("GET", "/system/observability/tasks", "", cookie(session)).wants(200, `"persistent_tasks":[{"id":"`+task.String()+`","goal":"tax return","status":"in_progress","progress":{"coverage_estimate":0.4}`)
	pending := b.call("GET", "/scheduler?status=pending", "", cookie(session)).wants(200, `"message":"call <Anna>"`, `"message":"bins"`, `"status":"pending"`)
	if strings.Contains(pending.body, "not wanted") || strings.Contains(pending.body, "tax return") {
		t.Errorf("pending are %s", pending.body)
	}
	b.call("GET", "/scheduler", "", cookie(session)).wants(200, `"message":"not wanted"`, `"status":"cancelled"`)
	b.call("GET", "/scheduler?status=pending&limit=1&offset=1", "", cookie(session)).wants(200, `{"items":[{"id":"`, `"message":"bins"`, `],"total":2,"limit":1,"offset":1}`)
	b.call("GET", "/scheduler?offset=7", "", cookie(session)).wants(200, `{"items":[],"total":3,"limit":100,"offset":7}`)
	b.call("GET", "/scheduler?limit=0", "", cookie(session)).wants(400, "limit")
}
