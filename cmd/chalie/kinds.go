package main

import (
	"log/slog"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/aliases"
	"chalie/projections/catchup"
	"chalie/projections/notices"
	"chalie/projections/rebuild"
	"chalie/projections/small"
	"chalie/projections/traces"
	"chalie/projections/transcript"
	"chalie/replay/wiring"
)

// kind is one projection of this program, and where it is kept.
type kind struct {
	projections.Kind
	// take stores the active instance in held.
	take func(projections.Projection)
}

// kindOf is a kind whose instances are kept at a place; nil for one that is read by what
// it holds alone. Every version of it is a P.
func kindOf[P projections.Projection](place *P, fresh func() P, purpose string) kind {
	if place == nil {
		place = new(P)
	}
	return kind{
		Kind: projections.Kind{Name: fresh().Name(), For: purpose, Makes: []func() projections.Projection{func() projections.Projection { return fresh() }}},
		take: func(p projections.Projection) { *place, _ = p.(P) },
	}
}

// held are the projections that others ask for by name: those that decisions rest on,
// and these.
type held struct {
	wiring.Projections
	accounts *projections.InMemory[domain.Accounts]
	aliases  *aliases.Projection
	catchup  *catchup.Projection
	console  *catchup.Projection
	traces   *traces.Projection
}

// kinds are the projections of this program, each with what it is for. Raising the
// version of one adds its old self to its Makes, where that can still be folded.
func (h *held) kinds() []kind {
	return []kind{
		kindOf(&h.accounts, small.Accounts, "Who may log in: the account, its sessions, and the tokens of programs."),
		kindOf(&h.aliases, aliases.New, "What programs call their commands by, which choose ids of their own."),
		kindOf(&h.catchup, func() *catchup.Projection { return catchup.New(catchup.Frames, catchup.Size) },
			"What open pages were sent last, so that one whose connection was lost gets what it missed."),
		kindOf(&h.console, func() *catchup.Projection { return catchup.New(catchup.Console, catchup.Size) },
			"What consoles and voice programs were sent last, so that one whose connection was lost gets what it missed."),
		kindOf(&h.Invocations, small.Invocations, "The tool calls that are under way, and those that wait for your approval."),
		kindOf(&h.Memory, small.Memory, "What you asked Chalie to remember."),
		kindOf(&h.Notes, small.Notes, "The notes that you and programs wrote."),
		kindOf(&h.Plans, small.Plans, "Your reminders, appointments, tasks and lists."),
		kindOf(&h.Policy, small.NewPolicy, "The rules in force, and what you said of single tools."),
		kindOf(&h.Registry, small.Registry, "The interfaces that were let in, what they offer, and what they may do."),
		kindOf(&h.Settings, small.Settings, "What decisions are made by, where you set it."),
		kindOf(&h.Surroundings, small.Surroundings, "Where and how you are, as your devices tell it."),
		kindOf(&h.PastNotices, notices.New, "What Chalie told you unprompted, so that nothing is told twice."),
		kindOf(&h.Unwanted, small.Unwanted, "What you don't want to be told unprompted."),
		kindOf(&h.traces, traces.New, "A line for each episode: where it began, and its result."),
		kindOf(&h.Transcript, transcript.New, "The conversation."),
		kindOf(&h.World, small.World, "What Chalie has in mind: what it heard, what you plan, and how that fades."),
	}
}

// kindsOf are what the program's projections are made by.
func kindsOf(all []kind) []projections.Kind {
	out := make([]projections.Kind, len(all))
	for i, k := range all {
		out[i] = k.Kind
	}
	return out
}

// today are what the program's projections are made by when nobody changes them.
func today() []projections.Kind { return kindsOf((&held{}).kinds()) }

// folds are the projections of this program that serve.
type folds struct {
	held
	*rebuild.Serving

	all []kind
}

// newFolds makes every projection and opens its store. It folds nothing yet.
// revise, if there is any, changes what a projection is made by.
func newFolds(feed projections.Feed, clock domain.Clock, logger *slog.Logger, open rebuild.Open, revise ...func(*kind)) (*folds, error) {
	f := &folds{}
	f.all = f.kinds()
	for i := range f.all {
		for _, change := range revise {
			change(&f.all[i])
		}
	}
	var err error
	if f.Serving, err = rebuild.Serve(kindsOf(f.all), feed, clock, logger, open); err != nil {
		return nil, err
	}
	for i, p := range f.Serving.Projections {
		f.all[i].take(p)
	}
	return f, nil
}

// storesOf are the stores of a data directory; no tables is as many as are usual.
func storesOf(data string, logger *slog.Logger, m allowance, tables int) *pebblestore.Set {
	return pebblestore.NewSet(pebblestore.Config{Dir: foldedFolder(data), Log: logger, CacheBytes: m.foldCache(), MemTableBytes: m.foldTable(), OpenTables: tables})
}
