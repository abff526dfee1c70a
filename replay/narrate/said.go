package narrate

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// said is the events that come in from outside.
var said = map[domain.EventType]Entry{
	domain.SignalReceivedType: event[domain.SignalReceived]{
		Kind: "Signal", Lead: "%s signalled:", From: arrived, Bare: true,
		LineOf: func(e domain.Envelope, p domain.SignalReceived) string {
			if p.Source != "" && p.Source != string(e.Source) && p.Source != string(e.Principal) {
				return fmt.Sprintf("%s from %s: %s", p.SignalType, p.Source, p.Content)
			}
			return p.SignalType + ": " + p.Content
		},
		LabelOf: func(s Sent, p domain.SignalReceived) string {
			return p.SignalType + " from " + s.sender(p.Source) + ": " + p.Content
		},
		Clause: func(s Scene, _ domain.SignalReceived) Phrase {
			text := s.Quote()
			if s.Repeated() {
				text = About(s.Record(), "it")
			}
			return Sayf("%s reported %s", s.Sender("something it listens to"), text)
		},
	}.entry(),
	domain.MessageReceivedType: event[domain.MessageReceived]{
		Kind: "Message", Lead: "%s said:", From: arrived, Bare: true,
		Line: func(p domain.MessageReceived) string {
			out := p.Text
			if len(p.ImageIDs) > 0 {
				out += fmt.Sprintf(" (with %s)", Counted(len(p.ImageIDs), "image", "images"))
			}
			return out + inConversation(p)
		},
		LabelOf: func(s Sent, p domain.MessageReceived) string { return s.sender(p.Source) + " said: " + TextOrImage(p) },
		Clause: func(s Scene, p domain.MessageReceived) Phrase {
			return Sayf("%s %s%s", s.Sender("somebody"), uttered(s, p), inConversation(p))
		},
	}.entry(),
	domain.ActionReceivedType: event[domain.ActionReceived]{
		Kind: "Action", Lead: "%s asked for:", From: arrived, Bare: true,
		Line:     domain.ActionReceived.Name,
		Labelled: func(p domain.ActionReceived) string { return "you pressed: " + p.Name() },
		Clause:   func(s Scene, _ domain.ActionReceived) Phrase { return Sayf("you pressed %s", s.Quote()) },
	}.entry(),
	domain.SteerReceivedType: event[domain.SteerReceived]{
		Kind: "Redirection", Lead: "%s redirected it:", From: arrived, Bare: true,
		Line:     func(p domain.SteerReceived) string { return p.Text },
		Labelled: func(p domain.SteerReceived) string { return "you added: " + p.Text },
		Clause:   func(s Scene, _ domain.SteerReceived) Phrase { return Sayf("you added %s", s.Quote()) },
	}.entry(),
	domain.CancelReceivedType: event[domain.CancelReceived]{
		Kind: "Stop", Lead: "%s stopped it", From: arrived,
		Line:  func(domain.CancelReceived) string { return "stop it" },
		Label: "you cancelled it",
	}.entry(),
	domain.ToldSeenType: event[domain.ToldSeen]{
		Kind: "Sight", Lead: "%s saw it", From: arrived,
		Line: func(p domain.ToldSeen) string {
			return "what was told of " + p.Of.UUID() + " was on a page that could be seen"
		},
		Label: "you had it before you",
	}.entry(),
	domain.MessageQueuedType: event[domain.MessageQueued]{
		Kind: "Message", Lead: "A message had to wait:", From: byProcess,
		Line:  func(p domain.MessageQueued) string { return "waits for " + p.Behind.UUID() },
		Label: "the message had to wait for an earlier one",
	}.entry(),
	domain.ImageUploadedType: event[domain.ImageUploaded]{
		Kind: "Image", Lead: "%s sent an image:", From: arrived,
		Line: func(p domain.ImageUploaded) string {
			return fmt.Sprintf("%s, %d × %d, %s", p.MediaType, p.Width, p.Height, Counted(uint64(p.Bytes), "byte", "bytes"))
		},
		Labelled: func(p domain.ImageUploaded) string {
			return fmt.Sprintf("you sent an image, %s, %d × %d", p.MediaType, p.Width, p.Height)
		},
	}.entry(),
	domain.ContextUpdatedType: event[domain.ContextUpdated]{
		Kind: "Surroundings", Lead: "Your surroundings changed:", From: arrived,
		Line:  surroundings,
		Label: "your surroundings were reported",
	}.entry(),
	domain.ForeignMessageType: event[struct{}]{Kind: "Foreign message", Lead: "Something else came in:", From: arrived}.entry(),
	domain.CommandReceivedType: event[domain.CommandReceived]{
		Kind: "Command", Lead: "%s called:", From: arrived, Bare: true,
		Line: func(p domain.CommandReceived) string {
			line := p.Route + " as " + Shortened(p.Source, MaxName)
			if p.EnvelopeID != "" {
				line += ", envelope " + p.EnvelopeID
			}
			return line
		},
		LabelOf: func(s Sent, p domain.CommandReceived) string {
			return fmt.Sprintf("%s called %s", s.sender(p.Source), p.Route)
		},
		Clause: func(s Scene, p domain.CommandReceived) Phrase {
			return Sayf("%s called %s", s.Sender("a program"), Spelt(p.Route))
		},
	}.entry(),
	domain.RequestAnsweredType: event[domain.RequestAnswered]{
		Kind: "Request", Lead: "A request was answered:", From: origin{OriginGiven, "what was answered over HTTP depends on the connection"},
		Line:     func(p domain.RequestAnswered) string { return fmt.Sprintf("%s → %d", p.Route, p.Status) },
		Labelled: func(p domain.RequestAnswered) string { return fmt.Sprintf("answered %s with %d", p.Route, p.Status) },
		Subject:  "Chalie",
	}.entry(),
}

// sender is the person, or Chalie's name for the sender; its own name for itself only
// when there is no other.
func (s Sent) sender(source string) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Principal == domain.PrincipalOperator && s.Type != domain.SignalReceivedType:
		return "you"
	case strings.TrimSpace(source) != "":
		return Shortened(source, MaxName)
	}
	return Shortened(string(s.Source), MaxName)
}

// SenderOf names the sender of a signal or a message, by the name at that time; "" when
// unknown.
func SenderOf(e domain.Envelope, name string) string {
	source := ""
	switch e.Type {
	case domain.SignalReceivedType:
		source, _ = decoded(e, func(p domain.SignalReceived) string { return p.Source })
	case domain.MessageReceivedType:
		source, _ = decoded(e, func(p domain.MessageReceived) string { return p.Source })
	}
	return Sent{e, name}.sender(source)
}

// TextOrImage is a message's text, or that it is an image.
func TextOrImage(p domain.MessageReceived) string {
	if strings.TrimSpace(p.Text) == "" {
		return "(an image)"
	}
	return p.Text
}

// uttered is a message's text with a verb: "said" for a text, "sent" for an image alone.
// inConversation names the conversation of a message; "" of the default one.
func inConversation(p domain.MessageReceived) string {
	if p.Conversation.IsZero() {
		return ""
	}
	return " in the conversation " + Shortened(p.Conversation.String(), MaxName)
}

func uttered(s Scene, p domain.MessageReceived) Phrase {
	if n := len(p.ImageIDs); n > 0 && strings.TrimSpace(p.Text) == "" {
		image := "an image"
		if n > 1 {
			image = fmt.Sprintf("%d images", n)
		}
		return Sayf("sent %s", About(s.Record(), image))
	}
	text := s.Quote()
	if strings.HasSuffix(text.String(), `?"`) {
		return Sayf("asked %s", text)
	}
	return Sayf("said %s", text)
}

// surroundings names the reported fields without the place, because others may see the
// screen.
func surroundings(p domain.ContextUpdated) string {
	var parts []string
	if p.Location != nil {
		parts = append(parts, "location")
	}
	if p.Timezone != nil {
		parts = append(parts, "timezone "+*p.Timezone)
	}
	if p.Device != nil {
		parts = append(parts, strings.TrimSpace("device "+p.Device.Class+" "+p.Device.Platform))
	}
	if p.Energy != nil {
		parts = append(parts, "energy "+p.Energy.String())
	}
	if p.Attention != nil {
		parts = append(parts, *p.Attention)
	}
	return strings.Join(parts, ", ")
}
