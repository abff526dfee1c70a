package commands_test

import (
	"log/slog"
	"testing"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// BenchmarkScreening compares a signal of a broadcast, which is screened, with the
// making of its envelope alone.
func BenchmarkScreening(b *testing.B) {
	clock := domaintest.NewClock()
	log, ids := domaintest.NewLog(clock), domaintest.NewIDs(clock, 1)
	signals, err := commands.NewSignals(b.Context(), commands.SignalsConfig{Env: commands.Env{Log: log, Reader: log, Tail: log, Clock: clock, IDs: ids, Logger: slog.New(slog.DiscardHandler)}})
	if err != nil {
		b.Fatal(err)
	}
	sig := domain.SignalReceived{SignalType: "price_update", Source: "nasdaq", ActivationEnergy: 0.3,
		Content:  "MSFT at $420.10, down 0.5% since the market opened; volume is 18,204,331 shares, which is 12% over the average of the last thirty days",
		Metadata: []byte(`{"ticker":"MSFT","price":420.10,"change_pct":-0.5,"volume":18204331,"venue":"XNAS"}`)}
	b.Run("overhear", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := signals.Overhear(station, sig); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("envelope alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			id := ids.NewID()
			if err := sig.Check(); err != nil {
				b.Fatal(err)
			}
			if _, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, 1, "station", sig); err != nil {
				b.Fatal(err)
			}
		}
	})
}
