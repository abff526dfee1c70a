package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/player"
)

// Replayer replays recorded traces. It writes nothing and calls no model or interface.
type Replayer func(ctx context.Context, what player.Request, told func(player.Progress)) (player.Report, error)

func replayHandlers() handlers {
	return handlers{"replay": (*exchange).replay, "acceptDifferences": (*exchange).acceptDifferences, "supposable": (*exchange).supposable, "lookBack": (*exchange).lookBack}
}

// replay is POST /api/replay {trace?, since?}: JSON lines of progress, and the report
// last. Without a trace it replays all that began since. With changes in the body it is a
// what-if replay. Closing the connection ends it.
func (x *exchange) replay() error {
	var in api.ReplayRequest
	if err := x.read(&in); err != nil {
		return err
	}
	what, err := x.replayRequest(in)
	if err != nil {
		return err
	}
	if in.IsAnything() {
		return x.whatIf(what, in.Supposed)
	}
	if x.api.cfg.Replay == nil {
		return notRunning("replay")
	}
	line := x.lines()
	told := x.progressing(line)
	report, err := x.api.cfg.Replay(x.r.Context(), what, func(p player.Progress) { told(p.Done, p.Total) })
	if err != nil {
		return err
	}
	line(report)
	return nil
}

// acceptDifferences is POST /api/replay/accepted.
func (x *exchange) acceptDifferences() error {
	if x.api.cfg.Settings == nil {
		return notRunning("accept differences")
	}
	var in api.DifferencesToAccept
	if err := x.read(&in); err != nil {
		return err
	}
	id, err := x.api.cfg.Settings.Accept(x.r.Context(), x.caller, domain.DifferencesAccepted{Kinds: in.Kinds, Build: x.api.cfg.Version})
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.AcceptedDifferences{EnvelopeID: id, Kinds: len(in.Kinds)})
}

// progressing writes a line of progress now and then.
func (x *exchange) progressing(line func(any)) func(done, total domain.Position) {
	started := x.api.cfg.Clock.Now()
	told := started
	return func(done, total domain.Position) {
		now := x.api.cfg.Clock.Now()
		if now.Sub(told) < verifyEvery {
			return
		}
		told = now
		line(api.Progress{Position: done, Tail: total, Rate: int64(float64(done) / now.Sub(started).Seconds())})
	}
}

// lines begins an answer of one JSON text per line. Each is sent at once. A later error
// is the last line, in the shape of a refusal.
func (x *exchange) lines() func(any) {
	x.begun = true
	x.w.Header().Set("Content-Type", "application/x-ndjson")
	stream := http.NewResponseController(x.w)
	lines := json.NewEncoder(x.w)
	x.line = func(v any) {
		// The request's context ends the work when the peer is gone.
		_ = stream.SetWriteDeadline(time.Now().Add(verifyPatience))
		_ = lines.Encode(v)
		_ = stream.Flush()
	}
	return x.line
}

// replayRequest reads the request's trace or start.
func (x *exchange) replayRequest(in api.ReplayRequest) (what player.Request, err error) {
	switch {
	case in.Trace != "" && in.Since != "":
		return what, domain.Invalid("replay", "since", "one trace is replayed whole: leave out since, or the trace")
	case in.Trace != "":
		if what.Trace, err = replay.TraceOf(x.r.Context(), x.api.cfg.Log, in.Trace); err != nil {
			err = x.wentWith(err, in.Trace)
		}
	case in.Since != "":
		what.Since, err = x.since(in.Since)
	}
	return what, err
}

// since is the first position of a time: a position in the log, or what moment takes.
func (x *exchange) since(text string) (domain.Position, error) {
	number, marked := strings.CutPrefix(text, positionMark)
	// A number with more digits than a position has is a time.
	if n, err := strconv.ParseUint(number, 10, 63); err == nil && (marked || len(number) < 10) {
		return domain.Position(n), nil
	}
	at, err := momentOf("since", text, domain.MillisOf(x.api.cfg.Clock.Now()), ago)
	if err != nil {
		return 0, domain.Invalid("replay", "since", fmt.Sprintf(
			"since is %q: give a span back such as 30d or 12h, a time such as 2026-03-17T14:00:00Z, or a position in the log", clip(text)))
	}
	return x.api.cfg.Log.Since(x.r.Context(), at)
}
