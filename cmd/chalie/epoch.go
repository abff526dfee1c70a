package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"chalie/commands"
	"chalie/domain"
	"chalie/projections"
)

// epochFile notes in a data directory how the log stood at its last start, and what has
// happened to it since that the log can't tell by itself.
const epochFile = "EPOCH"

// epochNote is what it holds.
type epochNote struct {
	Position domain.Position    `json:"position,omitempty"` // of the last system.started …
	Envelope domain.ID          `json:"envelope_id,omitzero"`
	Since    domain.EpochReason `json:"since,omitempty"` // why the next start begins an epoch; "" for no reason
}

// readEpochNote reads it; false where there is none, or none that can be read.
func readEpochNote(data string) (note epochNote, found bool) {
	text, err := os.ReadFile(filepath.Join(data, epochFile))
	if err != nil || json.Unmarshal(text, &note) != nil {
		return epochNote{}, false
	}
	return note, true
}

func (n epochNote) write(data string) error {
	text, err := json.Marshal(n)
	if err == nil {
		err = renameio.WriteFile(filepath.Join(data, epochFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		return noDataDir(data, err)
	}
	return nil
}

// nextEpoch has the next start of a data directory begin an epoch, and says why.
func nextEpoch(data string, why domain.EpochReason) error {
	note, _ := readEpochNote(data)
	note.Since = why
	return note.write(data)
}

// noteEpoch is nextEpoch for what a running program meets. That it can't be noted, as on the
// disk that has just failed, is only logged.
func noteEpoch(cfg Config, why domain.EpochReason) {
	if err := nextEpoch(cfg.Data, why); err != nil {
		cfg.Logger.Warn("that clients have to read anew after the next start couldn't be noted", "why", string(why), "err", err)
	}
}

// begin records the start, and an epoch if one begins with it.
func (a *App) begin(ctx context.Context) (err error) {
	if a.started, a.began, err = a.life.Start(ctx); err != nil {
		return err
	}
	return a.beginEpoch(ctx)
}

// beginEpoch records an epoch where the log isn't what the last start left, reads those that
// there are, and notes this start. What there is no room to record the next start does.
func (a *App) beginEpoch(ctx context.Context) error {
	this, err := a.log.Select(ctx, domain.Selector{}, a.started, 1)
	if err != nil {
		return err
	}
	if a.epochs, err = domain.EpochsOf(ctx, a.log); err != nil {
		return err
	}
	if len(this) == 0 || this[0].Envelope.Type != domain.SystemStartedType {
		return nil // there was no room to say that it started
	}
	why, err := a.whyEpoch(ctx)
	if err != nil {
		return err
	}
	if why != "" {
		err := a.recordEpoch(ctx, why)
		if domain.CodeOf(err) == domain.CodeDiskLow {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if err := (epochNote{Position: this[0].Position, Envelope: this[0].Envelope.ID}).write(a.cfg.Data); err != nil {
		a.cfg.Logger.Warn("how the log stands couldn't be noted: the next start may have clients read anew", "err", err)
	}
	return nil
}

func (a *App) recordEpoch(ctx context.Context, why domain.EpochReason) error {
	begun := domain.EpochBegun{Reason: why, Before: a.epochs.Current()}
	entry, err := commands.EntryOf(a.env(), a.env().Begin(domain.PrincipalCore), "chalie", begun)
	if err != nil {
		return err
	}
	receipt, err := a.bus.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	if err == nil {
		a.epochs = append(a.epochs, domain.Epoch{ID: entry.Envelope.ID, From: receipt.Positions[0], Reason: why})
		a.cfg.Logger.Info("an epoch began: clients read anew", "why", string(why))
	}
	return err
}

// whyEpoch is why an epoch begins with this start; "" when the log is what the last one left.
func (a *App) whyEpoch(ctx context.Context) (domain.EpochReason, error) {
	note, noted := readEpochNote(a.cfg.Data)
	if a.started > 1 && note.Since != "" {
		return note.Since, nil
	}
	last, some := lastStart(ctx, projections.Through(a.log, a.started-1))
	switch {
	case !some:
		return "", nil // it is new
	case !noted && a.node != nil:
		return domain.EpochTakeover, nil
	case !noted:
		return domain.EpochCopy, nil
	}
	found, err := a.log.Select(ctx, domain.Selector{}, note.Position, 1)
	if err != nil {
		return "", err
	}
	if len(found) == 0 || found[0].Position != note.Position || found[0].Envelope.ID != note.Envelope {
		return domain.EpochLoss, nil
	}
	if a.node != nil && last.Envelope.ID != note.Envelope {
		return domain.EpochTakeover, nil // another machine has written since
	}
	return "", nil
}
