package background_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

func (n *nerves) selfModel() *background.SelfModel {
	n.t.Helper()
	m, err := background.NewSelfModel(background.SelfModelConfig{Env: commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}, Hearts: n.hearts})
	if err != nil {
		n.t.Fatal(err)
	}
	return m
}

func service(t *testing.T, name string) domain.Service {
	t.Helper()
	s, ok := domain.ServiceNamed(name)
	if !ok {
		t.Fatalf("there is no service %s", name)
	}
	return s
}

// dead are the services that give no sign of life, with the reason.
func (n *nerves) dead() map[string]string {
	out := map[string]string{}
	for _, p := range n.hearts.Pulses() {
		if p.Dead {
			out[p.Service.Name] = p.Why
		}
	}
	return out
}

// A service that is lost in its work counts as dead after twice its cycle, and lives
// again when it comes out.
func TestLostInWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		plans := service(t, domain.ServicePlans)
		work := make(chan time.Duration)
		n.start(n.selfModel().Run, func(ctx context.Context) error {
			return n.hearts.Keep(ctx, plans, func(ctx context.Context) error {
				for {
					select {
					case d := <-work:
						done := n.hearts.Work(plans.Name)
						domaintest.Pass(d)
						done()
						done()
					case <-ctx.Done():
						return nil
					}
				}
			})
		})
		domaintest.Pass(time.Hour)
		if dead := n.dead(); len(dead) > 0 {
			t.Errorf("one that rests counts as dead: %v", dead)
		}
		work <- plans.TTL()
		domaintest.Pass(plans.TTL())
		if dead := n.dead(); len(dead) > 0 {
			t.Errorf("one that works for as long as may be counts as dead: %v", dead)
		}
		work <- time.Hour
		domaintest.Pass(plans.TTL() + time.Second)
		if dead := n.dead(); !strings.Contains(dead[plans.Name], "1m1s") {
			t.Errorf("one that is lost: %v", dead)
		}
		domaintest.Pass(30 * time.Second)
		synctest.Wait()
		died := n.all("service.died")
		if len(died) != 1 {
			t.Fatalf("%d deaths are recorded", len(died))
		}
		if p, err := domain.Decode[domain.ServiceDied](died[0].Envelope); err != nil || p.Service != plans.Name || p.Layer != domain.LayerCapability || p.Missing != plans.FailMode || p.Reason == "" {
			t.Errorf("recorded %+v, %v", p, err)
		}
		domaintest.Pass(time.Hour)
		synctest.Wait()
		if dead := n.dead(); len(dead) > 0 || len(n.all("service.died")) != 1 || len(n.all("service.recovered")) != 1 {
			t.Errorf("back again: %v, recorded %d and %d", dead, len(n.all("service.died")), len(n.all("service.recovered")))
		}
		n.end()
	})
}

// However a service ends by itself, it is known at once and the others go on.
func TestEndings(t *testing.T) {
	for name, c := range map[string]struct {
		run  func(context.Context) error
		want string
	}{
		"with an error":    {func(context.Context) error { return errors.New("no log") }, "no log"},
		"without":          {func(context.Context) error { return nil }, "ended by itself"},
		"with a panic":     {func(context.Context) error { panic("oh") }, "broke off: oh"},
		"with an error of": {func(context.Context) error { return domain.Invalid("x", "", "makes no sense") }, "makes no sense"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNerves(t)
				n.start(n.selfModel().Run)
				synctest.Wait()
				err := n.hearts.Keep(n.stopping, service(t, domain.ServiceIdle), c.run)
				if err == nil {
					t.Error("no error")
				}
				synctest.Wait()
				if dead := n.dead(); !strings.Contains(dead[domain.ServiceIdle], c.want) || len(n.all("service.died")) != 1 {
					t.Errorf("dead are %v, recorded %d", dead, len(n.all("service.died")))
				}
				n.end()
			})
		})
	}
}

func TestEndingsThatAreNoDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		if err := n.hearts.Keep(n.stopping, service(t, domain.ServiceRecovery), func(context.Context) error { return nil }); err != nil {
			t.Errorf("one that has done its work: %v", err)
		}
		n.start(func(ctx context.Context) error {
			return n.hearts.Keep(ctx, service(t, domain.ServiceIdle), func(ctx context.Context) error {
				<-ctx.Done()
				return ctx.Err()
			})
		})
		synctest.Wait()
		n.end()
		if dead := n.dead(); len(dead) > 0 {
			t.Errorf("dead are %v", dead)
		}
	})
}

// A death that can't be recorded is when it can.
func TestDeathsAreRecordedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.selfModel().Run)
		n.disk.breaks(true)
		_ = n.hearts.Keep(n.stopping, service(t, domain.ServiceIdle), func(context.Context) error { return errors.New("gone") })
		domaintest.Pass(time.Hour)
		n.disk.breaks(false)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		if got := n.all("service.died"); len(got) != 1 {
			t.Errorf("recorded %d times", len(got))
		}
		n.end()
	})
}

// One service is ended alone, for the reason that is given.
func TestEndOfOneService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		shot := errors.New("shot")
		if n.hearts.End(domain.ServiceIdle, shot) {
			t.Error("one is ended that was never begun")
		}
		ended := make(chan error, 1)
		go func() {
			ended <- n.hearts.Keep(t.Context(), service(t, domain.ServiceIdle), func(ctx context.Context) error {
				<-ctx.Done()
				return nil
			})
		}()
		synctest.Wait()
		if known := n.hearts.End(domain.ServiceIdle, shot); !known {
			t.Error("it isn't known")
		}
		if err := <-ended; !errors.Is(err, shot) {
			t.Errorf("it ended with %v", err)
		}
		if p := n.hearts.Pulses()[0]; !p.Dead || !errors.Is(p.Err, shot) {
			t.Errorf("its pulse is %+v", p)
		}
	})
}
