package gist

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
)

// interfaceGist tells what came of the programs of the outside world.
func interfaceGist(e domain.Envelope) string {
	switch e.Type {
	case domain.PairingKeyIssuedType:
		return "good for one attempt, for ten minutes"
	case domain.PairingKeyUsedType:
		return say(e, func(p domain.PairingKeyUsed) string { return p.Name + " at " + hostPort(p.Host, p.Port) })
	case domain.PairingRefusedType:
		return say(e, func(p domain.PairingRefused) string {
			if p.Count > 1 {
				return fmt.Sprintf("%s, %d times: %s", p.Reason, p.Count, p.Detail)
			}
			return p.Reason + ": " + p.Detail
		})
	case domain.InterfacePairedType:
		return say(e, func(p domain.InterfacePaired) string {
			return fmt.Sprintf("%s at %s, with %s", p.Name, hostPort(p.Host, p.Port), toolNames(p.Tools))
		})
	case domain.InterfaceRegisteredType:
		return say(e, func(p domain.InterfaceRegistered) string { return p.Name + " at " + hostPort(p.Host, p.Port) })
	case domain.ScopesApprovedType:
		return say(e, func(p domain.ScopesApproved) string {
			if keys := slices.Concat(p.Approved.Context, p.Approved.Signals, p.Approved.Messages); len(keys) > 0 {
				return strings.Join(keys, ", ")
			}
			return "nothing"
		})
	case domain.CapabilitiesChangedType:
		return say(e, func(p domain.CapabilitiesChanged) string { return toolNames(p.Tools) })
	case domain.InterfaceWentOfflineType:
		return say(e, func(p domain.InterfaceWentOffline) string {
			return fmt.Sprintf("interface %s, after %s: %s", p.InterfaceID.UUID(), Counted(max(0, p.Failures), "failed check", "failed checks"), p.Reason)
		})
	case domain.InterfaceCameOnlineType:
		return say(e, func(p domain.InterfaceCameOnline) string {
			return "interface " + p.InterfaceID.UUID() + " answers again"
		})
	case domain.InterfaceRemovedType:
		return say(e, func(p domain.InterfaceRemoved) string { return "interface " + p.InterfaceID.UUID() + " is shut out" })
	}
	if e.Type == domain.InterfaceExpiredType {
		return say(e, func(p domain.InterfaceExpired) string {
			return "interface " + p.InterfaceID.UUID() + " is forgotten: " + p.Reason
		})
	}
	return say(e, contextGist)
}

// contextGist names what was reported, and no place: a log is looked at over
// shoulders.
func contextGist(p domain.ContextUpdated) string {
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

func hostPort(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

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
