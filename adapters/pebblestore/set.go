package pebblestore

import (
	"errors"
	"sync"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

// Set is the stores of one folder: of each projection the one that serves, and the one
// before.
type Set struct {
	cfg Config

	mu     sync.Mutex
	active map[string]rebuild.Active // of those that were opened
}

// NewSet is that of a folder. It opens nothing yet.
func NewSet(cfg Config) *Set {
	return &Set{cfg: cfg.withDefaults(), active: map[string]rebuild.Active{}}
}

// in is where the stores of a generation are.
func (s *Set) in(e rebuild.StoreVersion) Config {
	cfg := s.cfg
	cfg.Generation = e.Generation
	return cfg
}

// Active implements rebuild.Stores.
func (s *Set) Active(name string) rebuild.Active {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active[name]
}

// Activate implements rebuild.Stores.
func (s *Set) Activate(name string, now rebuild.Active) error {
	if err := writeActive(name, now, s.cfg); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active[name] = now
	return nil
}

// look finds which store of a kind is to serve: what was said, and what it comes
// to with this program's code.
func (s *Set) look(k projections.Kind) (was *rebuild.Active, now rebuild.Active, err error) {
	there, err := versionsOf(k.Name, s.cfg)
	if err != nil {
		return nil, now, err
	}
	said, ok, err := readActive(k.Name, s.cfg)
	switch {
	case domain.CodeOf(err) == domain.CodeCorrupt:
		s.cfg.Log.Warn("nobody knows which derived state served", "projection", k.Name, "err", err)
	case err != nil:
		return nil, now, err
	case ok:
		was = &said
	}
	return was, rebuild.Choose(k.Versions(), there, was), nil
}

// Serve opens for writing the store of a kind that is to serve. A damaged one
// begins anew: it costs a fold, never data. What a rebuild left behind goes.
func (s *Set) Serve(k projections.Kind) (projections.Projection, projections.Store, error) {
	was, now, err := s.look(k)
	if err != nil {
		return nil, nil, err
	}
	if was != nil && !was.Equal(now) || was == nil && now.Previous != nil {
		if err := writeActive(k.Name, now, s.cfg); err != nil {
			return nil, nil, err
		}
	}
	swept, err := s.Sweep(k.Name, now, k.Versions()[0])
	if err != nil {
		return nil, nil, err
	}
	if err := s.tellNewer(k); err != nil {
		return nil, nil, err
	}
	if len(swept) > 0 {
		s.cfg.Log.Info("derived state that nobody needs any more was deleted", "projection", k.Name, "stores", swept)
	}
	s.mu.Lock()
	s.active[k.Name] = now
	s.mu.Unlock()
	p, _ := k.Of(now.Store.Version)
	store, err := s.Open(k.Name, now.Store)
	if err != nil {
		return nil, nil, err
	}
	return p, store, nil
}

// tellNewer says that there is what a newer program folded: it is left as it is,
// for that program to go on from.
func (s *Set) tellNewer(k projections.Kind) error {
	there, err := versionsOf(k.Name, s.cfg)
	if err != nil {
		return err
	}
	for _, e := range there {
		if e.Version > k.Versions()[0] {
			s.cfg.Log.Warn("derived state of a newer version of this program is ignored and left as it is", "projection", k.Name, "version", e.String(), "this", k.Versions()[0])
		}
	}
	return nil
}

// Overlay folds in memory over what the directory holds, and changes nothing there.
// What can't be read is folded from the start.
func (s *Set) Overlay(k projections.Kind) (projections.Projection, projections.Store, error) {
	_, now, err := s.look(k)
	if err != nil {
		return k.Today(), projections.NewMemStore(), nil //nolint:nilerr // it is folded from the start
	}
	s.mu.Lock()
	s.active[k.Name] = now
	s.mu.Unlock()
	p, _ := k.Of(now.Store.Version)
	base, err := OpenReadOnly(k.Name, now.Store.Version, s.in(now.Store))
	switch domain.CodeOf(err) {
	case CodeInUse:
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

// Unused implements rebuild.Stores.
func (s *Set) Unused(name string, version int) (rebuild.StoreVersion, error) {
	there, err := versionsOf(name, s.cfg)
	return rebuild.StoreVersion{Version: version, Generation: rebuild.Unused(version, there)}, err
}

// Open implements rebuild.Stores.
func (s *Set) Open(name string, v rebuild.StoreVersion) (projections.Durable, error) {
	store, damage, err := Recover(name, v.Version, s.in(v))
	if damage != nil {
		s.cfg.Log.Warn("derived state was damaged and is folded again", "projection", name, "error", damage)
	}
	if err != nil {
		return nil, err
	}
	return store, nil
}

// Remove implements rebuild.Stores.
func (s *Set) Remove(name string, v rebuild.StoreVersion) error { return remove(name, v, s.cfg) }

// Sweep implements rebuild.Stores.
func (s *Set) Sweep(name string, now rebuild.Active, through int) ([]rebuild.StoreVersion, error) {
	return sweep(name, now, through, s.cfg)
}

// FoldedThrough is how far any projection of the data directory was folded, of
// every store that is there; 0 when nothing can be read. Only what was durable is
// folded, so a log that ends before it has lost its end.
func (s *Set) FoldedThrough(kinds []projections.Kind) domain.Position {
	furthest := make([]domain.Position, len(kinds))
	var looking sync.WaitGroup
	for i, k := range kinds {
		looking.Go(func() {
			stores, err := versionsOf(k.Name, s.cfg)
			if err != nil {
				return
			}
			for _, e := range stores {
				furthest[i] = max(furthest[i], s.checkpointOf(k.Name, e))
			}
		})
	}
	looking.Wait()
	var through domain.Position
	for _, pos := range furthest {
		through = max(through, pos)
	}
	return through
}

// checkpointOf is the checkpoint of a store; 0 of one that can't be read.
func (s *Set) checkpointOf(name string, e rebuild.StoreVersion) domain.Position {
	store, err := OpenReadOnly(name, e.Version, s.in(e))
	if err != nil {
		return 0
	}
	defer store.Close() //nolint:errcheck // it was only read
	pos, err := store.Checkpoint()
	if err != nil {
		return 0
	}
	return pos
}
