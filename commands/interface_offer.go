package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"chalie/domain"
)

// offered is what an interface says of itself when it is asked.
type offered struct {
	version string // "" when it says none
	tools   []domain.Tool
	meta    PeerMeta // zero without one
}

// ask asks an interface how it is, what it can do and who it is. Errors are those
// of Peer.
func (i *Interfaces) ask(ctx context.Context, at Endpoint) (offered, error) {
	health, err := i.cfg.Peer.Health(ctx, at)
	if err != nil {
		return offered{}, err
	}
	tools, err := i.cfg.Peer.Capabilities(ctx, at)
	if err != nil {
		return offered{}, err
	}
	meta, err := i.cfg.Peer.Meta(ctx, at)
	if err != nil {
		return offered{}, err
	}
	if tools == nil {
		tools = []domain.Tool{}
	}
	if meta == nil {
		meta = &PeerMeta{}
	}
	return offered{version: cmp.Or(meta.Version, health.Version), tools: flagged(tools), meta: *meta}, nil
}

// fits judges what an interface offers by what an envelope takes.
func fits(entry domain.Entry) error {
	size := len(entry.Envelope.Payload.Bytes)
	if size <= domain.MaxPayloadBytes {
		return nil
	}
	return &domain.Error{Op: "store capabilities", Category: domain.Dependency, Code: CodePeerTooLarge,
		Message: fmt.Sprintf("what it offers takes %d bytes when stored, the bound is %d: it must describe itself more briefly", size, domain.MaxPayloadBytes)}
}

// causeOf is the code and the text of what went wrong, fit for the log.
func causeOf(err error) (domain.Code, string) {
	var e *domain.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "given_up", "the interface hung up before it was paired"
	case errors.As(err, &e) && e.Message != "": // that it didn't answer in time, too
		return cmp.Or(e.Code, "failed"), e.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "given_up", "it took too long"
	}
	return "failed", "something went wrong inside Chalie"
}

func namesOf(tools []domain.Tool) []string {
	names := make([]string, len(tools))
	for n, t := range tools {
		names[n] = t.Name
	}
	return names
}
