package voice_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
)

// A recording is heard by what its person plans and remembers only for who may read that.
func TestVocabularyOfWhoMayRead(t *testing.T) {
	b := commandstest.NewBench(t)
	plans, memory, registry := small.Plans(), small.Memory(), small.Registry()
	put := func(entry domain.Entry, err error) {
		t.Helper()
		if err == nil {
			_, err = b.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	mine := func() domain.Lineage { return b.Env().Begin(domain.PrincipalOperator) }
	put(domain.New(mine(), b.IDs.NewID(), 1, "skills", domain.TaskCreated{Text: "call quintavalle"}))
	put(domain.New(mine(), b.IDs.NewID(), 1, "skills", domain.MemoryRemembered{Text: "the code is quintavalle", About: "quintavalle"}))
	put(domain.New(mine(), b.IDs.NewID(), 1, "test", domain.InterfacePaired{Name: "quintavalle", Host: "127.0.0.1", Port: 1, TokenHash: domain.HashSecret("x").String(),
		Tools: []domain.Tool{{Name: "quintavalle", Parameters: []domain.Parameter{}}}}))
	fold(t, b.Log, plans, memory, registry)
	known, err := voice.NewKnown(voice.KnownConfig{Reader: b.Log, Plans: plans, Memory: memory, Registry: registry, Own: []domain.Tool{{Name: "remind", Description: "Reminds."}}})
	if err != nil {
		t.Fatal(err)
	}
	var heard voice.Vocabulary
	v, _ := newVoices(b, func(cfg *voice.Config) {
		cfg.Knowledge, cfg.Hearers = known, []voice.Hearer{listener{&engine{name: "one"}, &heard}}
	})
	program := func(types ...string) commands.Caller {
		return commands.TokenCaller(domain.Token{Name: "p", Signals: types})
	}
	console, _ := program(commands.ScopeConsole).Console()
	for who, c := range map[string]struct {
		caller commands.Caller
		reads  bool
	}{
		"the person":            {commandstest.Ada, true},
		"a console":             {console, true},
		"a program of voice":    {program(commands.ScopeVoice), false},
		"a program without any": {program(), false},
		"an interface":          {commands.InterfaceCaller(domain.Interface{ID: domain.ID{1}, Name: "x", Signals: []string{commands.ScopeConsole, commands.ScopeMCP, commands.ScopeVoice}}), false},
	} {
		if _, err := v.Transcribe(t.Context(), c.caller, recording()); err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(heard)
		if n := strings.Count(said, "quintavalle"); (n >= 5) != c.reads || n > 0 != c.reads || !strings.Contains(said, "remind") {
			t.Errorf("%s is heard by %s", who, said)
		}
	}
}

// listener keeps the vocabulary that it hears by.
type listener struct {
	*engine
	heard *voice.Vocabulary
}

func (l listener) Hear(ctx context.Context, s voice.Sound, known voice.Vocabulary) (voice.Heard, error) {
	*l.heard = known
	return l.engine.Hear(ctx, s, known)
}

func fold(t *testing.T, log *memlog.Log, all ...projections.Projection) {
	t.Helper()
	records, err := log.Select(t.Context(), domain.Selector{}, 1, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		for _, p := range all {
			if err := projections.Apply(p, &rec); err != nil {
				t.Fatal(err)
			}
		}
	}
}
