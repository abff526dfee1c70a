package main

import (
	"errors"
	"log/slog"
	"slices"
	"sync"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
)

// shelf is where a data directory keeps the editions of what it folded: of each
// projection the one that serves, and the one before.
type shelf struct {
	cfg pebblestore.Config

	mu      sync.Mutex
	serving map[string]pebblestore.Serving // of those that were opened
}

func newShelf(data string, logger *slog.Logger, m allowance) *shelf {
	return &shelf{cfg: pebblestore.Config{Dir: foldedFolder(data), Log: logger, CacheBytes: m.foldCache(), MemTableBytes: m.foldTable()}, serving: map[string]pebblestore.Serving{}}
}

// in is where the stores of a generation are.
func (s *shelf) in(e pebblestore.Edition) pebblestore.Config {
	cfg := s.cfg
	cfg.Generation = e.Generation
	return cfg
}

// of is what serves a projection that was opened.
func (s *shelf) of(name string) pebblestore.Serving {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serving[name]
}

// standing tells of a projection what belongs to its stores.
func (s *shelf) standing(name string) httpapi.Standing {
	now := s.of(name)
	out := httpapi.Standing{Serving: api.Edition(now.Serving), Held: now.Held}
	if now.Previous != nil {
		previous := api.Edition(*now.Previous)
		out.Previous = &previous
	}
	return out
}

// say makes an edition the one that serves, now and at the next start.
func (s *shelf) say(name string, now pebblestore.Serving) error {
	if err := pebblestore.WriteServing(name, now, s.cfg); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serving[name] = now
	return nil
}

// look finds which edition of a kind is to serve: what was said, and what it comes
// to with this program's code.
func (s *shelf) look(k kind) (was *pebblestore.Serving, now pebblestore.Serving, err error) {
	there, err := pebblestore.Editions(k.name, s.cfg)
	if err != nil {
		return nil, now, err
	}
	said, ok, err := pebblestore.ReadServing(k.name, s.cfg)
	switch {
	case domain.CodeOf(err) == domain.CodeCorrupt:
		s.cfg.Log.Warn("nobody knows which derived state served", "projection", k.name, "err", err)
	case err != nil:
		return nil, now, err
	case ok:
		was = &said
	}
	return was, choose(k.versions(), there, was), nil
}

// choose says which edition serves: of those this program has the code of, today's
// if it was folded before, then one that serves until today's is folded, and
// otherwise today's, to be folded from the start.
func choose(versions []int, there []pebblestore.Edition, said *pebblestore.Serving) pebblestore.Serving {
	today := versions[0]
	was := assumed(versions, there)
	if said != nil {
		was = *said
	}
	knows := func(e *pebblestore.Edition) bool { return e != nil && slices.Contains(versions, e.Version) }
	back := func() pebblestore.Serving {
		return pebblestore.Serving{Serving: *was.Previous, Previous: &was.Serving}
	}
	switch {
	case knows(&was.Serving) && (was.Held || was.Serving.Version == today):
		return was
	case was.Previous != nil && was.Previous.Version == today:
		return back() // an older program served in between
	case knows(&was.Serving):
		return was
	case knows(was.Previous):
		return back() // this is an older program
	}
	fresh := pebblestore.Serving{Serving: pebblestore.Edition{Version: today, Generation: unused(today, there)}}
	if was.Serving.Version != 0 {
		fresh.Previous = &was.Serving
	}
	return fresh
}

// assumed is what serves where nobody said so: the first generation of the newest
// version that this program knows, and before it that of the version before.
func assumed(versions []int, there []pebblestore.Edition) (out pebblestore.Serving) {
	first := map[int]pebblestore.Edition{}
	for _, e := range slices.Backward(there) {
		first[e.Version] = e
	}
	for _, e := range slices.Backward(there) {
		switch {
		case first[e.Version] != e || e.Version > versions[0]:
		case out.Serving.Version == 0:
			out.Serving = e
		case out.Previous == nil:
			out.Previous = &e
		}
	}
	return out
}

// unused is a generation of a version that isn't there.
func unused(version int, there []pebblestore.Edition) int {
	next := 0
	for _, e := range there {
		if e.Version == version {
			next = max(next, e.Generation+1)
		}
	}
	return next
}

// open opens for writing the edition of a kind that is to serve. A damaged one
// begins anew: it costs a fold, never data. What a rebuild left behind goes.
func (s *shelf) open(k kind) (projections.Projection, projections.Store, error) {
	was, now, err := s.look(k)
	if err != nil {
		return nil, nil, err
	}
	if was != nil && !sameServing(*was, now) || was == nil && now.Previous != nil {
		if err := pebblestore.WriteServing(k.name, now, s.cfg); err != nil {
			return nil, nil, err
		}
	}
	swept, err := pebblestore.Sweep(k.name, now, k.versions()[0], s.cfg)
	if err != nil {
		return nil, nil, err
	}
	if err := s.tellNewer(k); err != nil {
		return nil, nil, err
	}
	if len(swept) > 0 {
		s.cfg.Log.Info("derived state that nobody needs any more was deleted", "projection", k.name, "editions", swept)
	}
	s.mu.Lock()
	s.serving[k.name] = now
	s.mu.Unlock()
	p, _ := k.of(now.Serving.Version)
	store, damage, err := pebblestore.Recover(k.name, now.Serving.Version, s.in(now.Serving))
	if damage != nil {
		s.cfg.Log.Warn("derived state was damaged and is folded again", "projection", k.name, "error", damage)
	}
	if err != nil {
		return nil, nil, err
	}
	return p, store, nil
}

// tellNewer says that there is what a newer program folded: it is left as it is,
// for that program to go on from.
func (s *shelf) tellNewer(k kind) error {
	there, err := pebblestore.Editions(k.name, s.cfg)
	if err != nil {
		return err
	}
	for _, e := range there {
		if e.Version > k.versions()[0] {
			s.cfg.Log.Warn("derived state of a newer version of this program is ignored and left as it is", "projection", k.name, "version", e.String(), "this", k.versions()[0])
		}
	}
	return nil
}

func sameServing(a, b pebblestore.Serving) bool {
	return a.Serving == b.Serving && a.Held == b.Held &&
		(a.Previous == nil) == (b.Previous == nil) && (a.Previous == nil || *a.Previous == *b.Previous)
}

// overlay folds in memory over what the directory holds, and changes nothing there.
// What can't be read is folded from the start.
func (s *shelf) overlay(k kind) (projections.Projection, projections.Store, error) {
	_, now, err := s.look(k)
	if err != nil {
		return k.today(), projections.NewMemStore(), nil //nolint:nilerr // it is folded from the start
	}
	s.mu.Lock()
	s.serving[k.name] = now
	s.mu.Unlock()
	p, _ := k.of(now.Serving.Version)
	base, err := pebblestore.OpenReadOnly(k.name, now.Serving.Version, s.in(now.Serving))
	switch domain.CodeOf(err) {
	case pebblestore.CodeInUse:
		return nil, nil, err
	case "":
		if err != nil {
			return nil, nil, err
		}
		return p, overlaid{projections.NewOverlay(base), base}, nil
	}
	return p, projections.NewMemStore(), nil
}

// overlaid closes what it is laid over, too.
type overlaid struct {
	*projections.Overlay
	base projections.Store
}

func (o overlaid) Close() error { return errors.Join(o.Overlay.Close(), o.base.Close()) }
