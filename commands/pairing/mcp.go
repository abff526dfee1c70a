package pairing

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guard"
)

// Servers are the servers of the Model Context Protocol that this process may start and
// call. It is safe for concurrent use.
type Servers interface {
	// Admit gives the right to reach a server from here and now on, on this machine and in
	// this data directory alone. It is kept outside the log, so that an imported log starts
	// nothing.
	Admit(ctx context.Context, id domain.ID, name string, s domain.MCPServer) error
	// Dismiss takes the right back, ends what was started of it, and removes its folder.
	Dismiss(id domain.ID)
	// LeftOut are the tools that a server offers and that can't be used, as it listed them
	// last; none of one that wasn't reached since this process began.
	LeftOut(id domain.ID) []LeftOut
}

// LeftOut is a tool that a server offers and that can't be used. The others can.
type LeftOut struct {
	Name string
	Why  string // in words
}

// AddedMCP is a server of the Model Context Protocol that was added.
type AddedMCP struct {
	ID      domain.ID
	New     bool // false: it was known, and may now be reached from here
	Tools   []domain.Tool
	LeftOut []LeftOut
}

// AddMCP makes a server of the Model Context Protocol known: it is started or called, asked
// for its tools, and recorded with them, or it isn't there. The tools that it offers now are
// those that may be invoked; later ones, and changed ones, wait until they are accepted.
// One that is known by this name and reached in the same way is admitted on this machine.
//
// Whether the caller may have a command started is for who calls this to judge.
//
// Errors: validation, also of a secret that would be kept in clear; a conflict when the name
// is taken; those of Peer; and what domain.Appender returns.
func (i *Interfaces) AddMCP(ctx context.Context, c commands.Caller, name string, server domain.MCPServer) (AddedMCP, error) {
	if i.cfg.Servers == nil {
		return AddedMCP{}, &domain.Error{Op: "add MCP server", Category: domain.Dependency, Code: "no_servers", Message: "this Chalie reaches no MCP servers: start it with chalie serve"}
	}
	if err := i.judgeMCP(name, server); err != nil {
		return AddedMCP{}, err
	}
	var known *domain.Interface
	i.cfg.Book.Read(func(r *domain.Registry) { known, _ = r.MCPNamed(name) })
	if known != nil && known.Server.Equal(server) {
		return i.admitAgain(ctx, c, *known)
	}
	id := i.cfg.IDs.NewID()
	if err := i.admit(ctx, c, id, name, server); err != nil {
		i.cfg.Servers.Dismiss(id)
		return AddedMCP{}, err
	}
	added, err := i.Get(id)
	return AddedMCP{ID: id, New: true, Tools: added.Tools, LeftOut: i.LeftOut(id)}, err
}

// LeftOut are the tools that a server of the Model Context Protocol offers and that can't be
// used; none of any other interface.
func (i *Interfaces) LeftOut(id domain.ID) []LeftOut {
	if i.cfg.Servers == nil {
		return nil
	}
	return i.cfg.Servers.LeftOut(id)
}

func (i *Interfaces) judgeMCP(name string, server domain.MCPServer) error {
	const op = "add MCP server"
	if err := server.Check(); err != nil {
		return err
	}
	if err := domain.CheckInterface(name, "127.0.0.1", 1); err != nil {
		return err
	}
	var err error
	i.cfg.Book.Read(func(r *domain.Registry) {
		if _, known := r.MCPNamed(name); !known {
			err = i.checkName(r, name, "", 0)
		}
	})
	if err != nil {
		return err
	}
	// Side by side, as a flag and its value may be a secret only together.
	written := append([]string{server.URL, strings.Join(server.Command, " ")}, server.Command...)
	if slices.ContainsFunc(written, guard.HasSecret) {
		return domain.Invalid(op, "command", "the command or URL holds what looks like a secret, and it would be kept in clear: set it as a variable where Chalie runs, and name that with --env or in --header")
	}
	for _, h := range server.Headers {
		if guard.HasSecret(h.Name + ": " + os.Expand(h.Value, withoutValue)) {
			return domain.Invalid(op, "headers", fmt.Sprintf("the header %s holds what looks like a secret, and it would be kept in clear: set it as a variable where Chalie runs, and write $NAME for it", h.Name))
		}
	}
	return nil
}

// withoutValue is what a variable in a header says until the header is sent.
func withoutValue(string) string { return "" }

// admit reaches a server for the first time and records it.
func (i *Interfaces) admit(ctx context.Context, c commands.Caller, id domain.ID, name string, server domain.MCPServer) error {
	if err := i.cfg.Servers.Admit(ctx, id, name, server); err != nil {
		return err
	}
	o, err := i.ask(ctx, commands.Endpoint{Server: id})
	if err != nil {
		return err
	}
	return makeChange(context.WithoutCancel(ctx), i, change[domain.MCPServerAdded]{
		entry: func(e domain.MCPServerAdded) (domain.Entry, error) {
			lineage := domain.Begin(domain.TraceID{ID: id}, c.Principal)
			entry, err := commands.EntryWith(i.cfg.Env, lineage, id, c.Source, e)
			if err == nil {
				err = fits(entry)
			}
			entry.Envelope.Keys = append(entry.Envelope.Keys, domain.InterfaceKey(id))
			return entry, err
		},
		decide: func(r *domain.Registry) (domain.MCPServerAdded, bool, error) {
			e, err := r.AddMCP(domain.MCPServerAdded{Name: name, Version: o.version, Description: o.meta.Description, Server: server, Tools: o.tools})
			return e, true, err
		},
	})
}

// admitAgain gives the right to reach a server that the log knows: it came with the log from
// elsewhere, or was added before.
func (i *Interfaces) admitAgain(ctx context.Context, c commands.Caller, known domain.Interface) (AddedMCP, error) {
	if err := i.cfg.Servers.Admit(ctx, known.ID, known.Name, *known.Server); err != nil {
		return AddedMCP{}, err
	}
	if _, err := i.Refresh(ctx, c, known.ID); err != nil {
		return AddedMCP{}, err
	}
	now, err := i.Get(known.ID)
	return AddedMCP{ID: known.ID, Tools: now.Tools, LeftOut: i.LeftOut(known.ID)}, err
}

// Accept takes tools of a server that wait, as they are offered now: all of them without
// names. pins, by name, are those of the tools as the person was shown them; one that has
// changed since is a conflict. It returns the tools that were taken.
//
// Errors: not found, validation when one doesn't wait, and what domain.Appender returns.
func (i *Interfaces) Accept(ctx context.Context, c commands.Caller, id domain.ID, names []string, pins map[string]string) ([]string, error) {
	var taken []string
	err := makeChange(ctx, i, change[domain.MCPToolsAccepted]{
		entry: func(e domain.MCPToolsAccepted) (domain.Entry, error) {
			return commands.EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
		},
		decide: func(r *domain.Registry) (domain.MCPToolsAccepted, bool, error) {
			e, err := r.Accept(id, names, pins)
			taken = taken[:0]
			for _, t := range e.Tools {
				taken = append(taken, t.Name)
			}
			return e, true, err
		},
	})
	return taken, err
}
