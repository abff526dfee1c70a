package main

import (
	"context"
	"log/slog"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/replay/wiring"
)

// keyframesName is the name of the store of keyframes, which stands among those of the
// projections: whatever throws those away throws it away, too.
const (
	keyframesName    = "keyframes"
	keyframesVersion = 1
)

// keyframes are the states of earlier positions in a data directory, from which looks back
// and replays begin. The zero value has none.
type keyframes struct {
	*projections.Keyframes
	store *pebblestore.Store
}

func keyframesIn(data string, logger *slog.Logger, m allowance, tables int) pebblestore.Config {
	// What is written at once is small, and seldom.
	return pebblestore.Config{Dir: foldedFolder(data), Log: logger, CacheBytes: m.foldCache(), MemTableBytes: m.foldTable() / 4, OpenTables: tables}
}

// openKeyframes opens them for a program, which has Run make them. Without them it works as
// well, only more slowly.
func openKeyframes(feed projections.Feed, cfg pebblestore.Config) keyframes {
	store, damage, err := pebblestore.Recover(keyframesName, keyframesVersion, cfg)
	if damage != nil {
		cfg.Log.Warn("the keyframes of looks back were damaged, and are made anew", "err", damage)
	}
	if err != nil {
		cfg.Log.Warn("there are no keyframes of looks back, which take longer", "err", err)
		return keyframes{}
	}
	made := wiring.Keyframes(feed)
	made.Log = cfg.Log
	return keyframes{projections.OpenKeyframes(store, made), store}
}

// readKeyframes opens those that a program has left.
func readKeyframes(feed projections.Feed, cfg pebblestore.Config) keyframes {
	store, err := pebblestore.OpenReadOnly(keyframesName, keyframesVersion, cfg)
	if err != nil {
		return keyframes{}
	}
	return keyframes{projections.OpenKeyframes(store, wiring.Keyframes(feed)), store}
}

// demandKeyframes opens them for a command, whose looks back make what is missing.
func demandKeyframes(feed projections.Feed, cfg pebblestore.Config) (keyframes, error) {
	store, _, err := pebblestore.Recover(keyframesName, keyframesVersion, cfg)
	if err != nil {
		return keyframes{}, err
	}
	made := wiring.Keyframes(feed)
	made.OnDemand = true
	return keyframes{projections.OpenKeyframes(store, made), store}, nil
}

// behind is how many records of a log they lack at its end; all that there are where they can't
// be used.
func (k keyframes) behind(ctx context.Context, log projections.Feed) domain.Position {
	if k.Keyframes == nil {
		return log.Tail()
	}
	behind, err := k.Behind(ctx)
	if err != nil {
		return log.Tail()
	}
	return behind
}

// make makes them until ctx ends.
func (k keyframes) make(ctx context.Context, logger *slog.Logger) {
	if k.Keyframes == nil {
		return
	}
	if err := k.Run(ctx); err != nil {
		logger.Warn("no more keyframes are made, and looks back behind them take longer", "last", uint64(k.Newest()), "err", err)
	}
}

// close closes their store, after make has returned. That it couldn't be written, because
// somebody has deleted it, has no consequence.
func (k keyframes) close(logger *slog.Logger) {
	if k.store == nil {
		return
	}
	if err := k.store.Close(); err != nil {
		logger.Info("the latest keyframes were not kept, and are made anew", "err", err)
	}
}
