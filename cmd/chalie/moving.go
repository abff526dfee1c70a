package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/eventstorelog"
	"chalie/adapters/httpapi"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/projections/rebuild"
)

// moving moves the log while it is served: it copies and compares, and then has the
// program start again. What came in meanwhile is moved in between, while nothing is open.
type moving struct {
	app  *App
	ends chan handover // has room for one

	mu    sync.Mutex
	state api.Move
	goal  Cluster // of the move that is under way
	tasks sync.WaitGroup
}

// handover is a move that is prepared.
type handover struct {
	cluster Cluster
	back    bool
	through domain.Position // what was compared
	left    string          // a stream of a move that was broken off
}

var _ httpapi.Moves = (*moving)(nil)

// newMoving moves the log of an app. before is how the last move ended.
func newMoving(a *App, before api.Move) *moving {
	if before.State == "" {
		before.State = api.MoveNone
	}
	return &moving{app: a, ends: make(chan handover, 1), state: before}
}

// Status implements httpapi.Moves.
func (m *moving) Status() api.Move {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

func (m *moving) is(state api.MoveState, done, of domain.Position) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = api.Move{State: state, Done: done, Of: of}
}

// Start implements httpapi.Moves.
func (m *moving) Start(req api.MoveRequest) error {
	h := handover{cluster: Cluster{URL: req.To + req.From, Stream: req.Stream}, back: req.From != ""}
	switch {
	case (req.To == "") == (req.From == ""):
		return domain.Invalid("move", "to", "give to or from, with the connection string of the cluster")
	case h.back && m.app.node == nil:
		return m.returned(h)
	case !h.back && m.app.node != nil:
		return &domain.Error{Op: "move", Category: domain.Conflict, Code: codeOnCluster, Message: keptThere}
	case h.back && req.Stream != m.app.cfg.Cluster.Stream:
		return domain.Invalid("move", "stream", "the log is kept in the stream "+m.app.cfg.Cluster.Stream)
	}
	cfg := m.app.cfg
	cfg.Cluster = h.cluster
	node, err := joinCluster(cfg) // which looks at the connection string
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.State.UnderWay() {
		node.Close()
		if h.cluster != m.goal {
			return &domain.Error{Op: "move", Category: domain.Conflict, Code: "another_move", Message: fmt.Sprintf("the log is being moved to the stream %s of another connection string or name; let that end first, or start Chalie anew to break it off", m.goal.Stream)}
		}
		return &domain.Error{Op: "move", Category: domain.Conflict, Code: codeMoving, Message: "the log is being moved there already"}
	}
	by, left, err := m.begins(cfg, h)
	if err != nil {
		node.Close()
		return err
	}
	h.left, m.goal = left, h.cluster
	m.state = api.Move{State: api.MoveCopying, Of: m.app.log.Tail()}
	m.tasks.Go(func() {
		err := m.prepare(m.app.stopping, node, by, &h)
		node.Close() // and its lease, which the next takes
		if err != nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.state = api.Move{State: api.MoveFailed, Error: words(err)}
			m.app.cfg.Logger.Warn("the log isn't moved, and stays where it was", "err", err)
			return
		}
		m.is(api.MoveSwitching, h.through, h.through)
		m.ends <- h
	})
	return nil
}

// begins is the move that begins, unless the log can't be moved.
func (m *moving) begins(cfg Config, h handover) (by eventstorelog.Move, left string, err error) {
	if !h.back {
		if err := m.app.log.MayLeave(m.app.stopping); err != nil {
			return "", "", err
		}
	}
	return moveOf(cfg.Data, h.cluster.Stream, h.back, cfg.IDs)
}

// returned refuses to bring back a log that is here: one that came from that stream is done.
func (m *moving) returned(h handover) error {
	cfg := m.app.cfg
	cfg.Cluster = h.cluster
	node, err := joinCluster(cfg)
	if err != nil {
		return err
	}
	defer node.Close()
	is, err := node.Returned(m.app.stopping, m.app.log)
	if err == nil && is {
		return &domain.Error{Op: "move", Category: domain.Conflict, Code: codeMovedAlready, Message: "the log was moved here from the stream " + h.cluster.Stream + " already"}
	}
	return &domain.Error{Op: "move", Category: domain.Conflict, Code: "not_on_a_cluster", Err: err, Message: "the log is kept on this machine already"}
}

const codeMoving domain.Code = "moving"

// prepare copies and compares what there is.
func (m *moving) prepare(ctx context.Context, node *eventstorelog.Node, by eventstorelog.Move, h *handover) (err error) {
	log := m.app.log
	if h.back {
		node = m.app.node
	} else if err := node.Bring(ctx, log, by, func(done, of domain.Position) { m.is(api.MoveCopying, done, of) }); err != nil {
		return err
	}
	h.through, err = node.Compare(ctx, log, 1, func(done, of domain.Position) { m.is(api.MoveComparing, done, of) })
	if err != nil {
		return err
	}
	m.is(api.MoveFolding, 0, h.through)
	return m.refold(ctx)
}

// refold folds what was compared again, and compares each fold with the one that serves.
func (m *moving) refold(ctx context.Context) error {
	if err := m.app.rebuilds.Start(nil, true); err != nil {
		return err
	}
	ticker := time.NewTicker(settleEvery)
	defer ticker.Stop()
	for _, p := range m.app.folds.Group.Status(ctx) {
		for {
			view := m.app.rebuilds.Status(p.Name).Rebuild
			if view == nil || view.State != rebuild.Running {
				if err := foldedAlike(p.Name, view); err != nil {
					return err
				}
				break
			}
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// foldedAlike is what is wrong with a fold; nil for nothing, or none that is kept.
func foldedAlike(name string, view *rebuild.View) error {
	switch {
	case view == nil:
		return nil
	case view.State != rebuild.Done:
		return &domain.Error{Op: "move", Category: domain.Dependency, Code: "fold_unchecked", Err: view.Err,
			Message: "the projection " + name + " could not be folded again to be compared; `chalie projections` says why; run the same command again"}
	case view.Result.Difference.Count() > 0:
		return &domain.Error{Op: "move", Category: domain.Conflict, Code: "fold_differs",
			Message: "the projection " + name + " isn't what the log gives; mend it with `chalie rebuild " + name + "`, and run the same command again"}
	}
	return nil
}

// handOver moves what is left of a log that nobody has open. It returns the configuration
// to go on with: where the log is now, or still.
func (h handover) handOver(ctx context.Context, cfg Config) Config {
	done, err := move{data: cfg.Data, cluster: h.cluster, meter: term.NoMeter(), from: h.through}.run(ctx, h.back)
	if err != nil {
		cfg.Logger.Error("the log isn't moved, and stays where it was", "err", err)
		cfg.moved = api.Move{State: api.MoveFailed, Error: words(err)}
		return cfg
	}
	cfg.moved = api.Move{State: api.MoveMoved, Done: done.Records, Of: done.Records, Files: done.Files, Left: h.left}
	cfg.Cluster = h.cluster
	if h.back {
		cfg.Cluster = Cluster{}
	}
	cfg.Logger.Info("the log is moved", "stream", done.Stream, "records", uint64(done.Records), "back", h.back)
	return cfg
}

// served has the Chalie that runs move its log, and waits until it is done.
func (m move) served(ctx context.Context, back bool) (moved, error) {
	client := apiclient.New(unixsocket.Client(m.data), unixsocket.BaseURL)
	defer client.Close()
	req := api.MoveRequest{To: m.cluster.URL, Stream: m.cluster.Stream}
	if back {
		req.From, req.To = req.To, ""
	}
	switch err := client.Move(ctx, req); domain.CodeOf(err) {
	case codeMovedAlready:
		return moved{Stream: m.cluster.Stream, Already: true}, nil
	case codeMoving:
	default:
		if err != nil {
			return moved{}, err
		}
	}
	defer m.meter.Clear()
	pace, state := m.meter.Pace(), api.MoveNone
	ticker := time.NewTicker(settleEvery)
	defer ticker.Stop()
	for since := time.Now(); ; {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return moved{}, stoppedWaiting{errors.New("the move goes on; run the same command again to follow it")}
		}
		now, err := client.Moving(ctx)
		if err != nil {
			// It starts again at the end.
			if time.Since(since) > startsWithin {
				return moved{}, &domain.Error{Op: "move", Category: domain.Dependency, Code: "move_failed", Err: err,
					Message: "Chalie doesn't answer any more; start it again, and run the same command again to go on; until the end of the move the log is kept where it was"}
			}
			continue
		}
		since = time.Now()
		if now.State != state {
			pace, state = m.meter.Of(string(now.State)).Pace(), now.State
		}
		switch now.State {
		case api.MoveMoved:
			return moved{Records: now.Done, Stream: m.cluster.Stream, Files: now.Files, Left: now.Left}, nil
		case api.MoveNone:
			return moved{}, &domain.Error{Op: "move", Category: domain.Dependency, Code: "move_failed", Message: "Chalie was started anew meanwhile; run the same command again"}
		case api.MoveFailed:
			return moved{}, &domain.Error{Op: "move", Category: domain.Dependency, Code: "move_failed", Message: "the log isn't moved, and stays where it was: " + now.Error}
		}
		pace(now.Done, now.Of)
	}
}

// startsWithin is how long a Chalie may take to start again.
const startsWithin = 20 * time.Second
