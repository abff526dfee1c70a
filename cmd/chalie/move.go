package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const moveHelp = `Move takes the log of a Chalie to an EventStoreDB (23.10, 24.10) or KurrentDB
(25, 26) cluster, and back. An address may begin with kurrentdb:// as well.
It copies every record, with images, keys and settings encrypted beside it, reads all of
it again and compares each byte, and only then has the cluster keep the log. Positions
stay, so clients go on where they were.

A Chalie that runs goes on meanwhile, and starts again at the end, on the other log: that
takes a moment. With --from none may run on another machine. A move that was broken
off, at whatever moment, goes on when it is run again; until its end the log is kept
where it was. Run again after its end it says that it is done already.

Nothing is deleted. After --to the data directory has a copy of the log, and CLUSTER-KEY,
which other machines need. After --from the stream is there as it was, closed: no machine
writes it, unless the log is moved to it again.`

const moveExample = `  chalie move --to 'esdb://one:2113,two:2113,three:2113?tls=true'
  chalie move --from 'esdb://one:2113,two:2113,three:2113?tls=true'`

// moved is what a move comes to.
type moved struct {
	Records domain.Position `json:"records"`
	Stream  string          `json:"stream"`
	Files   int             `json:"files"`             // beside the log
	Left    string          `json:"left,omitempty"`    // a stream with a part of the log, of a move that was broken off
	Already bool            `json:"already,omitempty"` // it had ended before; Records and Files aren't counted again
}

func moveCommand(c *cli) *cobra.Command {
	var to, from string
	cluster := Cluster{}
	cmd := &cobra.Command{
		Use: "move", Short: "Move the log to a cluster, or back", Long: moveHelp, Example: moveExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if (to == "") == (from == "") {
				return &usageError{"give --to or --from, with the connection string of the cluster", cmd.CommandPath()}
			}
			if err := checkData(c); err != nil {
				return err
			}
			ctx, stop := whileWaiting(cmd.Context())
			defer stop()
			if cluster.URL, err = clusterAddress(to+from, cmd.ErrOrStderr()); err != nil {
				return &usageError{words(err), cmd.CommandPath()}
			}
			if warning := eventstorelog.Warning(cluster.URL); warning != "" {
				c.Complain(warning)
			}
			already, err := c.nameStream(&cluster, from != "", cmd.Flags().Changed("log-stream"))
			if err != nil {
				return err
			}
			m := move{data: c.data, cluster: cluster, meter: c.Meter()}
			var done moved
			if already {
				done = moved{Stream: cluster.Stream, Already: true}
			} else if conn, dialed := unixsocket.Dial(ctx, c.data); dialed == nil {
				_ = conn.Close()
				done, err = m.served(ctx, from != "")
			} else {
				done, err = m.run(ctx, from != "")
			}
			if errors.Is(err, context.Canceled) {
				err = stoppedWaiting{errors.New("the move was interrupted; run the same command again to go on; until its end the log is kept where it was")}
			}
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(done)
			}
			return c.told(done, from != "")
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the cluster to move the log to, such as esdb://one:2113,two:2113,three:2113?tls=true, or @FILE that holds that")
	cmd.Flags().StringVar(&from, "from", "", "the cluster to bring the log back from, likewise")
	cmd.Flags().StringVar(&cluster.Stream, "log-stream", defaultStream, "the name of this Chalie's stream")
	return cmd
}

// nameStream names the stream of a log that a cluster keeps already. already says that it
// was moved there before.
func (c *cli) nameStream(cluster *Cluster, back, named bool) (already bool, err error) {
	saved, err := savedCluster(c.data)
	_, here, moving := underWay(c.data)
	switch {
	case err != nil || moving != nil || saved.URL == "":
		return false, cmp.Or(err, moving)
	case back && !named:
		cluster.Stream = saved.Stream
	case back && cluster.Stream != saved.Stream:
		return false, &domain.Error{Op: "move", Category: domain.Validation, Field: "log-stream", Message: "the log is kept in the stream " + saved.Stream}
	case !back && here == "" && saved.Stream == cluster.Stream && eventstorelog.SameCluster(saved.URL, cluster.URL):
		return true, nil
	case !back && here == "":
		return false, &domain.Error{Op: "move", Category: domain.Conflict, Code: codeOnCluster, Message: keptThere}
	}
	return false, nil
}

const codeOnCluster domain.Code = "on_a_cluster"

// codeMovedAlready says that a move had ended before.
const codeMovedAlready domain.Code = "moved_already"

const keptThere = "the log is kept by a cluster already; bring it back with `chalie move --from` first"

func (c *cli) told(done moved, back bool) error {
	records := counted(int(done.Records), "record", "records")
	files := counted(done.Files, "file", "files")
	switch {
	case done.Already && back:
		return c.Printf("It is done already: the log is here, and the stream %s is closed. Chalie needs no --log.\n", done.Stream)
	case done.Already:
		return c.Printf("It is done already: the log is in the stream %s. Chalie finds it by %s.\n", done.Stream, filepath.Join(c.data, clusterFile))
	}
	if back {
		return c.Printf("%s and %s are here, each as it was in the stream %s, which is closed. Chalie needs no --log any more.\n", records, files, done.Stream)
	}
	if done.Left != "" {
		defer func() {
			c.Complain(fmt.Sprintf("The stream %s has a part of the log, from a move that was broken off. It is closed, and nothing needs it: delete it with the cluster's own tools.", done.Left))
		}()
	}
	return c.Printf("%s and %s are in the stream %s, each as it is here. Chalie finds it by %s; copy that and %s to the data directories of the machines that are to stand by.\n",
		records, files, done.Stream, filepath.Join(c.data, clusterFile), eventstorelog.KeyFile)
}

// move takes a log at rest to a cluster or back.
type move struct {
	data    string
	cluster Cluster
	meter   term.Meter
	from    domain.Position // what was compared before
	// stopAt ends a test's move before a step.
	stopAt func(step string) error
}

func (m move) step(name string) error {
	if m.stopAt == nil {
		return nil
	}
	return m.stopAt(name)
}

func (m move) run(ctx context.Context, back bool) (done moved, err error) {
	defer m.meter.Clear()
	clock := sysclock.Clock{}
	cfg := Config{Data: m.data, Clock: clock, IDs: ulids.New(clock), Cluster: m.cluster}.withDefaults()
	node, err := joinCluster(cfg)
	if err != nil {
		return moved{}, err
	}
	defer node.Close()
	if back {
		return m.here(ctx, cfg, node)
	}
	return m.there(ctx, cfg, node)
}

// open opens the log, as a copy of the stream or as it is.
func (m move) open(cfg Config, node *eventstorelog.Node) (*pebblelog.Log, error) {
	at, err := logAt(cfg, node, "chalie move")
	if err != nil {
		return nil, err
	}
	if node == nil {
		if err := keptHere(m.data, at); err != nil {
			return nil, err
		}
	}
	return pebblelog.Open(at)
}

// there moves the log to the cluster.
func (m move) there(ctx context.Context, cfg Config, node *eventstorelog.Node) (done moved, err error) {
	log, err := m.open(cfg, nil)
	if domain.CodeOf(err) == pebblelog.CodeIsCopy { // nothing but its last steps is left
		log, err = m.open(cfg, node)
	}
	if err != nil {
		return moved{}, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if err := log.MayLeave(ctx); err != nil {
		return moved{}, err
	}
	by, left, err := moveOf(m.data, m.cluster.Stream, false, cfg.IDs)
	if err != nil {
		return moved{}, err
	}
	if err := node.Bring(ctx, log, by, m.meter.Of("copying").Pace()); err != nil {
		return moved{}, err
	}
	if err := m.step("compare"); err != nil {
		return moved{}, err
	}
	through, err := node.Compare(ctx, log, m.from+1, m.meter.Of("comparing").Pace())
	if err != nil {
		return moved{}, err
	}
	files, err := m.beside(ctx, node)
	if err != nil {
		return moved{}, err
	}
	if err := m.step("switch"); err != nil {
		return moved{}, err
	}
	// This is the end of the move. What is left is done by the next start, too.
	if err := m.cluster.save(m.data); err != nil {
		return moved{}, err
	}
	if err := m.step("stamp"); err != nil {
		return moved{}, err
	}
	if err := log.SetUpstream(m.cluster.Stream); err != nil {
		return moved{}, err
	}
	// Should the cluster not hear of it, only this machine can lead, and ends the move then.
	if node.Part(ctx, "") == nil {
		err = endMove(m.data)
	}
	return moved{Records: through, Stream: m.cluster.Stream, Files: files, Left: left}, err
}

// beside has the cluster keep what is beside the log, and compares it.
func (m move) beside(ctx context.Context, node *eventstorelog.Node) (files int, err error) {
	beside := besideNode(node, m.data)
	if err := beside.Restore(ctx); err != nil {
		return 0, err
	}
	if err := beside.Keep(ctx); err != nil {
		return 0, err
	}
	return besideNode(node, m.data).Compare(ctx)
}

// moveFile names the move that is under way, and its stream.
const moveFile = "CLUSTER-MOVE"

// underWay is the move that a data directory names, and its stream; "" for none.
func underWay(data string) (by eventstorelog.Move, stream string, err error) {
	text, err := os.ReadFile(filepath.Join(data, moveFile))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", "", nil
	}
	named, stream, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	return eventstorelog.Move(named), stream, err
}

// moveOf is the move in a direction that is under way, or a new one. left is the stream of
// another that was broken off.
func moveOf(data, stream string, back bool, ids domain.IDs) (by eventstorelog.Move, left string, err error) {
	by, before, err := underWay(data)
	switch {
	case err != nil || by != "" && by.IsBack() == back && (before == stream || before == ""):
		return by, "", err
	case by != "" && !by.IsBack() && before != stream:
		left = before
	}
	by = eventstorelog.NewMove(ids.NewID(), back)
	return by, left, renameio.WriteFile(filepath.Join(data, moveFile), fmt.Appendf(nil, "%s %s\n", by, stream), 0o600)
}

// tellMove tells of a move that was broken off, to whoever keeps the log here. One back has
// ended.
func tellMove(cfg Config) error {
	by, stream, err := underWay(cfg.Data)
	switch {
	case err != nil || by == "" || cfg.Cluster.URL != "":
		return nil //nolint:nilerr // whoever moves the log says so
	case by.IsBack():
		return endMove(cfg.Data)
	}
	cfg.Logger.Warn("a move of the log to a cluster was broken off; run it again to go on; until its end the log is kept here", "stream", stream)
	return nil
}

func endMove(data string) error {
	if err := os.Remove(filepath.Join(data, moveFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// here moves the log back to this machine. The stream is closed by a move that is named
// in the data directory, so that only this one can end it.
func (m move) here(ctx context.Context, cfg Config, node *eventstorelog.Node) (done moved, err error) {
	log, err := m.open(cfg, node)
	if domain.CodeOf(err) == pebblelog.CodeIsNoCopy {
		return m.returned(ctx, cfg, node, err)
	}
	if err != nil {
		return moved{}, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	by, _, err := underWay(m.data)
	if err != nil {
		return moved{}, err
	}
	closed, err := node.Parted(ctx)
	if err != nil {
		return moved{}, err
	}
	if closed == "" || closed != by {
		if err := m.part(ctx, cfg, node, log); err != nil {
			return moved{}, err
		}
	}
	if err := m.step("switch"); err != nil {
		return moved{}, err
	}
	// A copy isn't synced each time: what a loss of power took is read again.
	if err := node.CatchUp(ctx, log); err != nil {
		return moved{}, err
	}
	files, err := besideNode(node, m.data).Compare(ctx)
	if err != nil {
		return moved{}, err
	}
	if err := log.SetUpstream(""); err != nil {
		return moved{}, err
	}
	if err := m.step("forget"); err != nil {
		return moved{}, err
	}
	if err := noteLeft(m.data); err != nil {
		return moved{}, err
	}
	// This is the end of the move: nothing else removes the file.
	if err := forgetCluster(m.data); err != nil {
		return moved{}, err
	}
	return moved{Records: log.Tail(), Stream: m.cluster.Stream, Files: files}, endMove(m.data)
}

// returned is the end of a move back that had ended before; refusal when the log is another
// one.
func (m move) returned(ctx context.Context, cfg Config, node *eventstorelog.Node, refusal error) (done moved, err error) {
	log, err := m.open(cfg, nil)
	if err != nil {
		return moved{}, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if is, err := node.Returned(ctx, log); err != nil || !is {
		return moved{}, refusal
	}
	return moved{Records: log.Tail(), Stream: m.cluster.Stream, Already: true}, endMove(m.data)
}

// part leads, compares, and closes the stream by a move that the data directory names.
func (m move) part(ctx context.Context, cfg Config, node *eventstorelog.Node, log *pebblelog.Log) error {
	if err := node.Unused(ctx); err != nil {
		return err
	}
	if err := node.Lead(ctx, log); err != nil {
		return err
	}
	if err := m.step("compare"); err != nil {
		return err
	}
	if _, err := node.Compare(ctx, log, m.from+1, m.meter.Of("comparing").Pace()); err != nil {
		return err
	}
	if _, err := m.beside(ctx, node); err != nil {
		return err
	}
	by, _, err := moveOf(m.data, m.cluster.Stream, true, cfg.IDs)
	if err != nil {
		return err
	}
	if err := m.step("part"); err != nil {
		return err
	}
	return node.Part(ctx, by)
}
