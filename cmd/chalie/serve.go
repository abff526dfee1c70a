package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/otlp"
	"chalie/adapters/pebblelog"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/background"
	"chalie/commands/pairing"
	"chalie/domain"
)

const serveHelp = `Serve runs Chalie until it is interrupted: HTTP on --addr, and the same API
without a login on a Unix socket in the data directory, for this user's
programs. Everything it is told stands in the log before it answers.

The first start prints a link to make the one account. An interrupt (Ctrl-C),
SIGTERM, or SIGHUP when its terminal closes, makes it stop taking requests,
finish those under way, sync, and end with 0; a second Ctrl-C ends it at once
with 130. Nothing acknowledged is lost either way. Under nohup it outlives its
terminal.`

const serveExample = `  chalie serve
  chalie serve --addr 127.0.0.1:9000 --data ~/chalie
  chalie serve --signal-rate 0         take as many signals as come
  chalie serve --tls --addr 0.0.0.0:8081      for a phone, too: then open /phone
  chalie serve --otlp http://localhost:4318   show episodes in Jaeger or Tempo`

// Defaults of serve's flags.
const (
	defaultAddr       = "127.0.0.1:8081"
	defaultSignalRate = 100
	// defaultSignalBytes is ten times the size of a hundred signals of a page each, and
	// three gigabytes a day.
	defaultSignalBytes = 2 << 20
)

// serve serves a log until it is interrupted, and goes on where the log is moved to, or
// with a copy that is made anew. named says that a flag tells where it is; else the data
// directory does.
func (c *cli) serve(ctx context.Context, cfg Config, named bool) (err error) {
	if named {
		err = cfg.Cluster.sameLog(cfg.Data)
	} else {
		cfg.Cluster, err = savedCluster(cfg.Data)
	}
	if err != nil {
		return err
	}
	welcomed, anew := false, false
	for {
		app, err := Open(ctx, cfg)
		if movedBack(cfg, err) {
			cfg = handover{cluster: cfg.Cluster, back: true}.handOver(ctx, cfg)
			app, err = Open(ctx, cfg)
		}
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return nil //nolint:nilerr // interrupted before it started
		}
		if err == nil {
			if !welcomed {
				if err := c.welcome(app); err != nil {
					return errors.Join(err, app.Close())
				}
			}
			welcomed, cfg.damage, cfg.Addr = true, nil, app.Addr()
			err = app.Run(ctx)
		}
		switch {
		case err == nil && app.handover != nil:
			cfg = app.handover.handOver(ctx, cfg)
		case domain.CodeOf(err) == pebblelog.CodeCopyDamaged && !anew && ctx.Err() == nil:
			cfg.damage, anew = err, true
		default:
			return err
		}
	}
}

// movedBack reports whether a log can't be opened because a move of it from the cluster was
// broken off at its end: it is here, and is to be taken.
func movedBack(cfg Config, err error) bool {
	if domain.CodeOf(err) != eventstorelog.CodeStreamClosed {
		return false
	}
	by, _, err := underWay(cfg.Data)
	return err == nil && by.IsBack()
}

func serveCommand(c *cli) *cobra.Command {
	cfg := Config{}
	var chosen modelFlags
	var speech speechFlags
	var export otlp.Settings
	cmd := &cobra.Command{
		Use: "serve", Short: "Run Chalie", Long: serveHelp, Example: serveExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg.Data, cfg.Logger = c.data, c.logger(slog.LevelInfo)
			cfg.Command = func(args string) string { return c.again(args) }
			cfg.Announced = c.Live && !c.json
			if err := cfg.Validate(); err != nil {
				return &usageError{words(err), cmd.CommandPath()}
			}
			var err error
			if cfg.Models, err = chosen.read(c); err != nil {
				return err
			}
			if cfg.Speech, err = speech.read(c); err != nil {
				return err
			}
			if cfg.Bridge, err = bridgeFromEnv(); err != nil {
				return &usageError{words(err), cmd.CommandPath()}
			}
			if cfg.Telemetry, err = export.Read(); err != nil {
				return &usageError{words(err), cmd.CommandPath()}
			}
			named, err := cfg.Cluster.given(c.data, cmd.Flags(), cmd.ErrOrStderr())
			if err != nil {
				return &usageError{words(err), cmd.CommandPath()}
			}
			keepToOwner()
			if cfg.SignalRate == 0 && !cmd.Flags().Changed("signal-bytes") {
				cfg.SignalBytes = 0
			}
			cfg.memory, cfg.faults = machineMemory(), true
			debug.SetMaxStack(int(cfg.memory.stack()))
			defer newHeapFloor(cfg.memory).release()
			ctx, release := untilInterrupted(cmd.Context(), c, func() {})
			defer release()
			return c.serve(ctx, cfg, named)
		},
	}
	chosen.add(cmd)
	flags := cmd.Flags()
	speech.add(flags)
	cfg.TLS.add(flags)
	flags.StringVar(&cfg.Addr, "addr", defaultAddr, "the address to serve HTTP on")
	flags.DurationVar(&cfg.HealthEvery, "health-every", pairing.DefaultCheckEvery, "how often an interface is asked whether it is there")
	flags.Var((*prefixes)(&cfg.Gateways), "allow-gateway", "a network, such as 192.168.1.0/24, from which interfaces may register besides this machine; may be given again")
	flags.Var((*prefixes)(&cfg.Proxies), "trusted-proxy", "the address or network of a proxy, such as 127.0.0.1, whose X-Forwarded-For tells where a request comes from; may be given again")
	flags.DurationVar(&cfg.Debounce, "debounce", background.DefaultDebounce, "how long to rest between two background cycles; 0 is no pause")
	flags.DurationVar(&cfg.IdleAfter, "idle-after", background.DefaultIdleAfter, "how long nothing is said or done before Chalie looks over what it has in mind")
	flags.StringVar(&cfg.Cluster.URL, "log", "", "the EventStoreDB (23.10, 24.10) or KurrentDB (25, 26) cluster that keeps the log, such as esdb://one:2113,two:2113,three:2113?tls=true, or @FILE that holds that; default: what CHALIE_LOG says, else CLUSTER in the data directory, else the log is on this machine alone")
	flags.StringVar(&cfg.Cluster.Stream, "log-stream", defaultStream, "with --log: the name of this Chalie's stream")
	flags.BoolVar(&cfg.AISTalk, "aistalk", false, "let voice programs and consoles on this machine speak for you without a token, on /ws/events, /api/chat/send and /api/voice")
	flags.StringVar(&cfg.AuditAt, "audit-at", defaultAuditAt, "the time of day at which every projection is folded again and compared, where you are; or off")
	flags.StringVar(&export.URL, "otlp", "", "an OpenTelemetry collector to export traces to, such as http://localhost:4318 or grpc://localhost:4317; default: what OTEL_EXPORTER_OTLP_ENDPOINT says, else none")
	flags.BoolVar(&export.Content, "otlp-content", false, "export what was said, heard, asked of tools and answered, too")
	flags.IntVar(&cfg.SignalRate, "signal-rate", defaultSignalRate, "accepted signals a minute for each caller, and as many messages for each program; 0 is no limit")
	flags.IntVar(&cfg.SignalBytes, "signal-bytes", defaultSignalBytes, "the bytes a minute that each caller's signals and messages may take together, with the calls of tools that a program or an interface makes; 0 is no limit, and without it --signal-rate 0 means both")
	return cmd
}

// untilInterrupted is a context that the first SIGINT, SIGTERM or SIGHUP ends. The second
// SIGINT ends the process, after atOnce. Until it is released, a closed output is an
// error and not the end of the process, which has to shut down in order.
func untilInterrupted(parent context.Context, c *cli, atOnce func()) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Ignore(syscall.SIGPIPE)
	released := make(chan struct{})
	go func() {
		for interrupts := 0; ; {
			select {
			case s := <-signals:
				if s == os.Interrupt {
					interrupts++
				}
				if interrupts > 1 {
					atOnce()
					os.Exit(exitInterrupted)
				}
				if ctx.Err() == nil {
					c.Complain("stopping; press Ctrl-C again to end at once")
				}
				cancel(errors.New(signalName(s)))
			case <-released:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Reset(syscall.SIGPIPE)
		close(released)
		cancel(nil)
	}
}

func signalName(s os.Signal) string {
	switch s {
	case os.Interrupt:
		return "SIGINT"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return "SIGTERM"
}

// welcomed is the output of serve --json after the start.
type welcomed struct {
	Address   string          `json:"address"`
	Elsewhere string          `json:"elsewhere,omitempty"` // over TLS, for other machines
	Socket    string          `json:"socket"`
	Data      string          `json:"data"`
	Position  domain.Position `json:"position"` // of system.started, or of the tail where the disk had no room for it
	SetupLink string          `json:"setup_link,omitempty"`
}

// welcome prints the address and the next steps.
func (c *cli) welcome(app *App) error {
	socket, err := unixsocket.Path(c.data)
	if err != nil {
		return err
	}
	w := welcomed{app.URL(), app.Elsewhere(), socket, c.data, app.started, app.SetupLink()}
	if c.json {
		return c.JSON(w)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n  Address  %s\n  Data     %s, log at position %s\n",
		c.Paint(term.Bold, "Chalie is here."), w.Address, folder(c.data), grouped(uint64(w.Position)))
	if w.SetupLink != "" {
		fmt.Fprintf(&text, "\nMake your account, once, with this link:\n\n  %s\n", c.Paint(term.Bold, w.SetupLink))
	}
	fmt.Fprintf(&text, "\nTell it something, and see what it has in mind:\n\n%s\n  %s\n", tryIt(socket), c.again("world"))
	fmt.Fprintf(&text, "\nLet a program in, to send signals to %s/api/signals:\n\n  %s\n", w.Address, c.again("token issue NAME"))
	fmt.Fprintf(&text, "\nPair an interface, that offers tools as well:\n\n  %s\n", c.again("interfaces key"))
	text.WriteString(phoneWords(app))
	if warning := beyondLoopback(app.Addr()); warning != "" && app.secure == nil {
		fmt.Fprintf(&text, "\n%s\n", c.Paint(term.Yellow, warning))
	}
	return c.Println(text.String() + "\nPress Ctrl-C to stop.")
}

// tryIt is a request to paste: the socket needs no login.
func tryIt(socket string) string {
	return fmt.Sprintf(`  curl --unix-socket %s http://chalie/api/signals -H 'Content-Type: application/json' \
    -d '{"signal_type":"weather_forecast","content":"Heavy rain expected this evening","activation_energy":0.4}'`, quoted(short(socket)))
}

// short is a path from the working directory, when that is how a person would
// write it.
func short(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

func folder(data string) string {
	if abs, err := filepath.Abs(data); err == nil {
		return abs
	}
	return data
}

// beyondLoopback warns when others on the network can reach the address.
func beyondLoopback(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsLoopback() {
		return ""
	}
	return "Other machines can reach this address, and what is sent to it is not encrypted: serve it with --tls, or put it behind a proxy with TLS."
}

// prefixes is a flag of networks that may be given several times.
type prefixes []netip.Prefix

var _ pflag.Value = (*prefixes)(nil)

func (p *prefixes) String() string {
	texts := make([]string, len(*p))
	for i, prefix := range *p {
		texts[i] = prefix.String()
	}
	return strings.Join(texts, ",")
}

// Set takes one network, or one address.
func (p *prefixes) Set(text string) error {
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		addr, addrErr := netip.ParseAddr(text)
		if addrErr != nil {
			return fmt.Errorf("%q is no network", text)
		}
		prefix = netip.PrefixFrom(addr, addr.BitLen())
	}
	*p = append(*p, prefix.Masked())
	return nil
}

// Type is what the flag takes, for its help and its errors.
func (p *prefixes) Type() string { return "network" }
