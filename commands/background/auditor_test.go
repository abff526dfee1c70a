package background_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// checker answers what the test says of each projection.
type checker struct {
	mu     sync.Mutex
	differ map[string]uint64
	fail   map[string]error
	asked  []string
	at     []time.Time
}

func (c *checker) Projections() []string { return []string{"traces", "world"} }

func (c *checker) Check(_ context.Context, name string) (background.FoldAudit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.at = append(c.asked, name), append(c.at, time.Now())
	return background.FoldAudit{Name: name, Version: 2, Position: 9, Served: "aa", Folded: "bb", Differing: c.differ[name]}, c.fail[name]
}

func (c *checker) set(name string, differ uint64, fail error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.differ[name], c.fail[name] = differ, fail
}

// took are the names asked for since the last call.
func (c *checker) took() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.asked = nil }()
	return c.asked
}

func (n *nerves) auditing(c *checker, told *domaintest.Buffer) background.AuditorConfig {
	return background.AuditorConfig{
		Checker: c, Env: commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.NewTextHandler(told, nil))}, Priority: n.front, Heart: n.hearts, Zone: func() *time.Location { return time.UTC }, At: background.DefaultAuditAt,
	}
}

func (n *nerves) auditor(c *checker, told *domaintest.Buffer, change func(*background.AuditorConfig)) *background.Auditor {
	n.t.Helper()
	cfg := n.auditing(c, told)
	change(&cfg)
	a, err := background.NewAuditor(cfg)
	if err != nil {
		n.t.Fatal(err)
	}
	return a
}

func newChecker() *checker { return &checker{differ: map[string]uint64{}, fail: map[string]error{}} }

func asConfigured(*background.AuditorConfig) {}

func TestAuditEveryNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it begins at midnight, UTC
		n, c := newNerves(t), newChecker()
		var told domaintest.Buffer
		a := n.auditor(c, &told, asConfigured)
		n.start(a.Run)
		domaintest.Pass(background.DefaultAuditAt - time.Second)
		synctest.Wait()
		if took := c.took(); len(took) > 0 || !a.Audited().IsZero() {
			t.Fatalf("before half past three %q were audited", took)
		}
		domaintest.Pass(time.Second)
		synctest.Wait()
		if took := c.took(); !slices.Equal(took, []string{"traces", "world"}) {
			t.Fatalf("at half past three %q were audited", took)
		}
		if a.Audited().IsZero() || len(a.Diverged(t.Context())) > 0 || len(n.all("projection.diverged")) > 0 {
			t.Errorf("audited at %v, diverged %v", a.Audited(), a.Diverged(t.Context()))
		}
		domaintest.Pass(3*24*time.Hour - time.Second)
		synctest.Wait()
		if took := c.took(); len(took) != 4 {
			t.Errorf("in the two nights after %q were audited", took)
		}
		n.end()
	})
}

func TestDivergedIsToldUntilItAgreesOrIsRebuilt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNerves(t), newChecker()
		var told domaintest.Buffer
		a := n.auditor(c, &told, asConfigured)
		c.set("world", 3, nil)
		n.start(a.Run)
		night := func() {
			domaintest.Pass(24 * time.Hour)
			synctest.Wait()
		}
		night()
		want := domain.ProjectionDiverged{Name: "world", Version: 2, Position: 9, ServedHash: "aa", FoldedHash: "bb", Differing: 3}
		recorded := n.all("projection.diverged")
		if len(recorded) != 1 {
			t.Fatalf("it was recorded %d times", len(recorded))
		}
		e := recorded[0].Envelope
		if p, err := domain.Decode[domain.ProjectionDiverged](e); err != nil || p != want || e.Principal != "audit" || e.Source != "audit" || !slices.Equal(e.Keys, []domain.Key{domain.ProjectionKey("world")}) {
			t.Errorf("recorded %+v in %+v, %v", p, e, err)
		}
		if got := a.Diverged(t.Context()); len(got) != 1 || got["world"] != want {
			t.Errorf("diverged are %v", got)
		}
		if !strings.Contains(told.String(), "level=ERROR") || !strings.Contains(told.String(), "chalie rebuild world") {
			t.Errorf("it was told %q", told.String())
		}
		night()
		if got := len(n.all("projection.diverged")); got != 1 {
			t.Errorf("the same was recorded %d times", got)
		}
		n.end()

		// Another start remembers, and looks again soon.
		a = n.auditor(c, &told, asConfigured)
		if got := a.Diverged(t.Context()); got["world"] != want {
			t.Errorf("after another start diverged are %v", got)
		}
		c.took()
		n.start(a.Run)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		if took := c.took(); !slices.Equal(took, []string{"world"}) {
			t.Errorf("a minute after the start %q were audited", took)
		}
		c.set("world", 4, nil)
		night()
		if got := len(n.all("projection.diverged")); got != 2 {
			t.Errorf("something else was recorded %d times", got)
		}
		record(n, domain.PrincipalOperator, domain.ProjectionRebuilt{Name: "world"})
		if got := a.Diverged(t.Context()); len(got) > 0 {
			t.Errorf("after it was rebuilt diverged are %v", got)
		}
		c.set("traces", 1, nil)
		c.set("world", 0, nil)
		night()
		if got := a.Diverged(t.Context()); len(got) != 1 || got["traces"].Differing != 1 {
			t.Errorf("diverged are %v", got)
		}
		c.set("traces", 0, nil)
		night()
		if got := a.Diverged(t.Context()); len(got) > 0 {
			t.Errorf("after all agree diverged are %v", got)
		}
		n.end()
	})
}

// Who waits for an answer comes first, and what can't be looked at keeps nobody
// else from being.
func TestAuditGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNerves(t), newChecker()
		var told domaintest.Buffer
		a := n.auditor(c, &told, asConfigured)
		c.set("traces", 0, errors.New("it has stopped"))
		leave := n.front.Enter(domain.ID{1})
		n.start(a.Run)
		domaintest.Pass(8 * time.Hour)
		synctest.Wait()
		if took := c.took(); len(took) > 0 {
			t.Errorf("while somebody waits %q were audited", took)
		}
		leave()
		synctest.Wait()
		if took := c.took(); !slices.Equal(took, []string{"traces", "world"}) || !a.Audited().IsZero() {
			t.Errorf("then %q were, all of them at %v", took, a.Audited())
		}
		if !strings.Contains(told.String(), "could not be audited") || !strings.Contains(told.String(), "it has stopped") {
			t.Errorf("it was told %q", told.String())
		}
		n.end()
	})
}

// What can't be recorded is known all the same.
func TestDivergedWithoutALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNerves(t), newChecker()
		var told domaintest.Buffer
		a := n.auditor(c, &told, asConfigured)
		c.set("world", 1, nil)
		n.disk.breaks(true)
		n.start(a.Run)
		domaintest.Pass(24 * time.Hour)
		synctest.Wait()
		if got := a.Diverged(t.Context()); got["world"].Differing != 1 || !strings.Contains(told.String(), "was not recorded") {
			t.Errorf("diverged are %v, told was %q", got, told.String())
		}
		n.end()
	})
}

func TestAuditTimes(t *testing.T) {
	malta, err := time.LoadLocation("Europe/Malta")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*background.AuditorConfig)
		after  time.Duration // from the start, 1 January 2000, 00:00 UTC
		want   []string
	}{
		"where the person is": {func(c *background.AuditorConfig) { c.Zone = func() *time.Location { return malta } }, 27 * time.Hour,
			[]string{"2000-01-01T02:30:00Z", "2000-01-02T02:30:00Z"}},
		"at midnight": {func(c *background.AuditorConfig) { c.At = 0 }, 25 * time.Hour, []string{"2000-01-02T00:00:00Z"}},
		"never":       {func(c *background.AuditorConfig) { c.Off = true }, 49 * time.Hour, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, asked := newNerves(t), newChecker()
				var told domaintest.Buffer
				n.start(n.auditor(asked, &told, c.change).Run)
				domaintest.Pass(c.after)
				synctest.Wait()
				n.end()
				var got []string
				for i := 0; i < len(asked.at); i += 2 {
					got = append(got, asked.at[i].UTC().Format(time.RFC3339))
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("audited at %q, want %q", got, c.want)
				}
			})
		})
	}
	cfg := newNerves(t).auditing(newChecker(), &domaintest.Buffer{})
	for at, right := range map[time.Duration]bool{-1: false, 0: true, 24*time.Hour - 1: true, 24 * time.Hour: false} {
		cfg.At = at
		if _, err := background.NewAuditor(cfg); (err == nil) != right {
			t.Errorf("at %s: %v", at, err)
		}
	}
	if _, err := background.NewAuditor(background.AuditorConfig{}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("with nothing: %v", err)
	}
}
