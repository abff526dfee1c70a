package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"chalie/adapters/api"
	programs "chalie/adapters/demo"
	"chalie/cmd/chalie/internal/term"
)

// Demo is one showing. Console, Start, DrawWorld and Command are required.
type Demo struct {
	Console *term.Console
	JSON    bool   // each step is a line of JSON
	Keep    string // a new folder for the data; "" for one that is removed
	Hurried bool   // nothing is paced for a person who reads
	Zone    string // the person's, as an IANA name; "" when it isn't known

	// Start makes a Chalie on data that looks over what it has in mind after idle.
	Start func(ctx context.Context, data string, idle time.Duration) (Chalie, error)
	// DrawWorld writes what is in mind.
	DrawWorld func(*term.Console, []api.WorldItem) error
	// Command is a command line of this program; on this data, or on none.
	Command func(data, args string) string
	// Pause waits as long as a person reads, or returns ctx's error; default: so, or not
	// at all where it is hurried.
	Pause func(ctx context.Context, d time.Duration) error

	data   string
	remove atomic.Pointer[func() error] // of the data, once there is some
}

// Chalie is the program that is shown.
type Chalie interface {
	SetupLink() string
	Run(context.Context) error
}

// How long nothing is said or done before the demo's Chalie looks over what it has
// in mind: nobody waits ten minutes for a demo.
const (
	Idle        = 2 * time.Second
	IdleHurried = 300 * time.Millisecond
)

// patience is how long the story waits for what must come.
const patience = 30 * time.Second

// ErrOver is why the demo's Chalie stops, as its log has it.
var ErrOver = errors.New("the demo is over")

var errAudienceLeft = errors.New("nobody reads the story any more")

// audience is who the story is told to. They may leave early: a pipe is closed
// as soon as its reader has seen enough.
type audience struct{ io.Writer }

func (a audience) Write(p []byte) (int, error) {
	n, err := a.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = errAudienceLeft
	}
	return n, err
}

// Run tells the story, and removes what is not to be kept.
func (d *Demo) Run(ctx context.Context) (err error) {
	remove, err := d.folder()
	if err != nil {
		return err
	}
	d.remove.Store(&remove)
	defer func() { err = errors.Join(err, remove()) }()
	t := d.teller()
	err = d.onStage(ctx, t)
	if err == nil {
		err = t.farewell()
	}
	interrupted := ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
	if errors.Is(err, errAudienceLeft) || interrupted {
		return t.brokenOff()
	}
	return err
}

// Forget removes the data of a demo that is ended at once. There is nobody left to tell
// how that went.
func (d *Demo) Forget() {
	if remove := d.remove.Load(); remove != nil {
		_ = (*remove)()
	}
}

// folder finds a place for the data, and says how it goes again.
func (d *Demo) folder() (remove func() error, err error) {
	if d.Keep == "" {
		if d.data, err = os.MkdirTemp("", "chalie-demo-"); err != nil {
			return nil, fmt.Errorf("can't make a folder for the demo's data; name one with --keep: %w", err)
		}
		return func() error {
			if err := os.RemoveAll(d.data); err != nil {
				return fmt.Errorf("can't remove the demo's data; remove %s yourself: %w", d.data, err)
			}
			return nil
		}, nil
	}
	entries, err := os.ReadDir(d.Keep)
	switch {
	case err == nil && len(entries) > 0:
		return nil, fmt.Errorf("%s isn't empty; name a new folder with --keep", d.Keep)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("can't use %s; name a new folder with --keep: %w", d.Keep, err)
	}
	d.data = filepath.Clean(d.Keep)
	return func() error { return nil }, nil
}

// onStage starts everything, has the story told, and takes it all down.
func (d *Demo) onStage(ctx context.Context, t *teller) error {
	s := &story{teller: t, idle: Idle}
	if d.Hurried {
		s.idle = IdleHurried
	}
	// Chalie and the programs are taken down in order, not by ctx.
	running, end := context.WithCancel(ctx)
	outside, empty := context.WithCancel(context.WithoutCancel(ctx))
	inside, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	around, within := &parts{fail: end}, &parts{fail: end}
	err := func() (err error) {
		if err := s.openPrograms(func(run func(context.Context) error) { around.run(outside, run) }); err != nil {
			return err
		}
		chalie, err := d.Start(ctx, d.data, s.idle)
		if err != nil {
			return err
		}
		within.run(inside, chalie.Run)
		if s.person, err = newPerson(running, chalie.SetupLink(), d.Zone); err != nil {
			return err
		}
		return s.tell(running)
	}()
	if s.person != nil {
		s.person.leave()
	}
	stop(ErrOver)
	failed := within.wait()
	empty()
	failed = errors.Join(failed, around.wait())
	end()
	if failed != nil {
		return failed
	}
	return err
}

// openPrograms starts what is around Chalie.
func (s *story) openPrograms(start func(run func(context.Context) error)) (err error) {
	if s.restaurant, err = programs.NewRestaurant(programs.Config{}); err != nil {
		return err
	}
	start(s.restaurant.Run)
	if s.hospital, err = programs.NewHospital(programs.Config{}); err != nil {
		return err
	}
	start(s.hospital.Run)
	if s.exchange, err = programs.NewExchange(programs.Config{Seed: 9}); err != nil { // every demo is the same
		return err
	}
	start(s.exchange.Run)
	if s.stranger, err = programs.NewRestaurant(programs.Config{Name: "A stranger"}); err != nil {
		return err
	}
	start(s.stranger.Run)
	return nil
}

// parts run until their context ends. When one fails the story ends.
type parts struct {
	fail    func()
	running sync.WaitGroup
	mu      sync.Mutex
	failed  error
}

func (p *parts) run(ctx context.Context, part func(context.Context) error) {
	p.running.Go(func() {
		if err := part(ctx); err != nil {
			p.mu.Lock()
			p.failed = errors.Join(p.failed, err)
			p.mu.Unlock()
			p.fail()
		}
	})
}

// wait returns why parts failed once all have ended.
func (p *parts) wait() error {
	p.running.Wait()
	return p.failed
}
