package domain

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Seq numbers what clients are sent. It follows from where the frame's cause
// is in the log, so it is the same after a restart, an import or on another
// machine, and it only rises.
type Seq uint64

// FramesPerRecord is the room for frames of one record.
const FramesPerRecord = 16

// SeqOf is the number of the index-th frame, from 0, of the record at pos.
func SeqOf(pos Position, index int) Seq { return Seq(pos)*FramesPerRecord + Seq(index) }

// Position is that of the frame's record.
func (s Seq) Position() Position { return Position(s / FramesPerRecord) }

// EndOf is the last number that a frame of the record at pos, or of one before,
// can have.
func EndOf(pos Position) Seq { return SeqOf(pos, FramesPerRecord-1) }

// FrameType names the type of a frame.
type FrameType string

// The frames that follow from records.
const (
	FrameStatus       FrameType = "status"
	FrameNarration    FrameType = "act_narration"
	FrameCard         FrameType = "card"
	FrameMessage      FrameType = "message"
	FrameDone         FrameType = "done"
	FrameError        FrameType = "error"
	FrameNotification FrameType = "notification"
	FrameEscalation   FrameType = "escalation"
	FrameTask         FrameType = "task"
	FrameImageReady   FrameType = "image_ready"
	FrameDelta        FrameType = "delta"     // what was added to an answer that is being made
	FrameRetracted    FrameType = "retracted" // the deltas of an answer don't count any more
	FrameExchange     FrameType = "exchange"  // something happened to an exchange that no other frame tells
)

// Stage is the progress of an answer.
type Stage string

// The stages.
const (
	StageProcessing Stage = "processing"
	StageWaiting    Stage = "waiting" // for the answer to an earlier message
	StageThinking   Stage = "thinking"
	StageRetrieving Stage = "retrieving_memory" // what the answer may rest on is read
	StageResponding Stage = "responding"        // the model has answered, and what it said is checked
)

// stageWords has of each stage what a person is shown meanwhile.
var stageWords = map[Stage]string{
	StageProcessing: "Received", StageWaiting: "Waits for the answer before", StageThinking: "Thinking",
	StageRetrieving: "Remembering", StageResponding: "Answering",
}

// StageWords are the words for each stage.
func StageWords() map[Stage]string { return maps.Clone(stageWords) }

// Frame is one thing clients are sent. Which fields count follows from the type.
type Frame struct {
	Seq  Seq
	Type FrameType

	ExchangeID  ID            // all but task and image_ready: of the trace, which is the message's id
	Stage       Stage         // status
	Blocks      []Block       // message, notification, escalation
	Open        []string      // message: addresses that tools want opened, as they gave them
	Topic       string        // message, notification, escalation; card: of what the tool was called for
	Mode        Mode          // message
	Confidence  PPM           // message
	DurationMS  int64         // done
	Message     string        // act_narration, error; retracted: why
	Step        int           // act_narration, delta: the number of the call to the model, from 1
	Attempt     int           // delta: at that call, from 1
	Part        int           // delta: of the attempt, from 1
	Events      []StreamEvent // delta
	Recoverable bool          // error
	Proposal    *Notification // escalation: of a proposal that waits for approval; nil for any other
	Card        Card          // card
	Tool        string        // card: the interface's own name for it
	OutputID    ID            // card: of the envelope that has it
	ImageID     ID            // image_ready
	Status      string        // image_ready: success or failed
}

// stages are those that an envelope of each type brings an answer to, one frame
// each. New ones go to the end of their row: the frames before keep their numbers.
var stages = map[EventType][]Stage{
	MessageReceivedType:  {StageProcessing},
	MessageQueuedType:    {StageWaiting},
	ReasoningStartedType: {StageThinking, StageRetrieving},
	ModelCalledType:      {StageThinking},
	ModelRepliedType:     {StageResponding},
}

// statuses are the frames of the stages.
var statuses = func() map[EventType][]FrameType {
	out := make(map[EventType][]FrameType, len(stages))
	for event, its := range stages {
		out[event] = slices.Repeat([]FrameType{FrameStatus}, len(its))
	}
	return out
}()

// FrameTypes are the frames an envelope gives, in order, for reading only. They follow from the
// envelope alone, and their number stays the same when its payload is erased:
// the numbering of what was sent must not change afterwards. The error is
// CodeUndecodable.
func FrameTypes(e Envelope) ([]FrameType, error) {
	switch e.Type {
	case MessageReceivedType, MessageQueuedType, ReasoningStartedType, ModelCalledType, ModelRepliedType:
		if e.Principal != PrincipalOperator || isUnasked(e) {
			return nil, nil
		}
		if _, acts := ActsOf(e); acts {
			return []FrameType{FrameNarration}, nil
		}
		return statuses[e.Type], nil
	case ModelStreamedType, ModelFailedType, AnswerVerifiedType:
		return streamTypes(e), nil
	case ApprovalProposedType:
		return []FrameType{FrameEscalation}, nil
	case SteerReceivedType, CancelReceivedType, ApprovalGrantedType, ApprovalRefusedType, ApprovalExpiredType:
		return []FrameType{FrameExchange}, nil
	case ToolCompletedType:
		if e.Principal == PrincipalOperator && slices.Contains(e.Keys, CardKey) {
			return []FrameType{FrameCard}, nil
		}
	case ImageUploadedType:
		return []FrameType{FrameImageReady}, nil
	case ReasoningConcludedType:
		c, err := ConclusionOf(e)
		if err != nil {
			return nil, err
		}
		return endTypes(e, c), nil
	default:
		if Events().plans[e.Type].kind.Followed {
			return []FrameType{FrameTask}, nil
		}
	}
	return nil, nil
}

// streamTypes are the frames of what adds to a reply that is being made, or takes it back.
func streamTypes(e Envelope) []FrameType {
	switch {
	case e.Principal != PrincipalOperator || isUnasked(e):
		return nil
	case slices.Contains(e.Keys, RetractsKey):
		return []FrameType{FrameRetracted}
	case e.Type == ModelStreamedType:
		return []FrameType{FrameDelta}
	}
	return nil
}

// UnaskedKey is carried by the steps of a cycle of Chalie's own accord. It may be
// the person's, as what follows from a plan of theirs is, and yet nobody waits for
// it: no frame says how far it has come.
const UnaskedKey Key = "unasked"

func isUnasked(e Envelope) bool { return slices.Contains(e.Keys, UnaskedKey) }

// endTypes are the frames of a conclusion. Who asked always hears that it is done.
func endTypes(e Envelope, c ReasoningConcluded) []FrameType {
	out := make([]FrameType, 0, 2)
	// A reminder's principal is the person, too, but no client waits for it.
	asked := e.Principal == PrincipalOperator && c.Shown != ShownNotification && !isUnasked(e)
	switch {
	case c.Shown == ShownMessage:
		out = append(out, FrameMessage)
	case c.Shown == ShownNotification:
		out = append(out, FrameNotification)
	case c.Shown == ShownEscalation:
		out = append(out, FrameEscalation)
	case c.Outcome == OutcomeFailed && asked:
		out = append(out, FrameError)
	}
	if asked {
		out = append(out, FrameDone)
	}
	return out
}

// Frames are the frames of a record with their content. find returns the
// envelope that a conclusion refers to; an error of it is returned as it is.
// What was erased is shown as that.
func Frames(rec Record, find func(ID) (Envelope, error)) ([]Frame, error) {
	types, err := FrameTypes(rec.Envelope)
	if err != nil || len(types) == 0 {
		return nil, err
	}
	out := make([]Frame, len(types))
	for i, t := range types {
		out[i] = Frame{Seq: SeqOf(rec.Position, i), Type: t}
		if t == FrameStatus {
			out[i].Stage = stages[rec.Envelope.Type][i]
		}
		if err := out[i].fill(rec.Envelope, find); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (f *Frame) fill(e Envelope, find func(ID) (Envelope, error)) error {
	if f.Type != FrameImageReady && f.Type != FrameTask {
		f.ExchangeID = e.Trace.ID
	}
	switch f.Type {
	case FrameStatus: // its stage is all it says
	case FrameNarration:
		return f.narrate(e)
	case FrameDelta:
		return f.deltas(e)
	case FrameRetracted:
		return f.retract(e)
	case FrameCard:
		return f.show(e, find)
	case FrameEscalation:
		if e.Type == ApprovalProposedType {
			return f.propose(e)
		}
		return f.say(e, find)
	case FrameTask, FrameExchange: // says only that something changed: a client asks for the tasks, or for the exchange
	case FrameImageReady:
		f.ImageID, f.Status = e.ID, "success"
	case FrameError:
		f.Recoverable, f.Message = true, "it did not work out"
		if len(e.Errors) > 0 {
			f.Message = e.Errors[0].Message
		}
	case FrameDone:
		c, err := Decode[ReasoningConcluded](e)
		if err != nil && CodeOf(err) != CodeErased {
			return err
		}
		f.DurationMS = c.DurationMS
	default:
		return f.say(e, find)
	}
	return nil
}

// say fills in the blocks.
func (f *Frame) say(e Envelope, find func(ID) (Envelope, error)) error {
	f.Mode = ModeRespond
	said, err := SaidIn(e, find)
	if CodeOf(err) == CodeErased {
		f.Blocks = ErasedBlocks()
		return nil
	}
	if err != nil {
		return err
	}
	f.Blocks, f.Open, f.Topic, f.Mode, f.Confidence = said.Blocks, said.Open, said.Topic, said.Mode, said.Confidence
	return nil
}

// erasedText stands where a text can no longer be read.
const erasedText = "(erased)"

// ErasedBlocks stand where something said can no longer be read.
func ErasedBlocks() []Block { return []Block{TextBlock(erasedText, FormatPlain)} }

const actsPrefix = "acts/"

// IsActsKey reports whether a key is one of [ActsKey].
func IsActsKey(k Key) bool { return strings.HasPrefix(string(k), actsPrefix) }

// ActsKey marks a model.replied that calls tools of programs, which clients are told. step is the number of the call to the model, from 1.
func ActsKey(step int) Key { return actsPrefix + Key(strconv.Itoa(step)) }

// ActsOf reads the ActsKey an envelope carries; false when it has none.
func ActsOf(e Envelope) (step int, ok bool) {
	for _, key := range e.Keys {
		if text, found := strings.CutPrefix(string(key), actsPrefix); found {
			if step, err := strconv.Atoi(text); err == nil {
				return step, true
			}
		}
	}
	return 0, false
}

// narrate says which tools an answer is about to use.
func (f *Frame) narrate(e Envelope) error {
	f.Step, _ = ActsOf(e)
	reply, err := Decode[ModelReplied](e)
	if CodeOf(err) == CodeErased {
		f.Message = erasedText
		return nil
	}
	if err != nil {
		return err
	}
	names := make([]string, len(reply.ToolCalls))
	for i, call := range reply.ToolCalls {
		names[i] = oneLine(call.Tool)
	}
	f.Message = "Using " + strings.Join(names, ", then ")
	return nil
}

// oneLine keeps a name from outside from pretending to be more than one.
func oneLine(text string) string {
	return strings.Join(strings.Fields(clip(text, MaxNameBytes)), " ")
}
