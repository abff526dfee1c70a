package httpapi

import (
	"strings"

	"chalie/domain"
)

// senders are who a person means by a name: whoever is called so by Chalie, and the
// interfaces and broadcasts that are shown by that name, in any case. Nil means anybody.
type senders map[string]bool

func (a *API) senders(name string) senders {
	if name == "" {
		return nil
	}
	out := senders{name: true}
	if id, err := domain.ParseID(name); err == nil {
		out[id.String()], out[id.UUID()] = true, true
	}
	if a.cfg.Interfaces != nil {
		for _, i := range a.cfg.Interfaces.List() {
			if strings.EqualFold(i.Name, name) {
				out[string(i.Principal())] = true
			}
		}
	}
	if a.cfg.Streams != nil {
		for _, s := range a.cfg.Streams.List() {
			if strings.EqualFold(s.Source, name) {
				out[string(s.Principal())] = true
			}
		}
	}
	return out
}

// sent reports whether one of them sent an envelope, or answers for it.
func (s senders) sent(source domain.Source, principal domain.Principal) bool {
	return s == nil || s[string(source)] || s[string(principal)]
}
