package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Exchange broadcasts the prices of its shares. It has no tools, and nobody pairs
// with it: whoever wants to hear listens.
type Exchange struct {
	*program
	rand   *rand.Rand
	shares []share
}

type share struct {
	ticker      string
	open, price float64
}

// burst is how many prices go out together.
const burst = 50

// NewExchange takes an address. Run it, or close it.
func NewExchange(cfg Config) (*Exchange, error) {
	x := &Exchange{
		rand:   rand.New(rand.NewPCG(cfg.Seed, 1)), //nolint:gosec // prices are no secret
		shares: []share{{"ACME", 184, 184}, {"OAK", 61.5, 61.5}, {"TIDE", 402, 402}, {"LUMO", 23.2, 23.2}},
	}
	var err error
	x.program, err = newProgram(cfg, "exchange.json", nil, newBroadcast(), func() (rows [][]string) {
		for _, s := range x.shares {
			rows = append(rows, []string{s.ticker, fmt.Sprintf("%.2f", s.price)})
		}
		return rows
	})
	return x, err
}

// Trade makes so many prices and broadcasts each, at a pace; 0 a minute is as fast as
// the listeners take them. It returns when all are out, or with ctx's cause.
func (x *Exchange) Trade(ctx context.Context, updates, perMinute int) error {
	at := make(chan time.Time)
	var pause <-chan time.Time = at
	if perMinute > 0 {
		tick := time.NewTicker(time.Minute * burst / time.Duration(perMinute))
		defer tick.Stop()
		pause = tick.C
	} else {
		close(at) // there is no waiting
	}
	for ; updates > 0; updates -= burst {
		out := make([]Signal, min(updates, burst))
		for i := range out {
			out[i] = x.trade()
		}
		if err := x.stream.say(out...); err != nil {
			return err
		}
		select {
		case <-pause:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// trade makes one price.
func (x *Exchange) trade() Signal {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := &x.shares[x.rand.IntN(len(x.shares))]
	s.price = math.Max(1, s.price*(1+(x.rand.Float64()-0.5)/500))
	return x.signal("price_update", *s, 0.1, fmt.Sprintf("%s at %.2f", s.ticker, s.price))
}

// Jump lets the first share rise by percent, broadcasts that, and returns the words.
func (x *Exchange) Jump(percent float64) (string, error) {
	x.mu.Lock()
	s := &x.shares[0]
	s.price *= 1 + percent/100
	out := x.signal("price_alert", *s, 0.6, fmt.Sprintf("%s jumps to %.2f, up by %.1f%% today", s.ticker, s.price, (s.price/s.open-1)*100))
	x.mu.Unlock()
	return out.Content, x.stream.say(out)
}

func (x *Exchange) signal(kind string, s share, energy float64, content string) Signal {
	return Signal{Type: kind, Content: content, Source: x.Name(), Topic: "markets", Energy: energy, Metadata: map[string]any{
		"ticker": s.ticker, "price": cents(s.price), "change_pct": cents((s.price/s.open - 1) * 100),
	}}
}

func cents(v float64) float64 { return math.Round(v*100) / 100 }
