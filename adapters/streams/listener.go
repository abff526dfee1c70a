package streams

import (
	"context"
	"maps"
	"sync"
	"time"

	"chalie/commands/signal"
	"chalie/domain"
)

// Listener listens to the streams that the registry knows.
type Listener struct {
	cfg  Config
	look chan struct{} // holds one while there is something to look at

	mu      sync.Mutex
	running map[domain.ID]*subscription
}

// New checks the configuration.
func New(cfg Config) (*Listener, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Listener{cfg: cfg.withDefaults(), look: make(chan struct{}, 1), running: map[domain.ID]*subscription{}}, nil
}

// Look makes the Listener see what changed in the registry. It doesn't wait.
func (l *Listener) Look() { notify(l.look) }

// Status tells how listening to a stream stands; false when it isn't listened to.
func (l *Listener) Status(id domain.ID) (signal.StreamStatus, bool) {
	l.mu.Lock()
	s, ok := l.running[id]
	l.mu.Unlock()
	if !ok {
		return signal.StreamStatus{}, false
	}
	return s.status(), true
}

// Run listens until ctx ends. It then closes every connection, gives the log
// Grace for what was read, and returns nil.
func (l *Listener) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	// Subscriptions end with ctx, too.
	again := time.NewTicker(l.cfg.LookEvery)
	defer again.Stop()
	for {
		l.follow(ctx, &all)
		select {
		case <-ctx.Done():
			return nil
		case <-l.look:
		case <-again.C:
		}
	}
}

// follow ends what the registry doesn't know any more and begins what is new.
func (l *Listener) follow(ctx context.Context, all *sync.WaitGroup) {
	known := map[domain.ID]domain.Stream{}
	l.cfg.Book.Read(func(r *domain.Registry) {
		maps.Copy(known, r.Streams)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, s := range l.running {
		if _, ok := known[id]; !ok {
			s.cancel()
		}
	}
	for id, stream := range known {
		if l.running[id] != nil {
			continue
		}
		ctx, cancel := context.WithCancel(ctx)
		s := newSubscription(l.cfg, stream, cancel)
		l.running[id] = s
		all.Go(func() {
			defer cancel()
			s.run(ctx)
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.running, id)
		})
	}
}

// notify leaves word in a channel that holds one.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
