package background_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language/when"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
)

// wall is the clock of a bubble, or the real one.
type wall struct{}

func (wall) Now() time.Time { return time.Now() }

// diary is a log in which plans are made, over which a scheduler can run, and run
// again. It is used within a bubble.
type diary struct {
	t   testing.TB
	ids *domaintest.IDs
	log *memlog.Log

	appender domain.Appender
	stop     context.CancelFunc // of what runs; nil when nothing does
	ended    chan error
}

func newDiary(t testing.TB) *diary {
	log := memlog.New(wall{})
	return &diary{t: t, ids: domaintest.NewIDs(wall{}, 1), log: log, appender: log}
}

type noHeart struct{}

func (noHeart) Work(string) func() { return func() {} }

// start runs a scheduler over a fold from the beginning of the log.
func (d *diary) start() {
	d.t.Helper()
	var ctx context.Context
	ctx, d.stop = context.WithCancel(context.Background())
	fold := small.Plans()
	runner, err := projections.NewRunner(fold, d.log, projections.NewMemStore(), wall{}, projections.Config{})
	if err != nil {
		d.t.Fatal(err)
	}
	scheduler, err := background.NewScheduler(background.SchedulerConfig{
		Env: commands.Env{Log: d.appender, Reader: d.log, Tail: d.log, Clock: wall{}, IDs: d.ids, Logger: slog.New(slog.DiscardHandler)}, Plans: fold, Applied: runner, Heart: noHeart{},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.ended = make(chan error, 2)
	go func() { d.ended <- runner.Run(ctx) }()
	go func() { d.ended <- scheduler.Run(ctx) }()
}

func (d *diary) end() {
	d.t.Helper()
	if d.stop == nil {
		return
	}
	d.stop()
	d.stop = nil
	for range 2 {
		if err := <-d.ended; err != nil {
			d.t.Error(err)
		}
	}
}

func (d *diary) now() domain.Millis { return domain.MillisOf(time.Now()) }

// write appends a payload with its keys and returns its id.
func write[P any](d *diary, payload P) domain.ID {
	d.t.Helper()
	id := d.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, d.now(), "test", payload)
	if keyed, ok := any(payload).(interface{ Keys() []domain.Key }); ok {
		entry.Envelope.Keys = keyed.Keys()
	}
	if err == nil {
		_, err = d.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// firing is a due time that was told.
type firing struct {
	domain.TimerDue
	at       domain.Millis
	envelope domain.Envelope
	text     string
}

func (d *diary) firings() (out []firing) {
	d.t.Helper()
	records, err := d.log.Select(context.Background(), domain.Selector{}, 1, 100_000)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, rec := range records {
		switch rec.Envelope.Type {
		case "timer.due":
			due, err := domain.Decode[domain.TimerDue](rec.Envelope)
			if err != nil {
				d.t.Fatal(err)
			}
			out = append(out, firing{TimerDue: due, at: rec.RecordedAt, envelope: rec.Envelope})
		case "reasoning.concluded":
			told, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
			if err != nil {
				d.t.Fatal(err)
			}
			out[len(out)-1].text = domain.PlainText(told.Blocks)
		}
	}
	return out
}

func TestRemindersAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary(t)
		d.start()
		defer d.end()
		begun := d.now()
		in := func(after time.Duration) domain.Millis { return begun.Add(after) }
		later := write(d, domain.ReminderSet{Text: "later", Due: in(2 * time.Hour), Zone: "UTC"})
		write(d, domain.ReminderSet{Text: "soon", Due: in(time.Hour), Zone: "UTC"})
		write(d, domain.ReminderSet{Text: "tea", Due: in(90 * time.Minute), Zone: "UTC",
			Recurrence: &domain.Recurrence{Rule: "FREQ=HOURLY", Start: in(90 * time.Minute)}})
		gone := write(d, domain.ReminderSet{Text: "not wanted", Due: in(30 * time.Minute), Zone: "UTC"})
		task := write(d, domain.TaskCreated{Text: "tax return", Deadline: in(3 * time.Hour), Zone: "UTC"})
		write(d, domain.TaskProgressed{TaskID: task, Percent: 40})
		domaintest.Pass(10 * time.Minute)
		write(d, domain.ReminderCancelled{ReminderID: gone})
		// Brought forward, before anything else that the timer waits for.
		write(d, domain.ReminderChanged{ReminderID: later, Due: in(20 * time.Minute), Zone: "UTC"})
		domaintest.Pass(3 * time.Hour)
		synctest.Wait()
		var got []string
		for _, f := range d.firings() {
			got = append(got, fmt.Sprintf("%s after %s", f.text, f.at.Sub(begun)))
		}
		want := []string{"Reminder: later after 20m0s", "Reminder: soon after 1h0m0s", "Reminder: tea after 1h30m0s", "Reminder: tea after 2h30m0s", "Due now: tax return (40 %) after 3h0m0s"}
		if !slices.Equal(got, want) {
			t.Errorf("told are %q, want %q", got, want)
		}
	})
}

// TestWhatIsToldOfAReminder holds the episode of a due time to its shape.
func TestWhatIsToldOfAReminder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary(t)
		set := write(d, domain.ReminderSet{Text: "call Anna", Due: d.now().Add(time.Hour), Zone: "Europe/Malta"})
		d.start()
		domaintest.Pass(time.Hour)
		synctest.Wait()
		d.end()
		fired := d.firings()
		if len(fired) != 1 {
			t.Fatalf("%d were told", len(fired))
		}
		e := fired[0].envelope
		if e.Trace.ID != e.ID || e.Parent != set || e.Principal != domain.PrincipalOperator || e.Source != "scheduler" {
			t.Errorf("its envelope is %+v", e)
		}
		if want := []domain.Key{domain.DueKey(set, fired[0].Due), domain.PlanKey(set)}; !slices.Equal(e.Keys, want) {
			t.Errorf("its keys are %q, want %q", e.Keys, want)
		}
		records, err := d.log.Select(t.Context(), domain.Selector{Key: domain.ConcludedKey(e.Trace)}, 1, 10)
		if err != nil || len(records) != 1 {
			t.Fatalf("%d conclusions, %v", len(records), err)
		}
		end := records[0].Envelope
		told, err := domain.ConclusionOf(end)
		if err != nil || end.Parent != e.ID || told.Shown != domain.ShownNotification || told.Outcome != domain.OutcomeSurfaced ||
			!slices.Contains(end.Keys, told.ShownKey()) || told.Topic != "reminder" {
			t.Errorf("its end is %+v, %v", told, err)
		}
		if len(told.Evidence) != 2 || told.Evidence[0].EnvelopeID != set || told.Evidence[1].EnvelopeID != e.ID {
			t.Errorf("it rests on %+v", told.Evidence)
		}
		frames, err := domain.Frames(records[0], func(id domain.ID) (domain.Envelope, error) { return domain.Envelope{}, fmt.Errorf("asked for %s", id) })
		if err != nil || len(frames) != 1 || frames[0].Type != domain.FrameNotification || domain.PlainText(frames[0].Blocks) != "Reminder: call Anna" {
			t.Errorf("its frames are %+v, %v", frames, err)
		}
	})
}

// What fell due while nothing ran is told once, with the time it was due.
func TestMissedRemindersAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary(t)
		begun := d.now() // midnight, UTC
		write(d, domain.ReminderSet{Text: "once", Due: begun.Add(time.Hour), Zone: "UTC"})
		write(d, domain.ReminderSet{Text: "daily", Due: begun.Add(7 * time.Hour), Zone: "UTC",
			Recurrence: &domain.Recurrence{Rule: "FREQ=DAILY;BYHOUR=7;BYMINUTE=0", Start: begun.Add(7 * time.Hour)}})
		domaintest.Pass(3*24*time.Hour + 12*time.Hour)
		for range 3 { // and never again
			d.start()
			domaintest.Pass(time.Minute)
			synctest.Wait()
			d.end()
		}
		fired := d.firings()
		if len(fired) != 2 {
			t.Fatalf("told are %+v", fired)
		}
		if want := "Reminder: once\nIt was due on Saturday 1 January at 01:00."; fired[0].text != want {
			t.Errorf("it says %q, want %q", fired[0].text, want)
		}
		if want := "Reminder: daily\nIt was due on Saturday 1 January at 07:00, and 3 times since."; fired[1].text != want {
			t.Errorf("it says %q, want %q", fired[1].text, want)
		}
		if want := begun.Add(4*24*time.Hour + 7*time.Hour); fired[1].Missed != 3 || fired[1].Next != want {
			t.Errorf("it missed %d and comes back at %s, want %s", fired[1].Missed, fired[1].Next.Time(), want.Time())
		}
	})
}

// A reminder that comes back to a time that was told holds up nothing.
func TestATimeThatWasToldIsPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary(t)
		due := d.now().Add(time.Hour)
		first := write(d, domain.ReminderSet{Text: "first", Due: due, Zone: "UTC"})
		write(d, domain.ReminderSet{Text: "second", Due: due.Add(2 * time.Hour), Zone: "UTC"})
		d.start()
		defer d.end()
		domaintest.Pass(90 * time.Minute)
		write(d, domain.ReminderChanged{ReminderID: first, Due: due, Zone: "UTC"})
		domaintest.Pass(2 * time.Hour)
		synctest.Wait()
		var got []string
		for _, f := range d.firings() {
			got = append(got, f.text)
		}
		if want := []string{"Reminder: first", "Reminder: second"}; !slices.Equal(got, want) {
			t.Errorf("told are %q, want %q", got, want)
		}
	})
}

// torn is a log that fails now and then, before or after it has appended.
type torn struct {
	domain.Appender
	how []int // one for each append: 0 works, 1 refuses, 2 loses the answer
}

func (l *torn) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	how := 0
	if len(l.how) > 0 {
		how, l.how = l.how[0], l.how[1:]
	}
	if how == 1 {
		return domain.Receipt{}, &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Message: "no"}
	}
	receipt, err := l.Appender.Append(ctx, b)
	if how == 2 && err == nil {
		return domain.Receipt{}, &domain.Error{Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Message: "who knows"}
	}
	return receipt, err
}

// session is a time in which the program ran, after one in which it didn't.
type session struct{ down, up time.Duration }

// TestEachDueTimeIsToldOnce is the law: whatever the times, the restarts and the
// failures of the log, each due time is told exactly once, none too early, those of
// a running program at once, and what comes back goes on from then.
func TestEachDueTimeIsToldOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		minutes := func(most int, name string) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(r, name)) * time.Minute
		}
		reminders := make([]domain.ReminderSet, rapid.IntRange(1, 6).Draw(r, "reminders"))
		dues := make([]time.Duration, len(reminders))
		for i := range reminders {
			dues[i] = time.Minute + minutes(600, "due")
			if unit := rapid.SampledFrom([]string{"", "MINUTELY", "HOURLY", "DAILY"}).Draw(r, "unit"); unit != "" {
				reminders[i].Recurrence = &domain.Recurrence{Rule: fmt.Sprintf("FREQ=%s;INTERVAL=%d", unit, rapid.IntRange(1, 45).Draw(r, "every"))}
			}
		}
		sessions := make([]session, rapid.IntRange(1, 6).Draw(r, "sessions"))
		for i := range sessions {
			sessions[i] = session{minutes(200, "down"), minutes(200, "up")}
		}
		how := rapid.SliceOfN(rapid.IntRange(0, 2), 0, 10).Draw(r, "failures")
		var wrong []string
		synctest.Test(t, func(t *testing.T) { wrong = live(t, reminders, dues, sessions, how) })
		if len(wrong) > 0 {
			r.Fatal(strings.Join(wrong, "\n"))
		}
	})
}

// live goes through the sessions and says what went wrong.
func live(t *testing.T, reminders []domain.ReminderSet, dues []time.Duration, sessions []session, how []int) (wrong []string) {
	d := newDiary(t)
	d.appender = &torn{Appender: d.log, how: how}
	begun := d.now()
	set := map[domain.ID]domain.ReminderSet{}
	for i, r := range reminders {
		r.Text, r.Zone, r.Due = fmt.Sprint(i), "UTC", begun.Add(dues[i])
		if r.Recurrence != nil {
			again := *r.Recurrence
			at := r.Due.Time()
			again.Start = r.Due
			if strings.HasPrefix(again.Rule, "FREQ=DAILY") {
				again.Rule += fmt.Sprintf(";BYHOUR=%d;BYMINUTE=%d", at.Hour(), at.Minute())
			}
			r.Recurrence = &again
		}
		set[write(d, r)] = r
	}
	type span struct{ from, to domain.Millis }
	var ran []span
	for _, s := range sessions {
		domaintest.Pass(s.down)
		from := d.now()
		d.start()
		domaintest.Pass(s.up + time.Minute)
		synctest.Wait()
		d.end()
		ran = append(ran, span{from, d.now()})
	}
	const slack = 20 * time.Second // ten failures with a pause after each
	expected := map[domain.ID]domain.Millis{}
	for id, r := range set {
		expected[id] = r.Due
	}
	for _, f := range d.firings() {
		r := set[f.SubjectID]
		switch want := expected[f.SubjectID]; {
		case want == 0 || f.Due != want:
			wrong = append(wrong, fmt.Sprintf("%s was told for %s, due was %s", r.Text, f.Due.Time(), want.Time()))
		case f.at < f.Due:
			wrong = append(wrong, fmt.Sprintf("%s was told at %s, too early", r.Text, f.at.Time()))
		}
		for _, s := range ran {
			if s.from <= f.Due && f.Due.Add(slack) < s.to && f.at.Sub(f.Due) > slack {
				wrong = append(wrong, fmt.Sprintf("%s was told %s late, though the program ran", r.Text, f.at.Sub(f.Due)))
			}
		}
		expected[f.SubjectID] = 0
		if r.Recurrence != nil {
			expected[f.SubjectID] = when.Next(*r.Recurrence, max(f.Due, f.envelope.Timestamp), time.UTC)
			if f.Next != expected[f.SubjectID] {
				wrong = append(wrong, fmt.Sprintf("%s comes back at %s", r.Text, f.Next.Time()))
			}
		}
	}
	for id, due := range expected {
		if due != 0 && due.Add(slack) < ran[len(ran)-1].to {
			wrong = append(wrong, fmt.Sprintf("%s was not told for %s", set[id].Text, due.Time()))
		}
	}
	return wrong
}
