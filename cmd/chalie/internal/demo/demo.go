package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

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

	data      string
	temporary atomic.Pointer[string] // the data that is to be removed, once there is some
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
	if err := d.folder(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Forget()) }()
	t := d.teller()
	if err = d.onStage(ctx, t); err == nil {
		err = t.farewell()
	}
	interrupted := ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
	if !errors.Is(err, errAudienceLeft) && !interrupted {
		return err
	}
	if t.Keep != "" { // on standard error: the output may be gone
		t.console.Complain(t.whatStays("What was done until now"))
	}
	return nil
}

// Forget removes the data, unless it is kept; also of a demo that is ended at once.
func (d *Demo) Forget() error {
	data := d.temporary.Load()
	if data == nil {
		return nil
	}
	if err := os.RemoveAll(*data); err != nil {
		return fmt.Errorf("can't remove the demo's data; remove %s yourself: %w", *data, err)
	}
	return nil
}

// folder finds a place for the data.
func (d *Demo) folder() (err error) {
	if d.Keep == "" {
		if d.data, err = os.MkdirTemp("", "chalie-demo-"); err != nil {
			return fmt.Errorf("can't make a folder for the demo's data; name one with --keep: %w", err)
		}
		d.temporary.Store(&d.data)
		return nil
	}
	d.data = filepath.Clean(d.Keep)
	entries, err := os.ReadDir(d.Keep)
	switch {
	case len(entries) > 0:
		return fmt.Errorf("%s isn't empty; name a new folder with --keep", d.Keep)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("can't use %s; name a new folder with --keep: %w", d.Keep, err)
	}
	return nil
}

// onStage starts everything, has the story told, and takes it all down. When a part
// fails the story ends.
func (d *Demo) onStage(ctx context.Context, t *teller) error {
	around, running := errgroup.WithContext(ctx)
	within, running := errgroup.WithContext(running)
	// Chalie and the programs are taken down in order, not by ctx.
	outside, empty := context.WithCancel(context.WithoutCancel(ctx))
	inside, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	s := &story{teller: t, idle: Idle}
	if d.Hurried {
		s.idle = IdleHurried
	}
	err := func() (err error) {
		if err := s.openPrograms(); err != nil {
			return err
		}
		for _, run := range []func(context.Context) error{s.restaurant.Run, s.hospital.Run, s.exchange.Run, s.stranger.Run} {
			around.Go(func() error { return run(outside) })
		}
		chalie, err := d.Start(ctx, d.data, s.idle)
		if err != nil {
			return err
		}
		within.Go(func() error { return chalie.Run(inside) })
		if s.person, err = newPerson(running, chalie.SetupLink(), d.Zone); err != nil {
			return err
		}
		defer s.person.leave()
		return s.tell(running)
	}()
	stop(ErrOver)
	failedWithin := within.Wait()
	empty()
	if failed := errors.Join(failedWithin, around.Wait()); failed != nil {
		return failed
	}
	return err
}

// openPrograms takes addresses for what is around Chalie.
func (s *story) openPrograms() error {
	var failed [4]error
	s.restaurant, failed[0] = programs.NewRestaurant(programs.Config{})
	s.hospital, failed[1] = programs.NewHospital(programs.Config{})
	s.exchange, failed[2] = programs.NewExchange(programs.Config{Seed: 9}) // every demo is the same
	s.stranger, failed[3] = programs.NewRestaurant(programs.Config{Name: "A stranger"})
	return errors.Join(failed[:]...)
}
