package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/api"
	"chalie/adapters/argon2"
	"chalie/adapters/httpapi"
	"chalie/adapters/models"
	"chalie/adapters/otlp"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/adapters/watermillbus/layers"
	"chalie/commands"
	"chalie/domain"
	"chalie/projections"
	"chalie/replay/wiring"
)

// Config is what an App runs with. Addr and Data are required.
type Config struct {
	Addr       string // host:port to serve HTTP on; port 0 takes a free one
	Data       string // the data directory; made when it doesn't exist
	SignalRate int    // accepted signals per caller and sliding minute; 0 is no limit
	// SignalBytes bounds their bytes in the log; 0 is no limit.
	SignalBytes int

	HealthEvery time.Duration  // between two checks of an interface; 0 is commands.DefaultCheckEvery
	Gateways    []netip.Prefix // networks besides this machine from which interfaces may register
	Proxies     []netip.Prefix // networks of trusted proxies

	Debounce  time.Duration // from the end of one background cycle to the start of the next; 0 is no pause
	IdleAfter time.Duration // time without activity until a background cycle; 0 is commands.DefaultIdleAfter

	AuditAt string // when the folds are audited, as 15:04 where the person is, or "off"; "" is defaultAuditAt

	Models models.Chosen // besides the built-in one
	Speech speechChosen  // besides the programs of this machine

	AISTalk bool // lets programs on this machine be consoles without a token

	Bridge Bridge // another program that is told what happens

	Telemetry *otlp.Target // where traces are exported to; nil: nowhere

	TLS tlsChosen // how TLS is served

	Cluster Cluster  // that keeps the log
	moved   api.Move // how the last move of the log ended
	damage  error    // of the copy, which is to be made anew; nil for none

	// Command is the command line that runs this program with some arguments, for
	// pages to show; default: the program's name before them.
	Command func(args string) string
	// Announced says that the address was printed already, and need not be logged.
	Announced bool

	Clock     domain.Clock  // default: the machine's
	IDs       domain.IDs    // default: random ones
	Passwords argon2.Config // how much work a password's hash is
	Logger    *slog.Logger  // default: nothing is logged

	memory allowance // the memory limit; 0 when unknown
	faults bool      // keeps what a fault that ends the process leaves, of which there is one for a process

	revise []func(*kind)                           // changes what projections are made by: a test's versions of them
	shadow func(projections.Feed) projections.Feed // what rebuilds read of the log; nil for all of it. A test holds them up
	disk   vfs.FS                                  // under the log; nil for the machine's. A test's may be full
	work   func(*httpapi.Config)                   // stands between the API and what takes long; nil but in tests
	layers func(*layers.Config)                    // changes what every append passes; nil but in tests
	wires  func(*wiring.Wiring)                    // changes what reads and decides; nil but in tests
	bounds commands.Bounds                         // of an attempt at an answer or a cycle; a test's are narrower
}

// minHealthEvery guards against a mistyped unit.
const minHealthEvery = 10 * time.Millisecond

// minIdleAfter guards against a mistyped unit.
const minIdleAfter = 10 * time.Millisecond

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	const op = "configure chalie"
	_, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return domain.Invalid(op, "addr", fmt.Sprintf("--addr is %q: give a host and a port, such as 127.0.0.1:8081", c.Addr))
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return domain.Invalid(op, "addr", fmt.Sprintf("--addr is %q: give a port from 1 to 65535, or 0 for any that is free", c.Addr))
	}
	switch {
	case c.Data == "":
		return domain.Invalid(op, "data", "--data is empty: name the data directory")
	case c.HealthEvery < 0 || c.HealthEvery > 0 && c.HealthEvery < minHealthEvery:
		return domain.Invalid(op, "health-every", fmt.Sprintf("--health-every is %s: give %s or more, such as 30s", c.HealthEvery, minHealthEvery))
	case c.Debounce < 0:
		return domain.Invalid(op, "debounce", fmt.Sprintf("--debounce is %s: give 0 for no pause, or more, such as 30s", c.Debounce))
	case c.IdleAfter < 0 || c.IdleAfter > 0 && c.IdleAfter < minIdleAfter:
		return domain.Invalid(op, "idle-after", fmt.Sprintf("--idle-after is %s: give %s or more, such as 10m", c.IdleAfter, minIdleAfter))
	case c.SignalRate < 0:
		return domain.Invalid(op, "signal-rate", fmt.Sprintf("--signal-rate is %d: give 0 for no limit, or more", c.SignalRate))
	case c.SignalBytes != 0 && c.SignalBytes < domain.MaxPayloadBytes:
		return domain.Invalid(op, "signal-bytes", fmt.Sprintf("--signal-bytes is %d: give 0 for no limit, or %d at least, which one of the largest takes", c.SignalBytes, domain.MaxPayloadBytes))
	}
	if _, _, err = parseAuditAt(c.AuditAt); err != nil {
		return err
	}
	return c.TLS.check()
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = sysclock.Clock{}
	}
	if c.IDs == nil {
		c.IDs = ulids.New(c.Clock)
	}
	return c
}

// The folders of a data directory, beside the socket's.
func logFolder(data string) string    { return filepath.Join(data, "log") }
func foldedFolder(data string) string { return filepath.Join(data, "projections") }
func imageFolder(data string) string  { return filepath.Join(data, "images") }

// rebuildFrom is the feed of rebuilds.
func (c Config) rebuildFrom(log projections.Feed) projections.Feed {
	if c.shadow != nil {
		return c.shadow(log)
	}
	return log
}
