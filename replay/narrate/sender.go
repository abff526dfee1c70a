package narrate

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
)

// senders are the events of interfaces, programs and broadcasts.
var senders = map[domain.EventType]Entry{
	domain.PairingKeyIssuedType: event[domain.PairingKeyIssued]{
		Kind: "Pairing", Lead: "You asked for a pairing key,", From: byPerson,
		Line:  func(domain.PairingKeyIssued) string { return "good for one attempt, for ten minutes" },
		Label: "you made a pairing key",
	}.entry(),
	domain.PairingKeyUsedType: event[domain.PairingKeyUsed]{
		Kind: "Pairing", Lead: "A pairing key was used:", From: arrived,
		Line:     func(p domain.PairingKeyUsed) string { return p.Name + " at " + hostPort(p.Host, p.Port) },
		Labelled: func(p domain.PairingKeyUsed) string { return p.Name + " used a pairing key" },
	}.entry(),
	domain.PairingRefusedType: event[domain.PairingRefused]{
		Kind: "Pairing", Lead: "Pairing was refused:", From: arrived,
		Line: func(p domain.PairingRefused) string {
			if p.Count > 1 {
				return fmt.Sprintf("%s, %d times: %s", p.Reason, p.Count, p.Detail)
			}
			return p.Reason + ": " + p.Detail
		},
		Labelled: func(p domain.PairingRefused) string { return "a pairing was refused: " + p.Detail },
	}.entry(),
	domain.InterfacePairedType: event[domain.InterfacePaired]{
		Kind: "Interface", Lead: "You paired an interface:", From: arrived,
		Line: func(p domain.InterfacePaired) string {
			return fmt.Sprintf("%s at %s, with %s", p.Name, hostPort(p.Host, p.Port), toolNames(p.Tools))
		},
		Labelled: func(p domain.InterfacePaired) string { return "the interface " + p.Name + " was paired" },
	}.entry(),
	domain.InterfaceRegisteredType: event[domain.InterfaceRegistered]{
		Kind: "Interface", Lead: "An interface made itself known:", From: arrived,
		Line:     func(p domain.InterfaceRegistered) string { return p.Name + " at " + hostPort(p.Host, p.Port) },
		Labelled: func(p domain.InterfaceRegistered) string { return "the interface " + p.Name + " registered by itself" },
	}.entry(),
	domain.ScopesApprovedType: event[domain.ScopesApproved]{
		Kind: "Interface", Lead: "You approved:", From: byPerson,
		Line: func(p domain.ScopesApproved) string {
			if keys := slices.Concat(p.Approved.Context, p.Approved.Signals, p.Approved.Messages); len(keys) > 0 {
				return strings.Join(keys, ", ")
			}
			return "nothing"
		},
		LabelOf: func(s Sent, _ domain.ScopesApproved) string {
			return "you decided what " + anInterface(s.Name) + " may do"
		},
	}.entry(),
	domain.CapabilitiesChangedType: event[domain.CapabilitiesChanged]{
		Kind: "Interface", Lead: "An interface told its tools:", From: arrived,
		Line: func(p domain.CapabilitiesChanged) string { return toolNames(p.Tools) },
		LabelOf: func(s Sent, _ domain.CapabilitiesChanged) string {
			return anInterface(s.Name) + " changed what it offers"
		},
	}.entry(),
	domain.InterfaceWentOfflineType: event[domain.InterfaceWentOffline]{
		Kind: "Interface", Lead: "Out of reach:", From: byService,
		Line: func(p domain.InterfaceWentOffline) string {
			return fmt.Sprintf("interface %s, after %s: %s", p.InterfaceID.UUID(), Counted(max(0, p.Failures), "failed check", "failed checks"), p.Reason)
		},
		LabelOf: func(s Sent, p domain.InterfaceWentOffline) string {
			return withDetail(anInterface(s.Name)+" stopped answering", p.Reason)
		},
	}.entry(),
	domain.InterfaceCameOnlineType: event[domain.InterfaceCameOnline]{
		Kind: "Interface", Lead: "Within reach:", From: byService,
		Line: func(p domain.InterfaceCameOnline) string {
			return "interface " + p.InterfaceID.UUID() + " answers again"
		},
		LabelOf: func(s Sent, _ domain.InterfaceCameOnline) string { return anInterface(s.Name) + " answers again" },
	}.entry(),
	domain.InterfaceRemovedType: event[domain.InterfaceRemoved]{
		Kind: "Interface", Lead: "You removed an interface:", From: byPerson,
		Line:    func(p domain.InterfaceRemoved) string { return "interface " + p.InterfaceID.UUID() + " is shut out" },
		LabelOf: func(s Sent, _ domain.InterfaceRemoved) string { return "you removed " + anInterface(s.Name) },
	}.entry(),
	domain.InterfaceExpiredType: event[domain.InterfaceExpired]{
		Kind: "Interface", Lead: "An interface was forgotten:", From: byService,
		Line: func(p domain.InterfaceExpired) string {
			return "interface " + p.InterfaceID.UUID() + " is forgotten: " + p.Reason
		},
		LabelOf: func(s Sent, p domain.InterfaceExpired) string {
			return anInterface(s.Name) + " was forgotten: " + p.Reason
		},
	}.entry(),
	domain.MCPServerAddedType: event[domain.MCPServerAdded]{
		Kind: "Interface", Lead: "You added an MCP server:", From: arrived,
		Line: func(p domain.MCPServerAdded) string {
			return fmt.Sprintf("%s, %s, with %s", p.Name, Shortened(WithoutQuery(p.Server.Where()), MaxName), toolNames(p.Tools))
		},
		Labelled: func(p domain.MCPServerAdded) string { return "you added the MCP server " + p.Name },
	}.entry(),
	domain.MCPToolsAcceptedType: event[domain.MCPToolsAccepted]{
		Kind: "Interface", Lead: "You accepted tools as they are now:", From: byPerson,
		Line: func(p domain.MCPToolsAccepted) string {
			names := make([]string, len(p.Tools))
			for i, t := range p.Tools {
				names[i] = t.Name
			}
			return strings.Join(names, ", ")
		},
		LabelOf: func(s Sent, _ domain.MCPToolsAccepted) string {
			return "you accepted what " + anInterface(s.Name) + " now offers"
		},
	}.entry(),
	domain.StreamAddedType: event[domain.StreamAdded]{
		Kind: "Broadcast", Lead: "You listened to a broadcast:", From: byPerson,
		Line:     func(p domain.StreamAdded) string { return fmt.Sprintf("%s at %s", p.Source, WithoutQuery(p.URL)) },
		Labelled: func(p domain.StreamAdded) string { return "you had Chalie listen to " + p.Source },
	}.entry(),
	domain.StreamRemovedType: event[domain.StreamRemoved]{
		Kind: "Broadcast", Lead: "You stopped listening:", From: byPerson,
		Line:  func(p domain.StreamRemoved) string { return "stream " + p.StreamID.UUID() + " is heard no more" },
		Label: "you had Chalie stop listening to a stream",
	}.entry(),
	domain.TokenIssuedType: event[domain.TokenIssued]{
		Kind: "Token", Lead: "You made a token:", From: byPerson,
		Line:     func(p domain.TokenIssued) string { return p.Name + " may " + Permitted(p.Signals) },
		Labelled: func(p domain.TokenIssued) string { return "you gave a token to " + p.Name },
	}.entry(),
	domain.TokenRevokedType: event[domain.TokenRevoked]{
		Kind: "Token", Lead: "You revoked a token:", From: byPerson,
		Line:     func(p domain.TokenRevoked) string { return p.Name },
		Labelled: func(p domain.TokenRevoked) string { return "you revoked the token of " + p.Name },
	}.entry(),
}

// anInterface names an interface, if its name is known.
func anInterface(name string) string {
	if name == "" {
		return "an interface"
	}
	return "the interface " + name
}

// NameIn is the name of a sender in the record that admitted it; "" for other records.
func NameIn(e domain.Envelope) string {
	var name string
	switch e.Type {
	case domain.InterfacePairedType:
		name, _ = decoded(e, func(p domain.InterfacePaired) string { return p.Name })
	case domain.InterfaceRegisteredType:
		name, _ = decoded(e, func(p domain.InterfaceRegistered) string { return p.Name })
	case domain.TokenIssuedType:
		name, _ = decoded(e, func(p domain.TokenIssued) string { return p.Name })
	case domain.MCPServerAddedType:
		name, _ = decoded(e, func(p domain.MCPServerAdded) string { return p.Name })
	case domain.StreamAddedType:
		name, _ = decoded(e, func(p domain.StreamAdded) string { return p.Source })
	}
	return name
}

func hostPort(host string, port int) string {
	if host == "" {
		return "Chalie's socket" // a program, which listens nowhere
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

func toolNames(tools []domain.Tool) string {
	if len(tools) == 0 {
		return "no tools"
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}
