package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"chalie/adapters/aistalk"
	"chalie/adapters/eventstorelog"
	"chalie/adapters/faultfile"
	"chalie/adapters/hmactokens"
	"chalie/adapters/hostzone"
	"chalie/adapters/httpapi"
	"chalie/adapters/mcpserver"
	"chalie/adapters/otlp"
	"chalie/adapters/pebblelog"
	"chalie/adapters/pebblestore"
	"chalie/adapters/prometheus"
	"chalie/adapters/rlimit"
	"chalie/adapters/unixsocket"
	"chalie/adapters/watermillbus"
	"chalie/adapters/web"
	"chalie/adapters/wsapi"
	"chalie/cmd/chalie/internal/outages"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/limit"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/signal"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

// App is the running program: the log, its folds, and the API over them on a
// TCP address and on the data directory's Unix socket.
//
// Open builds it and takes the addresses and the lock of the data directory;
// Run serves until its context ends. Close ends one that was opened, whether it
// ran or not. Everything is written through the bus.
//
// Shutdown, in order: readiness ends, listening stops, long polls end, and sockets are
// closed; an answer under way is interrupted, and continued by the next start; requests
// under way get a moment to finish; system.stopped is appended; rebuilds are cancelled;
// the projections catch up, save and close, and the keyframes; the log syncs and closes.
type App struct {
	cfg      Config
	log      *pebblelog.Log
	bus      *watermillbus.Bus
	folds    *folds
	stores   *pebblestore.Set
	rebuilds *rebuild.Rebuilder
	kept     keyframes
	core     *core
	backups  *backups
	site     *web.Site
	programs http.Handler // of the Unix socket
	hub      *wsapi.Hub
	epochs   domain.Epochs // from the start on
	console  *console
	mcp      *mcpserver.Server
	bridge   *aistalk.Bridge // nil where there is none
	hosts    *commands.Hosts
	loop     *reasoning.Loop
	outside  *integrations
	voices   *voice.Voices
	tokens   *hmactokens.Tokens // of proposals that wait for approval
	spine    *spine
	timer    *background.Scheduler
	auditor  *background.Auditor
	keeper   *background.Backups
	retainer *background.Retention
	thinkers *answeringModels
	volume   *limit.Volume
	exporter *otlp.Follower        // nil where nothing is exported
	node     *eventstorelog.Node   // nil where the log is this machine's alone
	beside   *eventstorelog.Beside // nil without a cluster
	moving   *moving
	handover *handover // why Run has ended; nil but for a move of the log
	numbers  *prometheus.Metrics
	outages  *outages.Log
	setupKey string      // "" when there is an account
	secure   *encryption // nil without TLS
	life     *background.Life
	started  domain.Position // position of system.started, or the tail if the disk had no room for it
	began    domain.Millis   // its time
	folding  folding         // of what the log held before
	files    descriptors
	fault    *faultfile.File // nil where none is kept

	tcp, unix net.Listener
	stopping  context.Context // ends when the shutdown begins
	stop      context.CancelFunc
	waiting   context.Context // ends when the shutdown waits for no request and no tool any more
	breakOff  context.CancelFunc
	closing   sync.Once
	closed    error
}

// keyframesRest lets keyframes that are far behind be made a fifth of the time.
const keyframesRest = 4

// How long requests and calls of tools under way may take once the program stops. What is
// left of five seconds is for the rest, such as a program that doesn't end when it is told.
const (
	finishWithin = 2 * time.Second // to end by themselves
	breakWithin  = time.Second     // to end when their context does
)

// leaveAfter is how long the services may take to end after the requests: a disk may be slow.
const leaveAfter = 5 * time.Second

// Open builds the program. After an error nothing is left open; nothing is appended until
// everything else that can fail has succeeded.
func Open(ctx context.Context, cfg Config) (_ *App, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	a := newApp(cfg)
	if a.thinkers, err = newAnsweringModels(cfg.Models); err != nil {
		return nil, err
	}
	a.stopping, a.stop = context.WithCancel(context.Background())
	a.waiting, a.breakOff = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(a.damaged(err), a.Close())
		}
	}()
	// The address comes first: if it is in use, no data directory is made.
	if a.tcp, err = (&net.ListenConfig{}).Listen(ctx, "tcp", a.cfg.Addr); err != nil {
		return nil, cantListen(ctx, a.cfg, err)
	}
	if err := makeDataDir(a.cfg); err != nil {
		return nil, err
	}
	if a.secure, err = openEncryption(a); err != nil {
		return nil, err
	}
	if a.node, err = joinCluster(a.cfg); err != nil {
		return nil, err
	}
	if a.log, err = openLog(ctx, a.cfg, a.files, a.node); err != nil {
		return nil, err
	}
	a.outages.Watch(a.recording)
	if a.unix, err = unixsocket.Listen(a.cfg.Data); err != nil {
		return nil, err
	}
	if a.node != nil {
		if err := lead(ctx, a); err != nil {
			return nil, err
		}
		if a.beside, err = restoreBeside(ctx, a); err != nil {
			return nil, err
		}
	}
	if err := passGate(ctx, a.log); err != nil {
		return nil, err
	}
	a.stores = storesOf(a.cfg.Data, a.cfg.Logger, a.cfg.memory, a.files.tables)
	if a.folds, err = newFolds(a.log, a.cfg.Clock, a.cfg.Logger, a.stores.Serve, a.cfg.revise...); err != nil {
		return nil, err
	}
	a.folding = folding{a.log.Tail() - a.folds.Group.Unfolded(ctx), pace{time.Now()}}
	a.folds.Run()
	a.life = background.NewLife(background.LifeConfig{Log: a.log, Env: a.env(), Started: a.beginning, Folded: a.folds.Group})
	a.rebuilds = rebuild.New(rebuild.Config{Serving: a.folds.Serving, Stores: a.stores, Feed: a.cfg.rebuildFrom(a.log), Clock: a.cfg.Clock, Logger: a.cfg.Logger, Record: a.life.Rebuilt, Ended: a.rebuilt})
	if err := a.wire(ctx); err != nil {
		return nil, err
	}
	if err := a.begin(ctx); err != nil {
		return nil, err
	}
	if says := hostzone.Unnamed(hostzone.Name(), time.Local, a.cfg.Clock.Now().Year()); says != "" {
		a.cfg.Logger.Warn(says)
	}
	a.tellLost(ctx)
	a.endVoices(ctx)
	if err := tellMove(a.cfg); err != nil {
		return nil, err
	}
	if err := a.rebuilds.Upgrade(); err != nil {
		a.cfg.Logger.Warn("a newer version of a projection can't be folded now; the old one serves", "err", err)
	}
	return a, nil
}

func newApp(cfg Config) *App {
	a := &App{cfg: cfg.withDefaults(), files: shareOut(rlimit.Files())}
	a.outages = outages.New(a.cfg.Logger.Handler())
	a.cfg.Logger = slog.New(a.outages)
	return a
}

// recording reports whether the log takes records.
func (a *App) recording() bool {
	return a.log.Refusing() == nil && (a.node == nil || a.node.Away() == nil)
}

// makeDataDir makes the data directory, closes it to others, and sees that it has room.
func makeDataDir(cfg Config) error {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return noDataDir(cfg.Data, err)
	}
	if err := closeToOthers(cfg.Data, os.Chmod, cfg.Logger); err != nil {
		return err
	}
	keepReserve(cfg)
	return nil
}

// env is the environment of commands.
func (a *App) env() commands.Env {
	return commands.Env{Log: a.bus, Reader: a.log, Tail: a.log, Clock: a.cfg.Clock, IDs: a.cfg.IDs, Logger: a.cfg.Logger}
}

// wire makes the API over the open log and projections.
func (a *App) wire(ctx context.Context) error {
	var err error
	if a.bus, err = newBus(ctx, a); err != nil {
		return err
	}
	a.life.Through(a.bus)
	registered, err := hasAccount(ctx, a.log)
	if err != nil {
		return err
	}
	if a.spine, err = newSpine(a); err != nil {
		return err
	}
	if !registered {
		a.setupKey = commands.NewSecret()
	}
	a.kept = openKeyframes(projections.NewThrottled(a.log, keyframesRest, a.spine.foreground.Rest), keyframesIn(a.cfg.Data, a.cfg.Logger, a.cfg.memory, a.files.tables))
	around, err := signal.NewSurroundings(signal.SurroundingsConfig{
		Env: a.env(), Book: a.folds.Surroundings, Applied: a.folds.Of(a.folds.Surroundings.Name()),
		Spine: a.spine.emitter,
	})
	if err != nil {
		return err
	}
	a.backups = &backups{data: a.cfg.Data, log: a.log, folds: a.folds, notes: true}
	a.core, err = newCore(coreParts{
		Env: a.env(), log: a.log, backups: a.backups, feed: a.log.Until(a.stopping), folds: a.folds, kept: a.kept, rebuilds: a.rebuilds,
		passwords: a.cfg.Passwords, around: around, priority: &a.spine.foreground, thinkers: a.thinkers, running: a.serving,
		setupKey: a.setupKey, health: a.health, command: a.cfg.Command, memory: a.cfg.memory, walks: beside(),
	})
	if err != nil {
		return err
	}
	a.site, err = web.New(web.Config{API: a.core.api.Handler(), Version: thisBuild().Version, TLS: a.secure.telling(), Logger: a.cfg.Logger})
	if err != nil {
		return err
	}
	if a.programs, err = newBrain(a); err != nil {
		return err
	}
	reasoner, err := newReasoner(a, a.thinkers)
	if err != nil {
		return err
	}
	if a.loop, err = newLoop(a, reasoner); err != nil {
		return err
	}
	if a.timer, err = newScheduler(a); err != nil {
		return err
	}
	if a.auditor, err = newAuditor(a); err != nil {
		return err
	}
	a.keeper, err = background.NewBackups(background.BackupsConfig{Env: a.env(), Maker: a.backups, Settings: a.folds.Settings, Priority: &a.spine.foreground})
	if err != nil {
		return err
	}
	a.retainer, err = background.NewRetention(background.RetentionConfig{
		Env: a.env(), Retirer: retirer{a.log, func() bool { return a.moving.Status().State.UnderWay() }, a.cfg.Clock, a.folds, projections.NewThrottled(a.log, keyframesRest, a.spine.foreground.Rest), a.kept.Keyframes}, Settings: a.folds.Settings, Priority: &a.spine.foreground})
	if err != nil {
		return err
	}
	a.spine.emitter.ThinkAhead(background.Ahead{Foresight: reasoning.NewForesight(reasoner), Priority: &a.spine.foreground, Bounds: a.bounds()})
	return a.spine.think(a, reasoner)
}

// serving adds to the API the parts of a running program: images, sockets and
// integrations.
func (a *App) serving(c *core, cfg *httpapi.Config) error {
	blobs, err := openImages(a)
	if err != nil {
		return err
	}
	cfg.Images, err = message.NewImages(message.ImagesConfig{Env: a.env(), Blobs: blobs})
	if err != nil {
		return err
	}
	if a.tokens, err = hmactokens.Open(a.cfg.Data); err != nil {
		return err
	}
	a.hosts = commands.NewHosts(ownNames, c.accounts.Ways, a.cfg.Clock)
	a.hub, err = wsapi.New(wsapi.Config{
		Buffer: a.folds.catchup, Reader: a.log, Tail: a.log, Logger: a.cfg.Logger,
		Speaks: &wsapi.Chat{Talk: c.messages, Tokens: a.tokens, Programs: c.accounts, Hosts: a.hosts, Reader: a.log, Epochs: func() domain.Epochs { return a.epochs }},
		Epochs: func() domain.Epochs { return a.epochs },
		Ready:  func(ctx context.Context) error { return a.folds.Of(a.folds.catchup.Name()).WaitFor(ctx, a.started) },
	})
	if err != nil {
		return err
	}
	a.hosts.Tell(a.hub.Refresh)
	cfg.Hosts = a.hosts
	if a.console, err = newConsole(a, cfg); err != nil {
		return err
	}
	if a.outside, err = newIntegrations(a, c.signals); err != nil {
		return err
	}
	a.outside.tell(cfg)
	if a.mcp, err = newMCP(a, c); err != nil {
		return err
	}
	cfg.MCP = a.mcp
	if a.voices, err = newVoices(a); err != nil {
		return err
	}
	cfg.Voices = a.voices
	if a.bridge, err = newBridge(a, cfg.Models); err != nil {
		return err
	}
	cfg.Sockets, cfg.Gateways, cfg.Proxies, cfg.Address, cfg.Spine = a.hub, a.cfg.Gateways, a.cfg.Proxies, a.Addr, a.view
	cfg.System = a.system
	cfg.Chosen = chosenModels{a.cfg.Models}
	a.moving = newMoving(a, a.cfg.moved)
	cfg.Moves = a.moving
	cfg.Stays = func() error { return a.retainer.Trouble() }
	cfg.Metrics = a.numbers
	cfg.Diverged = func(ctx context.Context) map[string]domain.ProjectionDiverged { return a.auditor.Diverged(ctx) }
	if a.cfg.work != nil {
		a.cfg.work(cfg)
	}
	return nil
}

// hasAccount reads the log, because the fold may still be behind.
func hasAccount(ctx context.Context, log domain.Reader) (bool, error) {
	const atOnce = 64
	for from := domain.Position(1); ; {
		records, err := log.Select(ctx, domain.Selector{Key: domain.OperatorRegistered{}.Keys()[0]}, from, atOnce)
		if err != nil {
			return false, err
		}
		// A part of a log may begin with a change of the password.
		for _, rec := range records {
			if rec.Envelope.Type == domain.OperatorRegisteredType {
				return true, nil
			}
			from = rec.Position + 1
		}
		if len(records) < atOnce {
			return false, nil
		}
	}
}

// Addr is the address HTTP is served on.
func (a *App) Addr() string { return a.tcp.Addr().String() }

// SetupLink is where the account is made; "" when there is one.
func (a *App) SetupLink() string {
	if a.setupKey == "" {
		return ""
	}
	return a.URL() + "/setup?key=" + a.setupKey
}

// Close closes everything that Open opened. A second call returns the first one's result.
func (a *App) Close() error {
	a.closing.Do(func() {
		a.stop()
		a.breakOff()
		var failures []error
		for _, l := range []net.Listener{a.tcp, a.unix} {
			if l == nil {
				continue
			}
			// A server that stopped has closed its listener already.
			if err := l.Close(); !errors.Is(err, net.ErrClosed) {
				failures = append(failures, err)
			}
		}
		a.thinkers.release()
		if a.rebuilds != nil {
			a.rebuilds.Close()
		}
		if a.folds != nil {
			failures = append(failures, a.folds.Close())
		}
		a.kept.close(a.cfg.Logger)
		if a.log != nil {
			failures = append(failures, a.log.Close())
		}
		if a.node != nil {
			a.node.Close()
		}
		a.outages.Close()
		if a.fault != nil {
			failures = append(failures, a.fault.Close())
		}
		a.closed = errors.Join(failures...)
	})
	return a.closed
}

func noDataDir(data string, err error) error {
	return &domain.Error{Op: "open data directory", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
		Message: fmt.Sprintf("can't use %s as data directory; check its permissions, or name another one with --data", data)}
}

// closeToOthers removes others' permissions on an existing data directory, and logs that.
// That protects its contents, too, whatever their own modes are. On a directory of
// another owner, such as a container's volume, it removes them on the contents instead,
// the log above all.
func closeToOthers(data string, chmod func(string, os.FileMode) error, log *slog.Logger) error {
	was, err := closed(data, chmod)
	switch {
	case was == 0 && err != nil:
		return noDataDir(data, err)
	case was&0o077 == 0 || errors.Is(err, syscall.EROFS): // opening the log reports it
		return nil
	case err == nil:
		log.Warn("other users could read the data directory, and can't any more", "data", data, "was", fmt.Sprintf("%04o", was), "is", fmt.Sprintf("%04o", was&^0o077))
		return nil
	}
	if !errors.Is(err, os.ErrPermission) || !closedWithin(data, chmod) {
		return &domain.Error{Op: "open data directory", Category: domain.Dependency, Code: "open_to_others", Err: err,
			Message: fmt.Sprintf("other users can read %s (its mode is %04o) and that can't be changed; close it with chmod 700, or name another one with --data", data, was)}
	}
	log.Warn("the data directory is another user's and open to others; what is in it is closed to them, but who may write to it can put it aside: close it, or give Chalie one of its own",
		"data", data, "is", fmt.Sprintf("%04o", was))
	return nil
}

// closed removes others' permissions on a file or folder, and returns its old mode.
func closed(path string, chmod func(string, os.FileMode) error) (was os.FileMode, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if was = info.Mode().Perm(); was&0o077 == 0 {
		return was, nil
	}
	return was, chmod(path, was&^0o077)
}

// closedWithin removes others' permissions on a data directory's contents, and reports
// whether it did so for the log. Later files are created without them, and files that
// aren't Chalie's stay as they are.
func closedWithin(data string, chmod func(string, os.FileMode) error) bool {
	entries, err := os.ReadDir(data)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		linked := entry.Type()&os.ModeSymlink != 0 // another user may have made it
		if !linked {
			_, err = closed(filepath.Join(data, entry.Name()), chmod)
		}
		if entry.Name() == "log" && (linked || err != nil) {
			return false
		}
	}
	return true
}

// cantListen explains why the address is in use, most often by another Chalie.
func cantListen(ctx context.Context, cfg Config, err error) error {
	if conn, dialErr := unixsocket.Dial(ctx, cfg.Data); dialErr == nil {
		_ = conn.Close()
		return &domain.Error{Op: "listen", Category: domain.Conflict, Code: "running",
			Message: fmt.Sprintf("Chalie runs already on the data in %s; stop it first, or choose another data directory and address with --data and --addr", cfg.Data)}
	}
	return &domain.Error{Op: "listen", Category: domain.Dependency, Code: "no_address", Err: err,
		Message: fmt.Sprintf("can't listen on %s; stop what uses it, or choose another with --addr", cfg.Addr)}
}

// Run serves until ctx ends or a listener fails, and then closes everything.
// Ending ctx is no error.
func (a *App) Run(ctx context.Context) error {
	trusted := httpapi.NewServer(a.waiting, a.programs, a.cfg.Logger)
	servers := append(a.doors(a.waiting), door{trusted, func() error { return trusted.Serve(a.unix) }})
	level := slog.LevelInfo
	if a.cfg.Announced {
		level = slog.LevelDebug
	}
	a.cfg.Logger.Log(ctx, level, "serving", "address", a.Addr(), "data", a.cfg.Data, "position", uint64(a.started))
	failed := make(chan error, len(servers))
	var serving sync.WaitGroup
	for _, server := range servers {
		serving.Go(func() {
			if err := server.serve(); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		})
	}
	serving.Go(func() { a.tellFolding(level) })
	serving.Go(func() { a.life.StartLater(a.stopping) })
	serving.Go(func() { a.kept.make(a.stopping, a.cfg.Logger) })
	serving.Go(a.keepBeside)
	serving.Go(func() { a.keeper.Run(a.stopping) })
	serving.Go(func() { a.retainer.Run(a.stopping) })
	serving.Go(func() { giveBack(a.stopping, 10*time.Second, debug.FreeOSMemory) })
	refusals, stopRefusals := context.WithCancel(context.Background())
	defer stopRefusals()
	recording := make(chan error, 1)
	go func() { recording <- a.core.accounts.Run(refusals) }()
	working := a.work()

	var failure error
	select {
	case <-ctx.Done():
	case h := <-a.moving.ends:
		a.handover = &h
		noteEpoch(a.cfg, domain.EpochMove)
	case <-a.overtaken():
		failure = a.node.Err()
		a.breakOff() // nothing that is under way can be recorded any more
	case <-a.log.Damaged():
		failure = a.log.Damage()
	case err := <-failed:
		failure = &domain.Error{Op: "serve", Category: domain.Dependency, Code: "not_listening", Err: err,
			Message: "Chalie can't take requests any more; start it again"}
	}
	a.stop()
	defer time.AfterFunc(finishWithin, a.breakOff).Stop()
	finish(servers)
	serving.Wait()
	working.end(a.cfg.Logger)
	a.outside.servers.Close()
	a.moving.tasks.Wait()
	stopRefusals()
	why := reason(ctx, failure)
	if a.handover != nil {
		why = "the log is moved"
	}
	failure = errors.Join(failure, <-recording, withoutLost(a.life.Stop(why)), a.Close())
	a.cfg.Logger.Info("stopped", "reason", why)
	return failure
}

// services are the goroutines that run until the shutdown begins, by name.
func (a *App) services() map[string]func(context.Context) error {
	services := a.outside.services()
	services[socketService], services[reasoning.Group] = a.hub.Run, a.loop.Run
	services[domain.ServiceConsole], services[domain.ServiceMCP] = a.console.run, a.mcp.Run
	if a.bridge != nil {
		services[domain.ServiceBridge] = a.bridge.Run
	}
	services[domain.ServiceTimer], services[domain.ServiceAudit] = a.timer.Run, a.auditor.Run
	if a.exporter != nil {
		services[domain.ServiceTelemetry] = a.exporter.Run
	}
	maps.Copy(services, a.spine.services())
	return services
}

// work runs the services until the shutdown begins. When one dies the others go on, and
// /health says so.
func (a *App) work() *working {
	w := &working{running: map[string]bool{}}
	for name, run := range a.services() {
		declared, _ := domain.ServiceNamed(name)
		w.begin(name, func() {
			if err := a.spine.hearts.Keep(a.stopping, declared, run); err != nil && a.stopping.Err() == nil {
				a.cfg.Logger.Error("a service has ended", "service", name, "err", err)
			}
		})
	}
	return w
}

// working is the services that run.
type working struct {
	all sync.WaitGroup

	mu      sync.Mutex
	running map[string]bool
}

func (w *working) begin(name string, run func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[name] = true
	w.all.Go(func() {
		run()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, name)
	})
}

// end waits until all have ended. One that doesn't is left behind: the process ends.
func (w *working) end(log *slog.Logger) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.all.Wait()
	}()
	patience := time.NewTimer(leaveAfter)
	defer patience.Stop()
	select {
	case <-ended:
	case <-patience.C:
		w.mu.Lock()
		defer w.mu.Unlock()
		log.Error("services don't end, and are left behind", "services", slices.Sorted(maps.Keys(w.running)), "after", leaveAfter)
	}
}

// finish waits for requests under way. After finishWithin they are broken off.
func finish(servers []door) {
	var ending sync.WaitGroup
	for _, s := range servers {
		ending.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), finishWithin+breakWithin)
			defer cancel()
			if s.Shutdown(ctx) != nil {
				// Requests that ignore their cancelled context lose their connection.
				_ = s.Close()
			}
		})
	}
	ending.Wait()
}

// openLog opens the log for writing. It waits for a command that reads the data
// directory, which holds the lock for a moment, but not for a running program, which
// answers on its socket.
func openLog(ctx context.Context, cfg Config, files descriptors, node *eventstorelog.Node) (*pebblelog.Log, error) {
	deadline := time.Now().Add(settleWithin)
	at, err := logAt(cfg, node, "chalie serve")
	if err != nil {
		return nil, err
	}
	at.FS, at.Damage, at.OpenTables = cfg.disk, cfg.damage, files.logTables
	at.CacheBytes, at.MemTableBytes = cfg.memory.logCache(), cfg.memory.logTable()
	at.Failed = func() { noteEpoch(cfg, domain.EpochFailedSync) }
	for {
		log, err := openHere(cfg, at)
		if err == nil || !busy(err) || domain.CodeOf(err) != "locked" || time.Now().After(deadline) {
			return log, ownLog(cfg, err)
		}
		if conn, dialErr := unixsocket.Dial(ctx, cfg.Data); dialErr == nil {
			_ = conn.Close()
			return nil, err
		}
		select {
		case <-time.After(settleEvery):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// openHere opens a copy, or a log of this machine alone where it is one.
func openHere(cfg Config, at pebblelog.Config) (*pebblelog.Log, error) {
	if at.Of != "" {
		return pebblelog.Open(at)
	}
	if err := keptHere(cfg.Data, at); err != nil {
		return nil, err
	}
	log, err := pebblelog.Open(at)
	if err != nil {
		return nil, err
	}
	if err := noteLeft(cfg.Data); err != nil {
		return nil, errors.Join(noDataDir(cfg.Data, err), log.Close())
	}
	return log, nil
}

// logAt is where the log of a data directory is, to be written: of this machine alone, or,
// with a node, a copy. A move there or back that was broken off at its end leaves a log that
// doesn't say yet, or no longer, that it is one.
func logAt(cfg Config, node *eventstorelog.Node, holder string) (pebblelog.Config, error) {
	at := pebblelog.Config{Dir: logFolder(cfg.Data), Clock: cfg.Clock, Logger: cfg.Logger, Holder: holder}
	if node == nil {
		at.Known = storesOf(cfg.Data, cfg.Logger, cfg.memory, 0).FoldedThrough(today())
		return at, nil
	}
	by, stream, err := underWay(cfg.Data)
	if err != nil {
		return at, err
	}
	saved, err := savedCluster(cfg.Data)
	at.Adopt = err == nil && by != "" && stream == cfg.Cluster.Stream && saved.Stream == stream
	at.Upstream, at.Of = node, cfg.Cluster.Stream
	return at, nil
}
