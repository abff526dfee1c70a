package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

// registryThen is who Chalie spoke with at the moment that at asks about; nil
// without at.
func (x *exchange) registryThen() (*api.AsOf, commands.View[domain.Registry], error) {
	q, err := x.query()
	if err != nil {
		return nil, nil, err
	}
	then, err := x.asOf(q)
	if err != nil || then == nil {
		return nil, nil, err
	}
	book, err := x.api.cfg.Past.Registry(x.r.Context(), then.Position)
	return then, book, err
}

// namedThen is the interface that the path names, now or at the moment that at asks
// about.
func (x *exchange) namedThen(what string) (domain.Interface, *api.AsOf, error) {
	then, book, err := x.registryThen()
	if err != nil {
		return domain.Interface{}, nil, err
	}
	if then == nil {
		i, err := x.named(what)
		return i, nil, err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return domain.Interface{}, nil, err
	}
	var known *domain.Interface
	book.Read(func(r *domain.Registry) { known = r.Interfaces[id] })
	if known == nil {
		return domain.Interface{}, nil, domain.NoInterface(id)
	}
	return *known, then, nil
}

// interfacesIn are the interfaces of a registry. When each was heard is not in the log,
// so of the past nobody knows.
func interfacesIn(book commands.View[domain.Registry]) (out []domain.Interface) {
	book.Read(func(r *domain.Registry) {
		for _, i := range r.Listed() {
			out = append(out, *i)
		}
	})
	return out
}

func (x *exchange) interfacesThen(then api.AsOf, book commands.View[domain.Registry]) error {
	out := api.PastInterfaces{AsOf: then, Interfaces: []api.Interface{}}
	for _, i := range interfacesIn(book) {
		body := x.interfaceBody(i)
		body.LastSeenAt = nil
		out.Interfaces = append(out.Interfaces, body)
	}
	return x.answer(http.StatusOK, out)
}

func (x *exchange) streamsThen(then api.AsOf, book commands.View[domain.Registry]) error {
	out := api.Streams{AsOf: &then, Streams: []api.Stream{}}
	book.Read(func(r *domain.Registry) {
		for _, s := range r.ListedStreams() {
			out.Streams = append(out.Streams, api.Stream{ID: api.UUID{ID: s.ID}, URL: s.URL, Source: s.Source, Since: s.Since})
		}
	})
	return x.answer(http.StatusOK, out)
}

func (x *exchange) appsThen(then api.AsOf, book commands.View[domain.Registry]) error {
	out := api.PastApps{AsOf: then, Apps: []api.App{}}
	for _, i := range interfacesIn(book) {
		body := x.appBody(i)
		body.LastSeenAt = nil
		out.Apps = append(out.Apps, body)
	}
	return x.answer(http.StatusOK, out)
}
