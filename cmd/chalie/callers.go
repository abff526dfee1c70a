package main

import (
	"context"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// callers are the names of the programs that stand in what is shown: their principals are ids.
// The log has the name in the envelope that let the program in, also of one that was shut out.
type callers struct {
	ctx   context.Context //nolint:containedctx // of the one command that it is made for
	api   *apiclient.Client
	known map[domain.ID]string
}

func callersOf(ctx context.Context, api *apiclient.Client) *callers {
	return &callers{ctx, api, map[domain.ID]string{}}
}

// named is a principal as a person reads it.
func (p *callers) named(who domain.Principal) string {
	issued, ok := who.Program()
	if !ok {
		return string(who)
	}
	name, known := p.known[issued]
	if !known {
		name = string(who) // when it is in no envelope that can be read
		if rec, found := p.api.Opening(p.ctx, issued); found && rec.Envelope.ID == issued {
			if token, err := domain.Decode[domain.TokenIssued](rec.Envelope); err == nil {
				name = token.Name
			}
		}
		p.known[issued] = name
	}
	return name
}

// who is an envelope's principal, with its source.
func (p *callers) who(e domain.Envelope) string {
	principal, source := oneLine(p.named(e.Principal)), oneLine(string(e.Source))
	if principal == source {
		return principal
	}
	return principal + " via " + source
}
