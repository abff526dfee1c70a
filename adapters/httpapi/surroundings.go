package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	// Zones are known by name also on machines without a database of them.
	_ "time/tzdata"

	"chalie/commands"
	"chalie/domain"
)

// Surroundings is what is known of where and how the person is. Its methods are
// those of *signal.Surroundings, which says their errors.
type Surroundings interface {
	Update(ctx context.Context, c commands.Caller, update domain.ContextUpdated) error
	Now() domain.ContextUpdated
}

// contextSignal is the type of signals that tell of the person's surroundings.
const contextSignal = "context_update"

// surroundings is what is known; nothing where nothing runs.
func (x *exchange) surroundings() domain.ContextUpdated {
	if x.api.cfg.Surroundings == nil {
		return domain.ContextUpdated{}
	}
	return x.api.cfg.Surroundings.Now()
}

// takeSurroundings takes in what a client of the operator tells with its POST
// /health. Whatever is wrong with it, the client needs its answer: so what can't
// be read is passed over, and what can't be recorded is logged, and will be told
// again in some minutes.
func (x *exchange) takeSurroundings(caller commands.Caller) {
	if x.api.cfg.Surroundings == nil {
		return
	}
	body, err := x.body()
	if err != nil {
		return
	}
	v, err := parseJSON(body)
	if err != nil {
		return
	}
	update := contextOf(v)
	if update == (domain.ContextUpdated{}) {
		return
	}
	if err := x.api.cfg.Surroundings.Update(x.r.Context(), caller, update); err != nil && x.r.Context().Err() == nil {
		x.api.cfg.Logger.Warn("what a client told of its surroundings was not taken in", slog.Any("error", err))
	}
}

// surround takes in what an accepted signal tells of the person's surroundings.
// Its sender must have been let do so by name: one that may send every type may
// not for that speak for the person's own devices.
func (x *exchange) surround(caller commands.Caller, sig domain.SignalReceived) error {
	if sig.SignalType != contextSignal || x.api.cfg.Surroundings == nil {
		return nil
	}
	if !caller.Operator && !slices.Contains(caller.Signals, contextSignal) {
		return nil
	}
	update := contextOfText(sig.Metadata)
	if update == (domain.ContextUpdated{}) {
		update = contextOfText([]byte(sig.Content))
	}
	if update == (domain.ContextUpdated{}) {
		return nil
	}
	return x.api.cfg.Surroundings.Update(x.r.Context(), caller, update)
}

func contextOfText(text json.RawMessage) domain.ContextUpdated {
	v, err := parseJSON(text)
	if err != nil {
		return domain.ContextUpdated{}
	}
	return contextOf(v)
}

// contextOf is what of an object tells of surroundings in a way that can be used.
// Anything else in it is passed over, so that clients may be newer than Chalie and
// wrong about one thing without losing the others.
func contextOf(v value) domain.ContextUpdated {
	var location, timezone, device, energy, attention value
	if v.fields("", map[string]*value{"location": &location, "timezone": &timezone, "device": &device, "energy": &energy, "attention": &attention}) != nil {
		return domain.ContextUpdated{}
	}
	var out domain.ContextUpdated
	for _, part := range []domain.ContextUpdated{
		{Location: locationOf(location)}, {Timezone: timezoneOf(timezone)}, {Device: deviceOf(device)},
		{Energy: energyOf(energy)}, {Attention: textOf(attention)},
	} {
		if part.Check() == nil {
			out = part.Over(out)
		}
	}
	return out
}

func locationOf(v value) *domain.Location {
	var lat, lon, name value
	if v.fields("", map[string]*value{"lat": &lat, "lon": &lon, "name": &name}) != nil || !lat.given() || !lon.given() {
		return nil
	}
	var out domain.Location
	var errLat, errLon error
	out.Lat, errLat = lat.number("lat", 0)
	out.Lon, errLon = lon.number("lon", 0)
	if errLat != nil || errLon != nil {
		return nil
	}
	if text := textOf(name); text != nil {
		out.Name = *text
	}
	return &out
}

func timezoneOf(v value) *string {
	name := textOf(v)
	if name == nil {
		return nil
	}
	if _, ok := zoneOf(*name); !ok {
		return nil
	}
	return name
}

func deviceOf(v value) *domain.Device {
	var class, platform value
	if v.fields("", map[string]*value{"class": &class, "platform": &platform}) != nil {
		return nil
	}
	var out domain.Device
	if text := textOf(class); text != nil {
		out.Class = *text
	}
	if text := textOf(platform); text != nil {
		out.Platform = *text
	}
	if out == (domain.Device{}) {
		return nil
	}
	return &out
}

func energyOf(v value) *domain.PPM {
	if v.kind != isNumber {
		return nil
	}
	f, err := v.number("energy", 0)
	if err != nil || f < 0 || f > 1 {
		return nil
	}
	return new(domain.PPMOf(f))
}

func textOf(v value) *string {
	if v.kind != isString {
		return nil
	}
	return new(v.unquote())
}
