// Package demo shows within a minute what Chalie is for: it starts a Chalie of its own
// with three programs around it, and tells what comes of it as a list of steps.
//
// Chalie and the programs share this process and nothing else: they speak over the network
// and the public protocol, with the tokens that pairing gives. The person is this machine's
// user, who needs no login at the socket in the data directory, and a device that listens
// there. So the demo is an end-to-end test, too: a step whose outcome isn't what it says
// fails the demo.
//
// [Demo.Run] takes everything down again, whatever happens, in order: the person leaves,
// Chalie stops, then the programs, so that Chalie misses none of them. Being interrupted is
// no error, and neither is an audience that leaves early.
package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"chalie/adapters/api"
	programs "chalie/adapters/demo"
	"chalie/cmd/chalie/internal/term"
)

// Demo is one showing. All but JSON and Voice is required.
type Demo struct {
	Console *term.Console
	JSON    bool          // each step is a line of JSON
	Data    string        // a new folder; see Place
	Kept    bool          // afterwards
	Voice   bool          // it is about hearing and speaking, without programs around
	Idle    time.Duration // nothing is said or done, until Chalie looks over what it has in mind

	// Start makes a Chalie on the data that looks over after Idle.
	Start func(context.Context) (Chalie, error)
	// DrawWorld writes what is in mind.
	DrawWorld func(*term.Console, []api.WorldItem) error
	// Command is a command line of this program, on what is kept.
	Command func(args string) string
	// Pause waits, where a person reads along, or returns ctx's error.
	Pause func(ctx context.Context, d time.Duration) error
}

// Chalie is the program that is shown.
type Chalie interface {
	Addr() string
	Run(context.Context) error
}

// ErrOver is why the demo's Chalie stops, as its log has it.
var ErrOver = errors.New("the demo is over")

// Place is where a demo may keep its data; "" is for one that is removed.
func Place(keep string) (string, error) {
	if keep == "" {
		return filepath.Join(os.TempDir(), "chalie-demo-"+rand.Text()), nil
	}
	entries, err := os.ReadDir(keep)
	switch {
	case len(entries) > 0:
		return "", fmt.Errorf("%s isn't empty; name a new folder with --keep", keep)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("can't use %s; name a new folder with --keep: %w", keep, err)
	}
	return filepath.Clean(keep), nil
}

// Run tells the story, and removes what is not to be kept.
func (d *Demo) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, d.Forget()) }()
	s := &story{Demo: d}
	if err = s.perform(ctx); err == nil {
		err = s.farewell(ctx)
	}
	interrupted := ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
	if !interrupted && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	if d.Kept && s.person != nil { // on standard error: the output may be gone
		d.Console.Complain(s.whatStays("What was done until now"))
	}
	return nil
}

// Forget removes the data, unless it is kept; also of a demo that is ended at once.
func (d *Demo) Forget() error {
	if d.Kept {
		return nil
	}
	return os.RemoveAll(d.Data)
}

// gather starts the programs around Chalie. leave ends those that began.
func (s *story) gather() (leave func(), err error) {
	var began []*programs.Program
	leave = func() {
		for _, p := range began {
			p.Close()
		}
	}
	for _, one := range []struct {
		name string
		into **programs.Program
	}{{"restaurant", &s.restaurant}, {"hospital", &s.hospital}, {"exchange", &s.exchange}} {
		if *one.into, err = programs.Open(one.name); err != nil {
			return leave, err
		}
		began = append(began, *one.into)
	}
	return leave, nil
}

// perform starts everything, has the story told, and takes it all down. When Chalie fails
// the story ends.
func (s *story) perform(ctx context.Context) (err error) {
	if !s.Voice {
		leave, err := s.gather()
		defer leave()
		if err != nil {
			return err
		}
	}
	chalie, err := s.Start(ctx)
	if err != nil {
		return err
	}
	s.base = "http://" + chalie.Addr()
	// Chalie is taken down in order, not by ctx.
	running, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- chalie.Run(running) }()
	defer func() {
		stop(ErrOver)
		if failed := <-ended; failed != nil {
			err = failed // it is why the story failed
		}
	}()
	you, err := newPerson(ctx, s.Data)
	if err != nil {
		return err
	}
	defer you.Close()
	defer you.conn.Close() // Chalie notices
	s.person = you
	return s.tell(ctx)
}
