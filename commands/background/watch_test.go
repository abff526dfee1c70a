package background_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// ear hands out the records of a log as the bus does.
type ear struct {
	n      *nerves
	places map[string]domain.Position
}

func (e *ear) Listen(ctx context.Context, group string, topic domain.Topic, handle func(context.Context, domain.Record) error) error {
	place := group + "/" + string(topic)
	from := e.places[place] + 1
	for {
		records, err := e.n.log.Select(ctx, domain.Selector{Topic: topic}, from, 1)
		if err == nil && len(records) == 0 {
			_, err = e.n.log.Wait(ctx, e.n.log.Tail())
		}
		switch {
		case errors.Is(err, context.Canceled):
			return nil // that is how listening ends
		case err != nil:
			return err
		case len(records) == 0:
			continue
		}
		for handle(ctx, records[0]) != nil {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return nil
			}
		}
		from = records[0].Position + 1
		e.places[place] = records[0].Position
	}
}

func (n *nerves) watcher(e *ear, service string, noticing background.Noticing, topics ...domain.Topic) *background.Watcher {
	n.t.Helper()
	w, err := background.NewWatcher(background.WatcherConfig{
		Service: service, Topics: topics, Noticing: noticing, Listener: e, Env: commands.Env{Log: n.log, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}, Emitter: n.emitter,
		Heart: n.hearts,
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return w
}

func TestPlansAreNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		e := &ear{n, map[string]domain.Position{}}
		record(n, domain.PrincipalOperator, domain.TaskCreated{Text: "long ago"})
		domaintest.Pass(25 * time.Hour)
		task := record(n, domain.PrincipalOperator, domain.TaskCreated{Text: "pay rent"})
		done := domain.TaskCompleted{TaskID: task.Envelope.ID}
		for range 2 { // noticed while it runs, and after a restart
			n.start(n.watcher(e, domain.ServicePlans, background.NoticePlans(), domain.TopicCommitments).Run)
			synctest.Wait()
			n.end()
		}
		record(n, domain.PrincipalOperator, done, done.Keys()...)
		record(n, domain.PrincipalOperator, domain.ListCreated{})
		n.start(n.watcher(e, domain.ServicePlans, background.NoticePlans(), domain.TopicCommitments).Run)
		n.disk.breaks(true)
		domaintest.Pass(time.Minute)
		n.disk.breaks(false)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		var got []string
		for _, s := range n.emitted() {
			got = append(got, fmt.Sprintf("%s %s %.2f", s.SignalType, *s.Content, s.ActivationEnergy))
		}
		wantHeard(t, got, []string{"task_state_changed a task was set 0.60", "task_state_changed a task is done 0.50"})
		n.end()
	})
}

// What a background cycle does is not thought about again.
func TestNothingIsNoticedOfACycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		opening := record(n, domain.ServiceIdle, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery}, domain.SpineTypeKey(domain.IdleDiscovery))
		said := record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "add a task"})
		recordIn(n, domain.Continue(opening.Envelope), n.ids.NewID(), domain.TaskCreated{Text: "of a cycle"})
		want := recordIn(n, domain.Continue(said.Envelope), n.ids.NewID(), domain.TaskCreated{Text: "of the person"})
		n.start(n.watcher(&ear{n, map[string]domain.Position{}}, domain.ServicePlans, background.NoticePlans(), domain.TopicCommitments).Run)
		synctest.Wait()
		if got := n.all("spine.signal_emitted"); len(got) != 2 || got[1].Envelope.Parent != want.Envelope.ID {
			t.Errorf("on the spine are %+v", got)
		}
		n.end()
	})
}

// broken notices everything, but for what is too much for it.
type broken struct{ calls int }

func (b *broken) Notice(_ context.Context, rec domain.Record) (domain.SpineSignal, bool, error) {
	b.calls++
	switch b.calls {
	case 1:
		panic("too much")
	case 2:
		return domain.SpineSignal{}, false, domain.Invalid("notice", "", "it makes no sense")
	case 3:
		return domain.SpineSignal{Type: "made_up"}, true, nil
	case 4:
		return domain.SpineSignal{}, false, &domain.Error{Category: domain.Dependency, Retriable: true}
	}
	return done(fmt.Sprint(rec.Position)), true, nil
}

func TestABadRecordPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		for range 5 {
			record(n, domain.PrincipalOperator, domain.TaskCreated{Text: "x"})
		}
		n.start(n.watcher(&ear{n, map[string]domain.Position{}}, domain.ServicePlans, &broken{}, domain.TopicCommitments).Run)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		var got []string
		for _, s := range n.emitted() {
			got = append(got, *s.Content)
		}
		wantHeard(t, got, []string{"4", "5"})
		n.end()
	})
}

// answered records that a tool was asked and what it said.
func (n *nerves) answered(params, data string) domain.Record {
	n.t.Helper()
	lab, _ := domain.ParseID("01KB2V7WYQC3V8P0J6R4T5N9XE")
	asked := record(n, domain.PrincipalOperator, domain.ToolInvoked{InterfaceID: lab, Tool: "stock", Params: json.RawMessage(params)})
	return recordIn(n, domain.Continue(asked.Envelope), n.ids.NewID(), domain.ToolCompleted{InvocationID: asked.Envelope.ID, Data: json.RawMessage(data)})
}

func TestNovelObservation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		e := &ear{n, map[string]domain.Position{}}
		start := func() {
			n.start(n.watcher(e, domain.ServiceObservation, background.NewObservation(n.log, present{}), domain.TopicTools).Run)
			synctest.Wait()
		}
		start()
		n.answered(`{"of":"tea"}`, `{"left":3,"at":"home"}`)
		n.answered(`{"of":"tea"}`, `{"at": "home", "left": 3}`)
		n.answered(`{"of":"milk"}`, `{"left":1}`)
		synctest.Wait()
		if got := n.emitted(); len(got) != 0 {
			t.Fatalf("noticed %+v", got)
		}
		n.end()
		domaintest.Pass(time.Hour)
		first := n.answered(`{"of":"tea"}`, `{"left":2,"at":"home"}`)
		n.disk.breaks(true)
		start()
		domaintest.Pass(10 * time.Second) // tried again and again
		n.disk.breaks(false)
		domaintest.Pass(10 * time.Second)
		n.answered(`{"of":"tea"}`, `{"left":2,"at":"home"}`)
		second := n.answered(`{"of":"milk"}`, `{"left":0}`)
		synctest.Wait()
		n.end()
		domaintest.Pass(25 * time.Hour)
		start()
		n.answered(`{"of":"tea"}`, `{"left":9}`) // too long ago to compare
		synctest.Wait()
		got := n.all("spine.signal_emitted")
		if len(got) != 2 || got[0].Envelope.Parent != first.Envelope.ID || got[1].Envelope.Parent != second.Envelope.ID {
			t.Errorf("noticed %+v", got)
		}
		for _, s := range n.emitted() {
			if s.SignalType != domain.NovelObservation || s.ActivationEnergy != 0.6 || *s.ConceptName != "stock" {
				t.Errorf("noticed %+v", s)
			}
		}
		n.end()
	})
}
