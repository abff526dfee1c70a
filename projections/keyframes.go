package projections

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"chalie/domain"
)

// Keyframes keep the states that projections had at earlier positions of a log, so that
// a look back, or a replay that begins there, folds the records since the last keyframe
// and not those since the beginning.
//
// They stand in one store, in the projections' own stored form: a keyframe holds what
// changed since the one before it, and a moment reads the latest of each key as of its
// position. So what grows with the log is stored once.
//
// Nothing depends on them. They are of a set of projections with their versions; those of
// another set are ignored, and made anew by Run. Each names the envelope at its position,
// and is used only while the log has that there. Damage that the store notices makes all
// of them lost: what was asked is folded from the beginning, and Run makes them anew.
//
// Those that are OnDemand are made by Load, on the way to what it is asked for, where nothing
// calls Run.
//
// A nil *Keyframes has none. It is safe for concurrent use.
type Keyframes struct {
	cfg   KeyframesConfig
	store Store
	set   frameSet

	turn   chan struct{} // holds one token, of what makes them on demand
	failed bool          // that has failed, and isn't tried again; guarded by turn

	mu         sync.Mutex
	frames     []frame // by position; those that may be used
	bytes      int64   // of all that is stored
	lost       bool    // nothing stored may be used
	generation uint64  // rises when what was stored is lost
	inUse      map[domain.Position]int
}

// KeyframesConfig says of what keyframes are made, and how many. Feed and Anew are required.
type KeyframesConfig struct {
	Feed Feed
	// Anew makes the projections, empty.
	Anew func() []Projection
	// Retired is the last record that says that others went; 0 where none did. Keyframes from before
	// it know what went, and are made anew.
	Retired domain.Position
	// Spacing is the number of records between keyframes. Default 8192, which take about
	// 50 ms to fold.
	Spacing domain.Position
	// SpacingBytes are the bytes of records after which there is one anyway. Default 16 MiB.
	SpacingBytes int
	// Bytes bounds what they take together, as it is before it is compressed. When it is
	// reached they are thinned out where they are densest, the oldest first. Default 512 MiB.
	Bytes int64
	// OnDemand has Load make those that are missing before a position, unless few records lie
	// between. Where that fails, Log says so and Load goes on without.
	OnDemand bool
	// RetryAfter is the pause after the disk has refused them. Default 10 s.
	RetryAfter time.Duration
	// Log takes what an operator should know. Default: nothing is logged.
	Log *slog.Logger
}

func (c KeyframesConfig) withDefaults() KeyframesConfig {
	c.Spacing, c.SpacingBytes, c.Bytes = cmp.Or(c.Spacing, 8192), cmp.Or(c.SpacingBytes, 16<<20), cmp.Or(c.Bytes, 512<<20)
	c.RetryAfter, c.Log = cmp.Or(c.RetryAfter, 10*time.Second), cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return c
}

// frameSet says of what the keyframes of a store are.
type frameSet struct {
	Form    int             `json:"form"` // of what is stored besides the projections' own
	Folds   map[string]int  `json:"folds"`
	Retired domain.Position `json:"retired,omitempty"` // as KeyframesConfig has it
}

const frameForm = 1

// frame is one keyframe.
type frame struct {
	at domain.Position
	id domain.ID // the envelope there
}

// Keys of the store: what the set is, its bytes, the keyframes, and what they hold.
var (
	frameSetKey   = []byte("about")
	frameBytesKey = []byte("bytes")
)

const (
	framePrefix = 'f' // position
	statePrefix = 's' // see moment
)

// OpenKeyframes reads which keyframes a store holds. It changes nothing there. The caller
// closes the store, after Run has returned. What can't be read is lost, and no error.
func OpenKeyframes(store Store, cfg KeyframesConfig) *Keyframes {
	k := &Keyframes{cfg: cfg.withDefaults(), store: store, turn: newTurn(), inUse: map[domain.Position]int{}}
	k.set = frameSet{Form: frameForm, Folds: map[string]int{}, Retired: cfg.Retired}
	for _, p := range cfg.Anew() {
		k.set.Folds[p.Name()] = p.Version()
	}
	if err := k.read(); err != nil {
		k.frames, k.lost = nil, true
		if !errors.Is(err, errNoFrames) {
			k.cfg.Log.Info("the keyframes of looks back are made anew", "reason", err)
		}
	}
	return k
}

var errNoFrames = errors.New("there are none yet")

// read reads the index. Its error says why nothing stored may be used.
func (k *Keyframes) read() error {
	text, found, err := k.store.Get(frameSetKey)
	if err != nil {
		return err
	}
	var set frameSet
	if !found {
		return errNoFrames
	}
	if json.Unmarshal(text, &set) != nil || set.Form != k.set.Form || !maps.Equal(set.Folds, k.set.Folds) {
		return errors.New("they are of projections of other versions")
	}
	if set.Retired != k.set.Retired {
		return errors.New("records went since they were made")
	}
	size, found, err := k.store.Get(frameBytesKey)
	if err != nil {
		return err
	}
	if found && len(size) == 8 {
		k.bytes = int64(binary.BigEndian.Uint64(size))
	}
	var odd error
	err = k.store.Scan([]byte{framePrefix}, false, func(key, value []byte) bool {
		f := frame{}
		if len(key) != 9 || len(value) != len(f.id) {
			odd = fmt.Errorf("a keyframe has a key of %d bytes and a name of %d", len(key), len(value))
			return false
		}
		f.at = domain.Position(binary.BigEndian.Uint64(key[1:]))
		copy(f.id[:], value)
		k.frames = append(k.frames, f)
		return true
	})
	return cmp.Or(err, odd)
}

// Load gives projections the states of the last keyframe at or before a position, which
// it returns. Where there is none it is 0, and they are empty. They may go on from there;
// what they have changed isn't saved. Errors are the log's, and ctx's.
func (k *Keyframes) Load(ctx context.Context, at domain.Position, ps ...Projection) (domain.Position, error) {
	if k == nil || !k.cfg.OnDemand {
		return k.load(ctx, at, ps)
	}
	age := k.age()
	if err := k.makeThrough(ctx, at); err != nil {
		return 0, err
	}
	from, err := k.load(ctx, at, ps)
	if err != nil || k.age() == age {
		return from, err
	}
	// What was there was damaged or of another log: that shows when it is used.
	if err := k.makeThrough(ctx, at); err != nil {
		return 0, err
	}
	return k.load(ctx, at, ps)
}

func (k *Keyframes) load(ctx context.Context, at domain.Position, ps []Projection) (domain.Position, error) {
	if f, moments := k.before(at, ps); len(moments) > 0 {
		same, err := k.isOf(ctx, f)
		if err != nil {
			return 0, err
		}
		if !same {
			err = fmt.Errorf("they are of another log: at position %d that had envelope %s", f.at, f.id)
		} else if err = loadAll(ps, moments); err == nil {
			return f.at, nil
		}
		k.doubt(moments[0].generation, err)
	}
	for _, p := range ps {
		if err := p.Load(NewMemStore()); err != nil {
			return 0, foldFailed(p, "from its beginning", err)
		}
	}
	return 0, ctx.Err()
}

// before is the last keyframe at or before a position, and what projections had there;
// nothing where there is none.
func (k *Keyframes) before(at domain.Position, ps []Projection) (frame, []*moment) {
	if k == nil {
		return frame{}, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	i, found := findFrame(k.frames, at)
	if !found {
		i--
	}
	if i < 0 {
		return frame{}, nil
	}
	moments := make([]*moment, len(ps))
	for n, p := range ps {
		if version, known := k.set.Folds[p.Name()]; !known || version != p.Version() {
			return frame{}, nil
		}
		moments[n] = k.moment(k.frames[i].at, p.Name())
	}
	return k.frames[i], moments
}

// findFrame is where the keyframe of a position is or would be, and whether it is there.
func findFrame(frames []frame, at domain.Position) (int, bool) {
	return slices.BinarySearchFunc(frames, at, func(f frame, at domain.Position) int { return cmp.Compare(f.at, at) })
}

// isOf reports whether a keyframe is of this log, which has no other envelope there. What is no
// longer kept there proves nothing against it.
func (k *Keyframes) isOf(ctx context.Context, f frame) (bool, error) {
	if f.at > k.cfg.Feed.Tail() {
		return false, nil
	}
	recs, err := k.cfg.Feed.Select(ctx, domain.Selector{}, f.at, 1)
	return err == nil && (len(recs) == 0 || recs[0].Position > f.at || recs[0].Envelope.ID == f.id), err
}

func loadAll(ps []Projection, moments []*moment) error {
	for i, p := range ps {
		if err := guard(func() error { return p.Load(moments[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// doubt gives up all that is stored, unless the error says nothing of it.
func (k *Keyframes) doubt(generation uint64, err error) {
	if domain.IsRetriable(err) || domain.CodeOf(err) == domain.CodeClosed {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.generation != generation || k.lost {
		return
	}
	k.frames, k.lost = nil, true
	k.generation++
	k.cfg.Log.Warn("the keyframes of looks back can't be used; they are made anew, and looks back take longer meanwhile", "err", err)
}

// Forget gives up all that is stored, because records went, as the one at a position says.
func (k *Keyframes) Forget(retired domain.Position) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set.Retired == retired {
		return
	}
	k.set.Retired = retired
	k.frames, k.lost = nil, true
	k.generation++
}

// age is the generation of what is stored.
func (k *Keyframes) age() uint64 {
	if k == nil {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.generation
}

// Behind is how many records the log has after the last keyframe that may be used. Errors are
// the log's, and ctx's.
func (k *Keyframes) Behind(ctx context.Context) (domain.Position, error) {
	tail := k.cfg.Feed.Tail()
	f, _ := k.before(tail, nil)
	if f.at == 0 {
		return tail, nil
	}
	if same, err := k.isOf(ctx, f); !same {
		return tail, err
	}
	return tail - f.at, nil
}

// Newest is the position of the last keyframe; 0 without one.
func (k *Keyframes) Newest() domain.Position {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.frames) == 0 {
		return 0
	}
	return k.frames[len(k.frames)-1].at
}
