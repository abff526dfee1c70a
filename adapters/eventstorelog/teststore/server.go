package teststore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/gossip"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/serverfeatures"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
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
	return c
}

// Server is a node in this process.
type Server struct {
	streams.UnimplementedStreamsServer
	serverfeatures.UnimplementedServerFeaturesServer

	cfg   Config
	id    uuid.UUID
	store *store
	grpc  *grpc.Server
	at    netip.AddrPort
}

// maxMessage bounds one message, as real servers do.
const maxMessage = 16 << 20

// Serve opens the node's file and serves on an address of this machine, such as
// 127.0.0.1:0, until it is closed.
func Serve(cfg Config, address string) (*Server, error) {
	cfg = cfg.withDefaults()
	store, err := openStore(cfg)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, errors.Join(err, store.close())
	}
	at, err := netip.ParseAddrPort(listener.Addr().String())
	if err != nil {
		return nil, errors.Join(err, listener.Close(), store.close())
	}
	s := &Server{cfg: cfg, id: uuid.New(), store: store, at: at}
	s.grpc = grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage))
	streams.RegisterStreamsServer(s.grpc, s)
	gossip.RegisterGossipServer(s.grpc, members{Server: s})
	serverfeatures.RegisterServerFeaturesServer(s.grpc, s)
	go func() { _ = s.grpc.Serve(listener) }()
	return s, nil
}

// Addr is where it serves.
func (s *Server) Addr() string { return s.at.String() }

// Close ends all calls, and the node.
func (s *Server) Close() error {
	s.grpc.Stop()
	return s.store.close()
}

// members tells clients who is in the cluster.
type members struct {
	gossip.UnimplementedGossipServer
	*Server
}

// Read implements gossip.GossipServer.
func (m members) Read(context.Context, *shared.Empty) (*gossip.ClusterInfo, error) {
	return &gossip.ClusterInfo{Members: []*gossip.MemberInfo{{
		InstanceId: idProto(m.id), TimeStamp: ticks(time.Now()), State: gossip.MemberInfo_Leader, IsAlive: true,
		HttpEndPoint: &gossip.EndPoint{Address: m.at.Addr().String(), Port: uint32(m.at.Port())},
	}}}, nil
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
	c := change{Stream: name}
	if c.Events, err = s.proposed(call); err != nil {
		return err
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
	o := s.store.do(c, want)
	if s.cfg.Twice {
		o = s.store.do(c, want)
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
	case errors.Is(err, errDiskFull):
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
	err := s.remove(ctx, change{Stream: string(options.GetStreamIdentifier().GetStreamName()), Delete: true}, isExact, options.GetRevision())
	return &streams.DeleteResp{PositionOption: &streams.DeleteResp_Position_{Position: &streams.DeleteResp_Position{}}}, err
}

// Tombstone implements streams.StreamsServer.
func (s *Server) Tombstone(ctx context.Context, req *streams.TombstoneReq) (*streams.TombstoneResp, error) {
	options := req.GetOptions()
	_, isExact := options.GetExpectedStreamRevision().(*streams.TombstoneReq_Options_Revision)
	err := s.remove(ctx, change{Stream: string(options.GetStreamIdentifier().GetStreamName()), Tombstone: true}, isExact, options.GetRevision())
	return &streams.TombstoneResp{PositionOption: &streams.TombstoneResp_Position_{Position: &streams.TombstoneResp_Position{}}}, err
}

func (s *Server) remove(ctx context.Context, c change, isExact bool, revision uint64) error {
	want := expected{kind: anything}
	if isExact {
		want = expected{exact, revision}
	}
	set := func(md metadata.MD) { _ = grpc.SetTrailer(ctx, md) }
	o := s.store.do(c, want)
	if o.err != nil {
		return s.failed(set, c.Stream, o.err)
	}
	if o.wrong {
		return refused(set, codes.FailedPrecondition, "wrong-expected-version", "the stream is at another revision")
	}
	return nil
}

// readBatch is how many events are read of the store at once.
const readBatch = 512

// Read implements streams.StreamsServer: reads and subscriptions.
func (s *Server) Read(req *streams.ReadReq, call streams.Streams_ReadServer) error {
	options := req.GetOptions()
	stream := options.GetStream()
	if stream == nil {
		return status.Error(codes.Unimplemented, "there is no $all here")
	}
	name := string(stream.GetStreamIdentifier().GetStreamName())
	if name == "" {
		return thrown
	}
	if options.GetSubscription() != nil {
		return s.follow(name, stream, call)
	}
	count := options.GetCount()
	if count == 0 {
		count = math.MaxInt64
	}
	if options.GetReadDirection() == streams.ReadReq_Options_Backwards {
		from := uint64(math.MaxInt64)
		if _, named := stream.GetRevisionOption().(*streams.ReadReq_Options_StreamOptions_Revision); named {
			from = stream.GetRevision()
		}
		p := s.store.backwards(name, from, int(min(count, math.MaxInt32)))
		if done, err := s.unreadable(name, p, call); done {
			return err
		}
		for i, e := range slices.Backward(p.events) {
			if err := send(call, name, e, p.first+uint64(i)); err != nil {
				return err
			}
		}
		return nil
	}
	from := stream.GetRevision()
	if _, fromEnd := stream.GetRevisionOption().(*streams.ReadReq_Options_StreamOptions_End); fromEnd {
		from = math.MaxInt64
	}
	for count > 0 {
		p := s.store.read(name, from, int(min(count, readBatch)))
		if done, err := s.unreadable(name, p, call); done {
			return err
		}
		if len(p.events) == 0 {
			return nil
		}
		for i, e := range p.events {
			if err := send(call, name, e, p.first+uint64(i)); err != nil {
				return err
			}
		}
		from = p.first + uint64(len(p.events))
		count -= uint64(len(p.events))
	}
	return nil
}

// unreadable answers a read of a stream that isn't there.
func (s *Server) unreadable(name string, p page, call streams.Streams_ReadServer) (done bool, err error) {
	switch {
	case p.tombstone:
		return true, s.failed(call.SetTrailer, name, errTombstone)
	case p.absent:
		return true, call.Send(&streams.ReadResp{Content: &streams.ReadResp_StreamNotFound_{StreamNotFound: &streams.ReadResp_StreamNotFound{
			StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte(name)},
		}}})
	}
	return false, nil
}

// follow serves a subscription.
func (s *Server) follow(name string, stream *streams.ReadReq_Options_StreamOptions, call streams.Streams_ReadServer) error {
	if err := call.Send(&streams.ReadResp{Content: &streams.ReadResp_Confirmation{Confirmation: &streams.ReadResp_SubscriptionConfirmation{SubscriptionId: uuid.NewString()}}}); err != nil {
		return err
	}
	next := uint64(0)
	switch stream.GetRevisionOption().(type) {
	case *streams.ReadReq_Options_StreamOptions_Revision:
		next = stream.GetRevision() + 1
	case *streams.ReadReq_Options_StreamOptions_End:
		next = s.store.read(name, math.MaxInt64, 1).next
	}
	caughtUp := &streams.ReadResp{Content: &streams.ReadResp_CaughtUp_{CaughtUp: &streams.ReadResp_CaughtUp{}}}
	live := false
	for {
		p := s.store.read(name, next, readBatch)
		if p.tombstone {
			return s.failed(call.SetTrailer, name, errTombstone)
		}
		if live && p.next > next && p.next-next > s.cfg.SlowAfter {
			if s.cfg.Like != "24.10" {
				return status.Error(codes.Aborted, "Consumer too slow to handle event while live. Client resubscription required.")
			}
			live = false
		}
		for i, e := range p.events {
			if err := send(call, name, e, p.first+uint64(i)); err != nil {
				return err
			}
			next = p.first + uint64(i) + 1
		}
		if len(p.events) > 0 {
			continue
		}
		if !live && (!p.absent || s.cfg.Like == "24.10") {
			live = true
			if err := call.Send(caughtUp); err != nil {
				return err
			}
		}
		select {
		case <-p.moved:
		case <-call.Context().Done():
			return call.Context().Err()
		case <-s.store.ended:
			return status.Error(codes.Unavailable, "Server Is Not Ready")
		}
	}
}

func send(call streams.Streams_ReadServer, name string, e event, revision uint64) error {
	return call.Send(&streams.ReadResp{Content: &streams.ReadResp_Event{Event: &streams.ReadResp_ReadEvent{
		Event: &streams.ReadResp_ReadEvent_RecordedEvent{
			Id: idProto(e.ID), StreamIdentifier: &shared.StreamIdentifier{StreamName: []byte(name)},
			StreamRevision: revision, Metadata: e.Metadata, CustomMetadata: e.Custom, Data: e.Data,
		},
		Position: &streams.ReadResp_ReadEvent_NoPosition{NoPosition: &shared.Empty{}},
	}}})
}

func idProto(id uuid.UUID) *shared.UUID {
	return &shared.UUID{Value: &shared.UUID_Structured_{Structured: &shared.UUID_Structured{
		MostSignificantBits: int64(binary.BigEndian.Uint64(id[:8])), LeastSignificantBits: int64(binary.BigEndian.Uint64(id[8:])),
	}}}
}

func idOfProto(id *shared.UUID) (out uuid.UUID, err error) {
	if bits := id.GetStructured(); bits != nil {
		binary.BigEndian.PutUint64(out[:8], uint64(bits.GetMostSignificantBits()))
		binary.BigEndian.PutUint64(out[8:], uint64(bits.GetLeastSignificantBits()))
		return out, nil
	}
	return uuid.Parse(id.GetString_())
}
