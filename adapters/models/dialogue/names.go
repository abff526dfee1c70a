package dialogue

import (
	"strconv"
	"strings"
)

// MaxNameBytes is the longest name of a tool or parameter that every provider
// takes. They take letters, digits, _ and - only.
const MaxNameBytes = 64

// Names gives names that every provider takes to names that may be anything, and
// leads back. The same names in the same order get the same ones. The zero value
// is ready.
type Names struct {
	to, from map[string]string
}

// Of is the name to send for one of ours.
func (n *Names) Of(name string) string {
	if sent, ok := n.to[name]; ok {
		return sent
	}
	if n.to == nil {
		n.to, n.from = map[string]string{}, map[string]string{}
	}
	base := plain(name)
	sent := base
	for i := 2; ; i++ {
		if _, taken := n.from[sent]; !taken {
			break
		}
		suffix := "_" + strconv.Itoa(i)
		sent = base[:min(len(base), MaxNameBytes-len(suffix))] + suffix
	}
	n.to[name], n.from[sent] = sent, name
	return sent
}

// Back is the name of ours that was sent as this; itself when none was.
func (n *Names) Back(sent string) string {
	if name, ok := n.from[sent]; ok {
		return name
	}
	return sent
}

// Renames reports whether any name is sent as another.
func (n *Names) Renames() bool {
	for name, sent := range n.to {
		if name != sent {
			return true
		}
	}
	return false
}

func plain(name string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if out == "" {
		out = "_"
	}
	return out[:min(len(out), MaxNameBytes)]
}
