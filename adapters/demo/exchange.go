package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// Exchange broadcasts the prices of its shares. It has no tools, and nobody pairs
// with it: whoever wants to hear listens.
type Exchange struct {
	*program

	mu     sync.Mutex
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
	x := &Exchange{rand: rand.New(rand.NewPCG(cfg.Seed, 1))} //nolint:gosec // prices are no secret
	for _, s := range []share{{ticker: "ACME", open: 184}, {ticker: "OAK", open: 61.5}, {ticker: "TIDE", open: 402}, {ticker: "LUMO", open: 23.2}} {
		s.price = s.open
		x.shares = append(x.shares, s)
	}
	var err error
	x.program, err = newProgram(cfg, about{
		Name: "Exchange", Description: "Prices as they are made",
		Scopes: scopes{Signals: map[string]string{"price_update": "every price", "price_alert": "a price that jumps"}},
	}, nil, true, x.shows)
	return x, err
}

// Trade makes so many prices and broadcasts each, at a pace; 0 a minute is as
// fast as the listeners take them. It returns when all are out, or with ctx's
// cause.
func (x *Exchange) Trade(ctx context.Context, updates, perMinute int) error {
	var pause <-chan time.Time
	if perMinute > 0 {
		tick := time.NewTicker(time.Minute * burst / time.Duration(perMinute))
		defer tick.Stop()
		pause = tick.C
	}
	for updates > 0 {
		n := min(updates, burst)
		updates -= n
		out := make([]Signal, n)
		for i := range out {
			out[i] = x.trade()
		}
		if err := x.stream.say(out...); err != nil {
			return err
		}
		if pause == nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			continue
		}
		select {
		case <-pause:
		case <-ctx.Done():
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

// Jump lets the first share rise by percent, broadcasts that, and returns the
// words.
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

func (x *Exchange) shows() []block {
	x.mu.Lock()
	defer x.mu.Unlock()
	rows := [][]string{}
	for _, s := range x.shares {
		rows = append(rows, []string{s.ticker, fmt.Sprintf("%.2f", s.price)})
	}
	return []block{header(x.Name()), table([]string{"Share", "Price"}, rows)}
}
