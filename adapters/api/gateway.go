package api

import (
	stdjson "encoding/json"

	"chalie/domain"
)

// Registration is an interface's own description. Its host is the address that the
// request came from; host and port are its identity.
type Registration struct {
	Name        string  `json:"name"`
	Version     string  `json:"version,omitempty"`
	Description string  `json:"description,omitempty"`
	Author      string  `json:"author,omitempty"`
	Port        int     `json:"port" doc:"Where it listens."`
	Scopes      *Scopes `json:"scopes,omitempty" doc:"What it asks for: at most 64 in all."`
}

// Scopes are the permissions an interface asks for: by key, its reason.
type Scopes struct {
	Context  map[string]string `json:"context,omitempty" nullable:"true" most:"256" doc:"Fields of the person's surroundings that it reads."`
	Signals  map[string]string `json:"signals,omitempty" nullable:"true" most:"256" doc:"Types of signals that it sends."`
	Messages map[string]string `json:"messages,omitempty" nullable:"true" most:"256" doc:"Topics that it speaks about."`
}

// Registered confirms a registration.
type Registered struct {
	GatewayURL  string                 `json:"gateway_url" doc:"Where it speaks to Chalie, under the name it reached Chalie by."`
	InterfaceID UUID                   `json:"interface_id"`
	Status      domain.InterfaceStatus `json:"status" enum:"pending|online|offline"`
}

// GatewaySignal is a signal of an interface.
type GatewaySignal struct {
	SignalType       string             `json:"signal_type" doc:"As of any signal; it has to be approved."`
	Content          stdjson.RawMessage `json:"content" doc:"As of any signal, or an object, which is kept as JSON text without spaces."`
	Source           string             `json:"source,omitempty"`
	Topic            *string            `json:"topic,omitempty"`
	ActivationEnergy *float64           `json:"activation_energy,omitempty"`
	Metadata         stdjson.RawMessage `json:"metadata,omitempty" object:"true"`
}

// GatewayMessage is a message of an interface.
type GatewayMessage struct {
	Text     string             `json:"text"`
	Source   string             `json:"source,omitempty"`
	Topic    *string            `json:"topic,omitempty" doc:"It has to be approved; without one, any approved topic is enough."`
	Metadata stdjson.RawMessage `json:"metadata,omitempty" object:"true"`
	Timezone string             `json:"timezone,omitempty" doc:"Where the device is, by an IANA name, by which its times are read."`
}

// Context is the part of the person's context that an interface may read.
type Context struct {
	Location  *Place     `json:"location,omitempty" doc:"On a grid of about 1 km."`
	Timezone  *string    `json:"timezone,omitempty"`
	LocalTime string     `json:"local_time,omitempty" format:"date-time" doc:"With the timezone's offset."`
	Device    *DeviceNow `json:"device,omitempty"`
	Energy    *float64   `json:"energy,omitempty" doc:"0 to 1."`
	Attention *string    `json:"attention,omitempty"`
}

// Place is where the person is, in degrees; its name is empty when unknown.
type Place struct {
	Lat  float64 `json:"lat"`
	Lon  float64 `json:"lon"`
	Name string  `json:"name"`
}

// DeviceNow is the person's device; unknown fields are empty.
type DeviceNow struct {
	Class    string `json:"class"`
	Platform string `json:"platform"`
}

// Execution is a call from an interface's page to its interface.
type Execution struct {
	Capability string             `json:"capability"`
	Params     stdjson.RawMessage `json:"params,omitempty" object:"true"`
}

// Free is an object whose members the interface chooses.
type Free map[string]stdjson.RawMessage

func gatewayRoutes() []Route {
	const which = "The interface's, from when it registered or paired."
	return []Route{
		{Name: "registerDaemon", Method: post, Path: "/register", Who: Neighbours, Summary: "Make an interface on this machine known",
			Detail: "201, or 200 when it was known. Its id and what was approved survive restarts of either side. 409 says that something paired listens there, or, with too_many_pending, that twenty wait for the operator already.",
			Body:   json(64*kib, Registration{}), Answers: append(ok(Registered{}), Answer{Status: 201, Shape: Registered{}}), Refuses: []int{409, 429}},
		{Name: "gatewaySignal", Method: post, Path: "/gw/{id}/signals", Who: Neighbours, Summary: "Tell what an interface heard", ID: which,
			Headers: once(), Body: json(1024*kib, GatewaySignal{}), Answers: withStatus(202, OK{}), Refuses: []int{409, 429}},
		{Name: "gatewayMessage", Method: post, Path: "/gw/{id}/messages", Who: Neighbours, Summary: "Say something as an interface", ID: which,
			Headers: append(once(), device()), Body: json(1024*kib, GatewayMessage{}), Answers: withStatus(202, OK{}), Refuses: []int{409, 429}},
		{Name: "gatewayContext", Method: get, Path: "/gw/{id}/context", Who: Neighbours, Summary: "What an interface may know of the person's surroundings",
			Detail: "Of what was approved, what is known; an empty object when that is nothing.", ID: which, Answers: ok(Context{})},
		{Name: "gatewayRender", Method: get, Path: "/gw/{id}/render", Who: Viewers, Summary: "What an interface shows",
			Detail: "An object gains gateway, the path that its buttons call. Of a page of HTML comes what it says, in a document that says whose it is; its scripts and fields don't come. While the interface is pending, blocks come without what could be pressed, filled in, followed or asked by itself.",
			ID:     which, Answers: []Answer{{Status: 200, Shape: Free{}, Media: []string{"text/html"}}}, Refuses: []int{502}},
		{Name: "gatewayExecute", Method: post, Path: "/gw/{id}/execute", Who: Viewers, Summary: "Press a button that an interface shows",
			Detail: "The interface has 5 s, and its answer is passed on as it is, but for what may not be followed. It is an invocation like any other, decided and recorded. 120 a minute with a session, 100 without.",
			ID:     which, Body: json(512*kib, Execution{}), Answers: ok(nil), Refuses: []int{409, 429, 502, 504}},
	}
}
