package commands

import "chalie/domain"

// opened is what opened an episode: a message, an action, or a signal of the
// background's.
type opened struct {
	message domain.MessageReceived
	action  domain.ActionReceived
	signal  domain.SpineSignalEmitted
	erased  bool // it can't be read any more
}

// openingOf reads what opened an episode. The error is CodeUndecodable.
func openingOf(ep *domain.Episode) (opened, error) {
	var out opened
	var err error
	switch env := ep.Opening.Envelope; env.Type {
	case domain.ActionReceivedType:
		out.action, err = domain.Decode[domain.ActionReceived](env)
	case domain.SpineSignalEmittedType:
		out.signal, err = domain.Decode[domain.SpineSignalEmitted](env)
	default:
		out.message, err = domain.Decode[domain.MessageReceived](env)
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return opened{erased: true}, nil
	}
	return out, err
}

// unsaid reports whether a move needs what opened the episode. What has begun
// comes to its end without it, and a cycle looks at the world alone.
func unsaid(ep *domain.Episode, move domain.Move) bool {
	switch move {
	case domain.MoveConclude, domain.MoveResume, domain.MoveVerify:
		return false
	case domain.MoveTool:
		return ep.IsAction() && ep.Action.State == domain.CallOpen
	}
	return !ep.Background()
}

func (o opened) erasedFault(ep *domain.Episode) domain.Fault {
	fault := domain.Fault{Code: domain.CodeErased, Category: domain.NotFound,
		Message: "what was said was erased before it was answered: say it again if it still matters"}
	if ep.IsAction() {
		fault.Message = "what was asked for was erased before it was done: ask again if it still matters"
	}
	return fault
}
