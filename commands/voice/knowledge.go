package voice

import (
	"context"
	"strings"

	"chalie/commands"
	"chalie/domain"
)

// KnownConfig is what the vocabulary is made of. All is required but Own.
type KnownConfig struct {
	Reader   domain.Reader
	Plans    commands.View[domain.Plans]
	Memory   commands.View[domain.Memories]
	Registry commands.View[domain.Registry]
	Own      []domain.Tool // Chalie's own, the skills
}

// Known is the Knowledge of the projections: skills and tools, plans, lists and what is on
// them, memories, and the names of interfaces.
type Known struct{ cfg KnownConfig }

var _ Knowledge = (*Known)(nil)

// NewKnown checks the configuration.
func NewKnown(cfg KnownConfig) (*Known, error) {
	if err := commands.Complete("configure vocabulary", cfg); err != nil {
		return nil, err
	}
	return &Known{cfg}, nil
}

// mostKnown bounds the texts that are read from the log for one vocabulary, the latest ones.
const mostKnown = 400

// Vocabulary implements Knowledge.
func (k *Known) Vocabulary(ctx context.Context, mind bool) Vocabulary {
	var out Vocabulary
	for _, t := range k.cfg.Own {
		out.Phrases = append(out.Phrases, plainName(t.Name), t.Description)
	}
	if !mind {
		return out
	}
	k.cfg.Registry.Read(func(r *domain.Registry) {
		for _, i := range r.Listed() {
			out.Names = append(out.Names, i.Name)
			for _, t := range i.Tools {
				out.Phrases = append(out.Phrases, plainName(t.Name), t.Description)
			}
		}
	})
	var texts, memories []domain.ID
	k.cfg.Plans.Read(func(p *domain.Plans) {
		for _, c := range p.Commitments.List() {
			texts = append(texts, c.TextID)
		}
		for _, l := range p.Lists.All {
			texts = append(append(texts, l.ID), l.Items...)
		}
	})
	k.cfg.Memory.Read(func(m *domain.Memories) { memories = append(memories, m.All...) })
	for _, id := range latest(texts) {
		if rec, err := k.cfg.Reader.Find(ctx, id); err == nil {
			if text, err := domain.PlanText(rec.Envelope); err == nil {
				out.Phrases = append(out.Phrases, text)
			}
		}
	}
	for _, id := range latest(memories) {
		if rec, err := k.cfg.Reader.Find(ctx, id); err == nil {
			if m, err := domain.Decode[domain.MemoryRemembered](rec.Envelope); err == nil {
				out.Phrases, out.Names = append(out.Phrases, m.Text), append(out.Names, m.About)
			}
		}
	}
	return out
}

func latest(ids []domain.ID) []domain.ID { return ids[max(0, len(ids)-mostKnown):] }

// plainName is a tool's name as it is said: get_menu is get menu.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-./", r) {
			return ' '
		}
		return r
	}, name)
}
