package teststore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/gossip"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/serverfeatures"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Config is what a node is like. Dir is required.
type Config struct {
	Dir       string // of its file
	Like      string // the version that it behaves as: "23.10", the default, or "24.10"
	MaxAppend int    // bytes of one append; default 1 MiB
	SlowAfter uint64 // events that a live subscriber may be behind; default 10,000
	Twice     bool   // every append arrives twice, as over a network that repeats
	Secure    bool   // TLS, and users

	Nodes  int           // 1, the default, or 3
	Notice time.Duration // from a cut until its connections are given up; default 5 s

	// Of one node, when there are more.
	Number int
	Hub    string // where it reaches the others
	Keys   string // the folder of its certificates
}

func (c Config) withDefaults() Config {
	if c.Like == "" {
		c.Like = "23.10"
	}
	if c.MaxAppend == 0 {
		c.MaxAppend = 1 << 20
	}
	if c.SlowAfter == 0 {
		c.SlowAfter = 10_000
	}
	c.Nodes, c.Number = max(c.Nodes, 1), max(c.Number, 1)
	c.Notice = cmp.Or(c.Notice, 5*time.Second)
	return c
}

// Server is a node in this process.
type Server struct {
	streams.UnimplementedStreamsServer
	serverfeatures.UnimplementedServerFeaturesServer

	cfg     Config
	replica *replica
	grpc    *grpc.Server
	at      string

	mu     sync.Mutex
	others map[string]*grpc.ClientConn // to pass on what only the leader may do
}

// maxMessage bounds one message, as real servers do.
const maxMessage = 16 << 20

// Serve opens the node's file and serves on an address of this machine, such as
// 127.0.0.1:0, until it is closed.
func Serve(cfg Config, address string) (*Server, error) {
	cfg = cfg.withDefaults()
	listener, err := listen(address)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, at: listener.Addr().String(), others: map[string]*grpc.ClientConn{}}
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}),
	}
	if cfg.Secure {
		keys, err := serverKeys(cfg.Keys)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		options = append(options, grpc.Creds(keys))
	}
	s.grpc = grpc.NewServer(options...)
	streams.RegisterStreamsServer(s.grpc, s)
	gossip.RegisterGossipServer(s.grpc, gossips{Server: s})
	serverfeatures.RegisterServerFeaturesServer(s.grpc, s)
	if s.replica, err = openReplica(cfg, s.at); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	for cfg.Nodes == 1 && !s.replica.standing.Load().ready {
		select {
		case <-s.replica.turned:
		case <-s.replica.ended:
			return nil, errors.Join(errNotReady, listener.Close())
		}
	}
	go func() { _ = s.grpc.Serve(listener) }()
	return s, nil
}

// listen takes a port that nobody else is given, where any will do: a node that was killed starts
// again where it was, and meanwhile the machine could give a port of its own choice to somebody
// who connects, even to a client that tries to reach the node.
func listen(address string) (net.Listener, error) {
	const lowest, beyond, tries = 10_000, 32_768, 100 // the machine's own choice begins at 32768
	host, port, err := net.SplitHostPort(address)
	for n := 0; err == nil && port == "0" && n < tries; n++ {
		at := net.JoinHostPort(host, strconv.Itoa(lowest+rand.IntN(beyond-lowest))) //nolint:gosec // it is no secret
		if l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", at); err == nil {
			return l, nil
		}
	}
	return new(net.ListenConfig).Listen(context.Background(), "tcp", address)
}

// Addr is where it serves.
func (s *Server) Addr() string { return s.at }

// Close ends all calls, and the node.
func (s *Server) Close() error {
	s.grpc.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.others {
		_ = conn.Close()
	}
	return s.replica.close()
}

// gossips tells clients who is in the cluster.
type gossips struct {
	gossip.UnimplementedGossipServer
	*Server
}

// Read implements gossip.GossipServer.
func (g gossips) Read(context.Context, *shared.Empty) (*gossip.ClusterInfo, error) {
	now := g.replica.standing.Load()
	info := &gossip.ClusterInfo{}
	for number := 1; number <= g.cfg.Nodes; number++ {
		address, alive := now.members.Addresses[number], now.members.reach(number)
		if number == now.node {
			address, alive = g.at, true
		}
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			continue // it was never heard of
		}
		state := gossip.MemberInfo_Follower
		switch {
		case number == now.leader:
			state = gossip.MemberInfo_Leader
		case now.leader == 0:
			state = gossip.MemberInfo_Unknown
		}
		info.Members = append(info.Members, &gossip.MemberInfo{
			InstanceId: idProto(uuid.NewSHA1(uuid.Nil, []byte(address))), TimeStamp: ticks(time.Now()), State: state, IsAlive: alive,
			HttpEndPoint: &gossip.EndPoint{Address: at.Addr().String(), Port: uint32(at.Port())},
		})
	}
	return info, nil
}

// GetSupportedMethods implements serverfeatures.ServerFeaturesServer.
func (s *Server) GetSupportedMethods(context.Context, *shared.Empty) (*serverfeatures.SupportedMethods, error) {
	return &serverfeatures.SupportedMethods{EventStoreServerVersion: s.cfg.Like + ".0"}, nil
}

// refused is an error with the trailer by which clients tell it.
func refused(set func(metadata.MD), code codes.Code, exception, message string, more ...string) error {
	set(metadata.Pairs(append([]string{"exception", exception}, more...)...))
	return status.Error(code, message)
}

// leads refuses what asks for the leader and doesn't reach it. Else it returns the leader's
// address; "" when this node leads.
func (s *Server) leads(ctx context.Context, set func(metadata.MD)) (elsewhere string, err error) {
	now := s.replica.standing.Load()
	if !now.ready {
		return "", status.Error(codes.Unavailable, "Server Is Not Ready")
	}
	if now.leader == now.node {
		return "", nil
	}
	elsewhere = now.members.Addresses[now.leader]
	asked, _ := metadata.FromIncomingContext(ctx)
	if !slices.Equal(asked.Get("requires-leader"), []string{"true"}) {
		return elsewhere, nil
	}
	host, port, err := net.SplitHostPort(elsewhere)
	if err != nil {
		return "", err
	}
	return "", refused(set, codes.NotFound, "not-leader", "Leader info available", "leader-endpoint-host", host, "leader-endpoint-port", port)
}

// leader is a client of the leader, for what is passed on to it.
func (s *Server) leader(ctx context.Context, address string) (context.Context, streams.StreamsClient, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	conn := s.others[address]
	if conn == nil {
		keys := insecure.NewCredentials()
		if s.cfg.Secure {
			var err error
			if keys, err = clientKeys(s.cfg.Keys); err != nil {
				return nil, nil, err
			}
		}
		var err error
		if conn, err = grpc.NewClient(address, grpc.WithTransportCredentials(keys)); err != nil {
			return nil, nil, err
		}
		s.others[address] = conn
	}
	said, _ := metadata.FromIncomingContext(ctx)
	return metadata.NewOutgoingContext(ctx, metadata.Pairs("authorization", strings.Join(said.Get("authorization"), ""))), streams.NewStreamsClient(conn), nil
}

// thrown is what servers answer to what they didn't foresee.
var thrown = status.Error(codes.Unknown, "Exception was thrown by handler.")

// Append implements streams.StreamsServer.
func (s *Server) Append(call streams.Streams_AppendServer) error {
	head, err := call.Recv()
	if err != nil {
		return err
	}
	options := head.GetOptions()
	name := string(options.GetStreamIdentifier().GetStreamName())
	if options == nil || name == "" {
		return thrown
	}
	if err := s.allowed(call.Context(), call.SetTrailer, name, writing); err != nil {
		return heardOut(call, err)
	}
	elsewhere, err := s.leads(call.Context(), call.SetTrailer)
	if err != nil {
		return heardOut(call, err)
	}
	c := change{Stream: name}
	if c.Events, err = s.proposed(call); err != nil {
		return heardOut(call, err)
	}
	if elsewhere != "" {
		return s.passOn(call, elsewhere, head, c.Events)
	}
	var want expected
	switch options.GetExpectedStreamRevision().(type) {
	case *streams.AppendReq_Options_Revision:
		want = expected{exact, options.GetRevision()}
	case *streams.AppendReq_Options_NoStream:
		want.kind = noStream
	case *streams.AppendReq_Options_StreamExists:
		want.kind = exists
	default:
		want.kind = anything
	}
	o := s.replica.do(c, want)
	if s.cfg.Twice {
		o = s.replica.do(c, want)
	}
	if o.err != nil {
		return s.failed(call.SetTrailer, name, o.err)
	}
	if o.wrong {
		return call.SendAndClose(&streams.AppendResp{Result: &streams.AppendResp_WrongExpectedVersion_{WrongExpectedVersion: wrongProto(o, want)}})
	}
	success := &streams.AppendResp_Success{PositionOption: &streams.AppendResp_Success_NoPosition{NoPosition: &shared.Empty{}}}
	if o.absent && len(c.Events) == 0 {
		success.CurrentRevisionOption = &streams.AppendResp_Success_NoStream{NoStream: &shared.Empty{}}
	} else {
		success.CurrentRevisionOption = &streams.AppendResp_Success_CurrentRevision{CurrentRevision: o.revision}
		success.PositionOption = &streams.AppendResp_Success_Position{Position: &streams.AppendResp_Position{CommitPosition: o.revision, PreparePosition: o.revision}}
	}
	return call.SendAndClose(&streams.AppendResp{Result: &streams.AppendResp_Success_{Success: success}})
}

// heardOut refuses an append once all of it came: the library takes one that is refused while
// it sends for a broken connection, and has no reason.
func heardOut(call streams.Streams_AppendServer, refusal error) error {
	for {
		if _, err := call.Recv(); err != nil {
			return refusal
		}
	}
}

// passOn has the leader append.
func (s *Server) passOn(call streams.Streams_AppendServer, address string, head *streams.AppendReq, events []event) error {
	ctx, leader, err := s.leader(call.Context(), address)
	if err != nil {
		return err
	}
	var trailer metadata.MD
	there, err := leader.Append(ctx, grpc.Trailer(&trailer))
	if err == nil {
		err = there.Send(head)
	}
	for _, e := range events {
		if err != nil {
			break
		}
		err = there.Send(&streams.AppendReq{Content: &streams.AppendReq_ProposedMessage_{ProposedMessage: &streams.AppendReq_ProposedMessage{
			Id: idProto(e.ID), Metadata: e.Metadata, CustomMetadata: e.Custom, Data: e.Data,
		}}})
	}
	if err != nil && !errors.Is(err, io.EOF) { // whose reason comes with the answer
		return err
	}
	answer, err := there.CloseAndRecv()
	call.SetTrailer(trailer)
	if err != nil {
		return err
	}
	return call.SendAndClose(answer)
}

// proposed reads the events of an append.
func (s *Server) proposed(call streams.Streams_AppendServer) (events []event, err error) {
	created := strconv.FormatInt(ticks(time.Now()), 10)
	size := 0
	for {
		msg, err := call.Recv()
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, err
		}
		proposed := msg.GetProposedMessage()
		if proposed == nil {
			return nil, thrown
		}
		kind, typed := proposed.GetMetadata()["type"]
		if _, ok := proposed.GetMetadata()["content-type"]; !ok || !typed {
			return nil, refused(call.SetTrailer, codes.InvalidArgument, "missing-required-metadata-property", "a required metadata property is missing")
		}
		id, err := idOfProto(proposed.GetId())
		if err != nil || id == uuid.Nil || kind == "" {
			return nil, thrown
		}
		size += len(proposed.GetData()) + len(proposed.GetCustomMetadata())
		if s.cfg.Like == "24.10" {
			size += 2 * len(kind)
		}
		if size > s.cfg.MaxAppend {
			return nil, refused(call.SetTrailer, codes.InvalidArgument, "maximum-append-size-exceeded", fmt.Sprintf("Maximum Append Size of %d Exceeded.", s.cfg.MaxAppend),
				"maximum-append-size", strconv.Itoa(s.cfg.MaxAppend))
		}
		meta := maps.Clone(proposed.GetMetadata())
		meta["created"] = created
		events = append(events, event{id, meta, proposed.GetCustomMetadata(), proposed.GetData()})
	}
}

// failed is the answer to what couldn't be written.
func (s *Server) failed(set func(metadata.MD), name string, err error) error {
	switch {
	case errors.Is(err, errTombstone):
		return refused(set, codes.FailedPrecondition, "stream-deleted", "Event stream '"+name+"' is deleted.", "stream-name", name)
	case errors.Is(err, errDiskFull) || errors.Is(err, errTimeout) || errors.Is(err, errOutvoted):
		return status.Error(codes.Aborted, "Operation timed out: Commit phase timeout")
	}
	return status.Error(codes.Unavailable, "Server Is Not Ready")
}

func wrongProto(o outcome, want expected) *streams.AppendResp_WrongExpectedVersion {
	out := &streams.AppendResp_WrongExpectedVersion{}
	if o.absent {
		out.CurrentRevisionOption = &streams.AppendResp_WrongExpectedVersion_CurrentNoStream{CurrentNoStream: &shared.Empty{}}
	} else {
		out.CurrentRevisionOption = &streams.AppendResp_WrongExpectedVersion_CurrentRevision{CurrentRevision: o.revision}
	}
	switch want.kind {
	case exact:
		out.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedRevision{ExpectedRevision: want.revision}
	case noStream:
		out.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedNoStream{ExpectedNoStream: &shared.Empty{}}
	case exists:
		out.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedStreamExists{ExpectedStreamExists: &shared.Empty{}}
	default:
		out.ExpectedRevisionOption = &streams.AppendResp_WrongExpectedVersion_ExpectedAny{ExpectedAny: &shared.Empty{}}
	}
	return out
}

// Delete implements streams.StreamsServer.
func (s *Server) Delete(ctx context.Context, req *streams.DeleteReq) (*streams.DeleteResp, error) {
	options := req.GetOptions()
	_, isExact := options.GetExpectedStreamRevision().(*streams.DeleteReq_Options_Revision)
	c := change{Stream: string(options.GetStreamIdentifier().GetStreamName()), Delete: true}
	elsewhere, err := s.remove(ctx, c, isExact, options.GetRevision())
	if elsewhere != "" {
		ctx, leader, err := s.leader(ctx, elsewhere)
		if err != nil {
			return nil, err
		}
		return leader.Delete(ctx, req)
	}
	return &streams.DeleteResp{PositionOption: &streams.DeleteResp_Position_{Position: &streams.DeleteResp_Position{}}}, err
}

// Tombstone implements streams.StreamsServer.
func (s *Server) Tombstone(ctx context.Context, req *streams.TombstoneReq) (*streams.TombstoneResp, error) {
	options := req.GetOptions()
	_, isExact := options.GetExpectedStreamRevision().(*streams.TombstoneReq_Options_Revision)
	c := change{Stream: string(options.GetStreamIdentifier().GetStreamName()), Tombstone: true}
	elsewhere, err := s.remove(ctx, c, isExact, options.GetRevision())
	if elsewhere != "" {
		ctx, leader, err := s.leader(ctx, elsewhere)
		if err != nil {
			return nil, err
		}
		return leader.Tombstone(ctx, req)
	}
	return &streams.TombstoneResp{PositionOption: &streams.TombstoneResp_Position_{Position: &streams.TombstoneResp_Position{}}}, err
}

// remove does it, or says where the leader is.
func (s *Server) remove(ctx context.Context, c change, isExact bool, revision uint64) (elsewhere string, err error) {
	want := expected{kind: anything}
	if isExact {
		want = expected{exact, revision}
	}
	set := func(md metadata.MD) { _ = grpc.SetTrailer(ctx, md) }
	if err := s.allowed(ctx, set, c.Stream, deleting); err != nil {
		return "", err
	}
	if elsewhere, err := s.leads(ctx, set); elsewhere != "" || err != nil {
		return elsewhere, err
	}
	o := s.replica.do(c, want)
	if o.err != nil {
		return "", s.failed(set, c.Stream, o.err)
	}
	if o.wrong {
		return "", refused(set, codes.FailedPrecondition, "wrong-expected-version", "the stream is at another revision")
	}
	return "", nil
}
