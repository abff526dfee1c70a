package domain

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// ContextUpdated is the person's surroundings, as one of their clients reports them. A
// field that a client doesn't know is null, and leaves what was known.
type ContextUpdated struct {
	Location  *Location `json:"location"`
	Timezone  *string   `json:"timezone"` // IANA name
	Device    *Device   `json:"device"`
	Energy    *PPM      `json:"energy"`
	Attention *string   `json:"attention"`       // focused, ambient or distracted
	Marks     *Marks    `json:"marks,omitempty"` // of this update; what is known of the person has none
}

// Location is the person's place, as exact as their device knows it.
type Location struct {
	Lat  float64 `json:"lat"` // degrees
	Lon  float64 `json:"lon"`
	Name string  `json:"name"`
}

// Device is the device they use.
type Device struct {
	Class    string `json:"class"`
	Platform string `json:"platform"`
}

// The states of attention.
const (
	AttentionFocused    = "focused"
	AttentionAmbient    = "ambient"
	AttentionDistracted = "distracted"
)

// Check returns a validation error that names the field.
func (c ContextUpdated) Check() error {
	const op = "check context"
	switch {
	case c.Location != nil && !(math.Abs(c.Location.Lat) <= 90 && math.Abs(c.Location.Lon) <= 180):
		return Invalid(op, "location", "location is nowhere: lat is -90 to 90, lon -180 to 180, both in degrees")
	case c.Energy != nil && (*c.Energy < 0 || *c.Energy > One):
		return Invalid(op, "energy", "energy is not within 0 and 1")
	case c.Attention != nil && *c.Attention != AttentionFocused && *c.Attention != AttentionAmbient && *c.Attention != AttentionDistracted:
		return Invalid(op, "attention", "attention is focused, ambient or distracted")
	}
	texts := []*string{c.Timezone}
	if c.Location != nil {
		texts = append(texts, &c.Location.Name)
	}
	if c.Device != nil {
		texts = append(texts, &c.Device.Class, &c.Device.Platform)
	}
	for _, t := range texts {
		if t != nil && (len(*t) > MaxTopicHintBytes || !utf8.ValidString(*t) || hasControl(*t)) {
			return Invalid(op, "", fmt.Sprintf("a text of the context is unprintable or over %d bytes", MaxTopicHintBytes))
		}
	}
	return nil
}

// Over is the context with the known fields of an update in place of its own.
func (c ContextUpdated) Over(before ContextUpdated) ContextUpdated {
	if c.Location != nil {
		before.Location = c.Location
	}
	if c.Timezone != nil {
		before.Timezone = c.Timezone
	}
	if c.Device != nil {
		before.Device = c.Device
	}
	if c.Energy != nil {
		before.Energy = c.Energy
	}
	if c.Attention != nil {
		before.Attention = c.Attention
	}
	return before
}

// Evolve folds one record into what is known: the latest of each field. Other records
// pass it by, and an erased one tells nothing. The error is CodeUndecodable.
func (c *ContextUpdated) Evolve(rec Record) error {
	if rec.Envelope.Type != ContextUpdatedType {
		return nil
	}
	update, err := Decode[ContextUpdated](rec.Envelope)
	if CodeOf(err) == CodeErased {
		return nil
	}
	if err == nil {
		*c = update.Over(*c)
	}
	return err
}

// Clone is a copy. What both point to is never changed.
func (c *ContextUpdated) Clone() ContextUpdated { return *c }

// Snapped is the location on a grid of about 1 km: a hundredth of a degree in
// latitude, and as far in longitude.
func (l Location) Snapped() Location {
	const step = 0.01 // degrees of latitude: 1.1 km
	lat := math.Round(l.Lat/step) * step
	wide := step / math.Max(math.Cos(lat*math.Pi/180), step)
	lon := math.Round(l.Lon/wide) * wide
	return Location{Lat: rounded(lat), Lon: rounded(lon), Name: l.Name}
}

// rounded cuts the noise of floating point off.
func rounded(degrees float64) float64 { return math.Round(degrees*1e4) / 1e4 }

// ContextUpdate is the type of signals that tell of the person's surroundings.
const ContextUpdate = "context_update"

// ContextIn is what a signal tells of the person's surroundings, in its metadata or else
// in its content; nothing unless it is of that type and its sender was given the right: who
// may send every type may not for that speak for the person's own devices. zoned tells
// which names are timezones.
func ContextIn(sig SignalReceived, given bool, zoned func(name string) bool) ContextUpdated {
	if sig.SignalType != ContextUpdate || !given {
		return ContextUpdated{}
	}
	if update := ContextOf(sig.Metadata, zoned); update != (ContextUpdated{}) {
		return update
	}
	return ContextOf([]byte(sig.Content), zoned)
}

// ContextOf is what a JSON object tells of surroundings in a way that can be used.
// Anything else in it is passed over, so that clients may be newer than Chalie, and wrong
// about one thing without losing the others.
func ContextOf(text []byte, zoned func(name string) bool) ContextUpdated {
	if !utf8.Valid(text) {
		return ContextUpdated{}
	}
	told := parts(text)
	var out ContextUpdated
	for _, part := range []ContextUpdated{
		{Location: locationIn(told["location"])}, {Timezone: zoneIn(told["timezone"], zoned)}, {Device: deviceIn(told["device"])},
		{Energy: energyIn(told["energy"])}, {Attention: usable[string](told["attention"])},
	} {
		if part.Check() == nil {
			out = part.Over(out)
		}
	}
	return out
}

// usable is a value; nil when it is missing, null or of another type.
func usable[T any](text json.RawMessage) *T {
	var v *T
	if len(text) == 0 || json.Unmarshal(text, &v) != nil {
		return nil
	}
	return v
}

// parts are an object's members by their exact names; none of anything else.
func parts(text json.RawMessage) map[string]json.RawMessage {
	if v := usable[map[string]json.RawMessage](text); v != nil {
		return *v
	}
	return nil
}

func locationIn(text json.RawMessage) *Location {
	told := parts(text)
	lat, lon := usable[float64](told["lat"]), usable[float64](told["lon"])
	if lat == nil || lon == nil {
		return nil
	}
	return &Location{Lat: *lat, Lon: *lon, Name: textIn(told["name"])}
}

func zoneIn(text json.RawMessage, zoned func(string) bool) *string {
	name := usable[string](text)
	if name == nil || !zoned(*name) {
		return nil
	}
	return name
}

func deviceIn(text json.RawMessage) *Device {
	told := parts(text)
	device := Device{Class: textIn(told["class"]), Platform: textIn(told["platform"])}
	if device == (Device{}) {
		return nil
	}
	return &device
}

func energyIn(text json.RawMessage) *PPM {
	energy := usable[float64](text)
	if energy == nil || *energy < 0 || *energy > 1 {
		return nil
	}
	return new(PPMOf(*energy))
}

func textIn(text json.RawMessage) string {
	if v := usable[string](text); v != nil {
		return *v
	}
	return ""
}
