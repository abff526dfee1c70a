package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"chalie/adapters/argon2"
	"chalie/adapters/models"
	"chalie/commands"
	"chalie/commands/background"
)

// benched is the whole program, in the benchmark's process: the machine's clock,
// a log and folds on its disk, requests over loopback.
type benched struct {
	b       *testing.B
	app     *App
	address string
	cookie  string // of the person
	token   string // of a program, which may send as many signals as it likes
}

// openBenched opens it on an empty data directory, until the benchmark ends. It
// folds, but nothing is served and no service runs.
func openBenched(b *testing.B) *benched { return openBenchedWith(b, models.Chosen{}) }

// openBenchedWith is openBenched with models.
func openBenchedWith(b *testing.B, chosen models.Chosen) *benched {
	b.Helper()
	floor := newHeapFloor(0) // as serve does
	app, err := Open(b.Context(), Config{
		Addr: "127.0.0.1:0", Data: filepath.Join(b.TempDir(), "data"), Passwords: argon2.Config{MemoryKiB: 64, Passes: 1},
		Debounce: background.DefaultDebounce, Models: chosen,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := app.Close(); err != nil {
			b.Error(err)
		}
		floor.release()
	})
	return &benched{b: b, app: app, address: "http://" + app.Addr()}
}

// serve runs it, and lets the person and a program in.
func (p *benched) serve() {
	p.b.Helper()
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.app.Run(ctx) }()
	p.b.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			p.b.Error(err)
		}
	})
	if err := waitReady(p.address); err != nil {
		p.b.Fatal(err)
	}
	p.cookie = register(p.b, p.app.SetupLink())
	issued, err := p.app.core.accounts.IssueToken(p.b.Context(), commands.OperatorCaller("bench"), "bench", nil)
	if err != nil {
		p.b.Fatal(err)
	}
	p.token = issued.Text
}

// device is a window of the person that hears all that comes from now on.
func (p *benched) device() *device {
	p.b.Helper()
	d := newDevice(p.b, p.cookie)
	if err := d.connect(p.address); err != nil {
		p.b.Fatal(err)
	}
	if err := d.attend(); err != nil {
		p.b.Fatal(err)
	}
	return d
}

// quantile is what so many hundredths of the times, sorted, stay under.
func quantile(sorted []time.Duration, hundredths int) float64 {
	return sorted[len(sorted)*hundredths/100].Seconds() * 1000
}
