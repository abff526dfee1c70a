package teststore

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

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
	if err := s.allowed(call.Context(), call.SetTrailer, name, reading); err != nil {
		return err
	}
	// Whoever doesn't ask for the leader reads what this node has.
	if asked, _ := metadata.FromIncomingContext(call.Context()); len(asked.Get("requires-leader")) > 0 {
		if _, err := s.leads(call.Context(), call.SetTrailer); err != nil {
			return err
		}
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
		p := s.replica.state.backwards(name, from, int(min(count, math.MaxInt32)))
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
		p := s.replica.state.read(name, from, int(min(count, readBatch)))
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
		next = s.replica.state.read(name, math.MaxInt64, 1).next
	}
	caughtUp := &streams.ReadResp{Content: &streams.ReadResp_CaughtUp_{CaughtUp: &streams.ReadResp_CaughtUp{}}}
	live := false
	for {
		p := s.replica.state.read(name, next, readBatch)
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
		case <-s.replica.ended:
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
