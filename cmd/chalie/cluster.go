package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/blobfiles"
	"chalie/adapters/eventstorelog"
	"chalie/adapters/hmactokens"
	"chalie/adapters/models"
	"chalie/adapters/pebblelog"
	"chalie/commands/message"
	"chalie/domain"

	"github.com/google/renameio/v2"
	"github.com/spf13/pflag"
)

// Cluster says where the log is, when it is not only on this machine.
type Cluster struct {
	URL    string `json:"url"`    // connection string; "" for a log of this machine's
	Stream string `json:"stream"` // name of the stream
}

// name is the stream that the log is a copy of; "" for none.
func (c Cluster) name() string {
	if c.URL == "" {
		return ""
	}
	return c.Stream
}

// clusterFile says, in a data directory whose log was moved, which cluster keeps it.
const clusterFile = "CLUSTER"

// save writes it. It may hold a password.
func (c Cluster) save(data string) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(data, leftFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return renameio.WriteFile(filepath.Join(data, clusterFile), append(text, '\n'), 0o600)
}

// savedCluster is the cluster that a data directory names; none when it names none.
func savedCluster(data string) (Cluster, error) {
	name := filepath.Join(data, clusterFile)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return Cluster{}, nil // whoever opens the directory says what is wrong with it
	}
	text, err := os.ReadFile(name)
	var c Cluster
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err == nil && (c.URL == "" || c.Stream == "") {
		err = errors.New("it names no cluster or no stream")
	}
	if err != nil {
		return Cluster{}, &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
			Message: fmt.Sprintf("%s, which names the cluster that keeps the log, can't be read; give --log and --log-stream", name)}
	}
	return c, nil
}

func forgetCluster(data string) error {
	if err := os.Remove(filepath.Join(data, clusterFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sameLog refuses to make a data directory's log the copy of another stream than the one
// that it is the copy of.
func (c Cluster) sameLog(data string) error {
	saved, err := savedCluster(data)
	if err != nil || saved.URL == "" || saved.Stream == c.Stream {
		return nil //nolint:nilerr // the flags say what can't be read
	}
	return &domain.Error{Op: "open log", Category: domain.Conflict, Code: pebblelog.CodeIsCopy,
		Message: fmt.Sprintf("the data directory %s is a copy of the stream %s (its file %s says so), and can't be one of %s; nothing was changed; leave out --log-stream, or name another data directory with --data", data, saved.Stream, clusterFile, c.Stream)}
}

// ownLog says what to do with a log that has records of its own where there should be a copy.
func ownLog(cfg Config, err error) error {
	saved, unreadable := savedCluster(cfg.Data)
	if domain.CodeOf(err) != pebblelog.CodeIsNoCopy || unreadable != nil || saved.URL == "" {
		return err
	}
	return &domain.Error{Op: "open log", Category: domain.Conflict, Code: pebblelog.CodeIsNoCopy, Err: err,
		Message: fmt.Sprintf("the file %s says that the log is kept in the stream %s of a cluster, and the log in %s has records of its own; nothing was changed; move that folder away, and the next start makes the copy from the cluster; if the log in the folder is the one to go on with, remove %s instead",
			filepath.Join(cfg.Data, clusterFile), saved.Stream, logFolder(cfg.Data), clusterFile)}
}

// damaged is why a program couldn't start: a copy that turned out to be damaged on the way,
// or what it met.
func (a *App) damaged(err error) error {
	if a.log != nil && a.log.Damage() != nil {
		return a.log.Damage()
	}
	return err
}

// given reads how the log is to be found, of flags and the environment. named says that they
// tell; otherwise the data directory does.
func (c *Cluster) given(data string, flags *pflag.FlagSet, warn io.Writer) (named bool, err error) {
	named = flags.Changed("log")
	if by := os.Getenv(clusterVariable); !named && by != "" {
		c.URL, named = by, true
	} else if c.URL, err = clusterAddress(c.URL, warn); err != nil {
		return named, err
	}
	if saved, err := savedCluster(data); err == nil && saved.URL != "" && !flags.Changed("log-stream") {
		c.Stream = saved.Stream
	}
	return named, nil
}

// defaultStream is the stream of a Chalie that shares its cluster with no other.
const defaultStream = "chalie"

// joinCluster makes this program a node of the cluster; nil without one.
func joinCluster(cfg Config) (*eventstorelog.Node, error) {
	if cfg.Cluster.URL == "" {
		return nil, nil
	}
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without a name"
	}
	if _, port, err := net.SplitHostPort(cfg.Addr); err == nil && port != "0" {
		host = net.JoinHostPort(host, port) // which tells two on one machine apart
	}
	by, _, err := underWay(cfg.Data)
	if err != nil {
		return nil, err
	}
	if by.IsBack() {
		by = "" // which is ended by moving, not by leading
	}
	return eventstorelog.New(eventstorelog.Config{
		URL: cfg.Cluster.URL, Stream: cfg.Cluster.Stream, Host: host, IDs: cfg.IDs, Clock: cfg.Clock, Logger: cfg.Logger, Move: by,
		Known: storesOf(cfg.Data, cfg.Logger, cfg.memory, 0).FoldedThrough(today()),
		Fresh: func() error { return unfold(cfg.Data) },
	})
}

// unfold removes what was folded of a log that is begun anew: it may have been another's.
// It costs a fold, never data.
func unfold(data string) error {
	if err := os.RemoveAll(foldedFolder(data)); err != nil {
		return noDataDir(data, err)
	}
	return nil
}

// lead waits until this node writes the log, which ends a move there. Whoever asks meanwhile
// is told so.
func lead(ctx context.Context, a *App) error {
	beside := besideNode(a.node, a.cfg.Data)
	defer standBy(a.tcp, a.node, beside)()
	defer standBy(a.unix, a.node, beside)()
	// It is found without flags from now on: also when it only stands by, and whatever it
	// was started with before.
	saved, unreadable := savedCluster(a.cfg.Data)
	missed := slog.LevelWarn // where there was a copy
	if unreadable == nil && saved == (Cluster{}) {
		saved, missed = a.cfg.Cluster, slog.LevelInfo
		if err := saved.save(a.cfg.Data); err != nil {
			return err
		}
	}
	empty := a.log.Tail() == 0
	if empty {
		a.cfg.Logger.Log(ctx, missed, "there is no copy of the log on this machine; it is made from the cluster", "stream", a.cfg.Cluster.Stream)
	}
	if err := a.node.Lead(ctx, a.log); err != nil {
		return err
	}
	if empty {
		a.cfg.Logger.Info("the copy of the log is made", "records", uint64(a.log.Tail()))
	}
	if saved != a.cfg.Cluster {
		if err := a.cfg.Cluster.save(a.cfg.Data); err != nil {
			return err
		}
	}
	return endMove(a.cfg.Data)
}

// CodeStandsBy says that another machine writes the log.
const CodeStandsBy = "stands_by"

// headersWithin is how long a client may take to send the headers of a request to a node that doesn't write.
const headersWithin = 10 * time.Second

// standBy answers requests of a node that doesn't write, until it is released.
func standBy(listener net.Listener, node *eventstorelog.Node, beside *eventstorelog.Beside) (release func()) {
	server := &http.Server{ReadHeaderTimeout: headersWithin, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		says := standing(node.Health())
		ctx, cancel := context.WithTimeout(r.Context(), checkedWithin)
		defer cancel()
		if err := beside.Check(ctx); domain.CodeOf(err) == eventstorelog.CodeBesideLocked {
			says += "; " + words(err)
		}
		var body any = api.Refusal{Error: says, Code: CodeStandsBy}
		if r.URL.Path == "/ready" {
			body = api.NotReady{Reason: says}
		}
		// A client that has gone isn't told.
		_ = json.NewEncoder(w).Encode(body)
	})}
	kept := &lent{Listener: listener}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(kept) // it ends when it is closed
	}()
	return func() {
		_ = server.Close()
		<-ended
		_ = kept.until(time.Time{})
	}
}

// checkedWithin bounds how long an answer of a node that stands by looks for what it lacks.
const checkedWithin = 300 * time.Millisecond

// lent is a listener that goes on to listen when its server is closed.
type lent struct{ net.Listener }

// Close implements net.Listener.
func (l *lent) Close() error { return l.until(time.Now()) }

// until bounds how long it waits for clients.
func (l *lent) until(t time.Time) error {
	if bounded, ok := l.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		return bounded.SetDeadline(t)
	}
	return l.Listener.Close()
}

// leaseAge is how long ago the lease was seen to be renewed; 0 when it never was.
func leaseAge(h eventstorelog.Health) time.Duration {
	if h.Renewed.IsZero() {
		return 0
	}
	return time.Since(h.Renewed)
}

func standing(h eventstorelog.Health) string {
	switch {
	case h.Away != nil:
		return "Chalie waits for the cluster that keeps its log: " + h.Away.Error()
	case h.Holder != "":
		return fmt.Sprintf("Chalie stands by here: the log is written by %s, whose lease was renewed %s ago; this copy is %d records behind; ask there, or again when that one has ended",
			h.Holder, leaseAge(h).Round(time.Millisecond), h.Lag)
	}
	if h.Lag > 0 {
		return fmt.Sprintf("Chalie makes its copy of the log from the cluster: it has %d records, and %d more are to come; ask again", h.Copied, h.Lag)
	}
	return "Chalie is about to take over the log; ask again"
}

// clusterHealth tells how the cluster is.
func clusterHealth(h eventstorelog.Health, beside *eventstorelog.Beside) api.Service {
	s := api.Service{Ready: h.Leading && h.Away == nil, Detail: fmt.Sprintf("%s writes the log, since takeover %d; its lease was renewed %s ago; this copy is %d records behind",
		h.Holder, h.Epoch, leaseAge(h).Round(time.Millisecond), h.Lag)}
	if h.Away != nil {
		s.Detail += "; the cluster takes nothing: " + h.Away.Error()
	}
	if err := beside.Locked(); err != nil {
		s.Detail += "; " + words(err)
	}
	if h.Cut {
		s.Detail += "; the stream has lost its beginning, so that no other copy can be made of it"
	}
	return s
}

// besideNode is what a data directory has beside the log that another machine needs, too.
func besideNode(node *eventstorelog.Node, data string) *eventstorelog.Beside {
	const images = "images"
	return node.Beside(data, images, images+"/KEY", hmactokens.FileName, models.FileName)
}

// restoreBeside brings what the cluster has beside the log to this machine. While the
// cluster is away it waits.
func restoreBeside(ctx context.Context, a *App) (*eventstorelog.Beside, error) {
	settings := filepath.Join(a.cfg.Data, models.FileName)
	before, _ := os.ReadFile(settings)
	beside := besideNode(a.node, a.cfg.Data)
	for {
		err := beside.Restore(ctx)
		if err == nil {
			break
		}
		if !domain.IsRetriable(err) || ctx.Err() != nil {
			return nil, err
		}
		a.cfg.Logger.Warn("what lies beside the log can't be read from the cluster yet", "err", err)
		select {
		case <-time.After(settleEvery):
		case <-ctx.Done():
		}
	}
	if err := beside.Locked(); err != nil {
		a.cfg.Logger.Warn("images, keys and settings of the cluster can't be read", "err", err)
	}
	if after, _ := os.ReadFile(settings); !bytes.Equal(before, after) {
		a.cfg.Logger.Warn("the settings of models came from the cluster; start again to use them", "file", settings)
	}
	return beside, nil
}

// keepBeside adds to the cluster what it lacks of what is beside the log here, however
// long the cluster is away.
func (a *App) keepBeside() {
	if a.beside == nil || a.beside.Locked() != nil {
		return
	}
	if err := a.beside.Keep(a.stopping); err != nil && a.stopping.Err() == nil {
		a.cfg.Logger.Error("what lies beside the log isn't all in the cluster; start again to try again", "err", err)
	}
}

// openImages opens the images. With a cluster one is kept once the cluster has it, too.
func openImages(a *App) (message.Blobs, error) {
	locked := a.beside != nil && a.beside.Locked() != nil
	store, err := blobfiles.Open(blobfiles.Config{Dir: imageFolder(a.cfg.Data), ReadOnly: locked})
	if err != nil || a.beside == nil {
		return store, err
	}
	return clusterImages{store, a.beside}, nil
}

type clusterImages struct {
	*blobfiles.Store
	beside *eventstorelog.Beside
}

// Put implements message.Blobs.
func (c clusterImages) Put(ctx context.Context, content []byte) (string, error) {
	if err := c.beside.Locked(); err != nil {
		return "", err // named by another key it would never be found again
	}
	hash, err := c.Store.Put(ctx, content)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, keptWithin)
	defer cancel()
	return hash, c.beside.Keep(ctx, "images/"+hash[:2]+"/"+hash)
}

// keptWithin is how long an upload waits for a cluster that is away.
const keptWithin = 5 * time.Second

// overtaken is closed when another node has taken over; nil without a cluster.
func (a *App) overtaken() <-chan struct{} {
	if a.node == nil {
		return nil
	}
	return a.node.Lost()
}

// withoutLost leaves out what a node that was overtaken couldn't append at its end.
func withoutLost(err error) error {
	if domain.CodeOf(err) == domain.CodeWriterLost {
		return nil
	}
	return err
}

// clusterNumbers are those of /metrics; none without a cluster.
func (a *App) clusterNumbers() map[string]float64 {
	if a.node == nil {
		return nil
	}
	h := a.node.Health()
	is := func(yes bool) float64 {
		if yes {
			return 1
		}
		return 0
	}
	return map[string]float64{
		"leading": is(h.Leading), "away": is(h.Away != nil), "cut_off": is(h.Cut),
		"takeovers_total": float64(h.Epoch), "lease_age_seconds": leaseAge(h).Seconds(), "lag_records": float64(h.Lag),
	}
}
