package api

import "chalie/domain"

// Health is the state of Chalie, for any caller.
type Health struct {
	Status    string              `json:"status" enum:"ok"`
	Version   string              `json:"version"`
	Ready     bool                `json:"ready" doc:"It serves everything it is meant to."`
	Services  map[string]Service  `json:"services"`
	Resources map[string]Resource `json:"resources" doc:"log_tail is how far the log is durable, started_through how far it was at the start."`
	Lost      uint64              `json:"lost_records" doc:"How many records a repair or an import named lost."`
	Attention *string             `json:"attention" enum:"focused|ambient|distracted" doc:"For the operator only; null until a client said how attentive the person is."`
}

// Service is one part of Chalie.
type Service struct {
	Ready  bool   `json:"ready"`
	Detail string `json:"detail"`
}

// Resource is a position of the log. Clients that know only services can read it as one.
type Resource struct {
	Service
	Position domain.Position `json:"position"`
}

// Ready says that all requests are served.
type Ready struct {
	Ready bool `json:"ready"`
}

// NotReady says why some requests are refused. Reads are still served.
type NotReady struct {
	Ready  bool   `json:"ready"`
	Reason string `json:"reason" doc:"What was recorded isn't folded yet, or the disk refuses what is new."`
}

// Surroundings is the person's context as a client reports it. A missing or null field
// leaves what was known. A field of a wrong type or out of bounds is ignored: a chat must
// not break over it.
type Surroundings struct {
	Location  *Location `json:"location,omitempty"`
	Timezone  *string   `json:"timezone,omitempty" doc:"An IANA name, such as Europe/Malta."`
	Device    *Device   `json:"device,omitempty"`
	Energy    *float64  `json:"energy,omitempty" doc:"0 to 1."`
	Attention *string   `json:"attention,omitempty" enum:"focused|ambient|distracted"`
}

// Location is a latitude and a longitude, in degrees.
type Location struct {
	Lat  float64 `json:"lat"`
	Lon  float64 `json:"lon"`
	Name string  `json:"name,omitempty"`
}

// Device is the device that the person uses.
type Device struct {
	Class    string `json:"class,omitempty"`
	Platform string `json:"platform,omitempty"`
}

func healthRoutes() []Route {
	return []Route{
		{Name: "health", Method: get, Path: "/health", Who: Anyone, Summary: "How Chalie is", Answers: ok(Health{})},
		{Name: "checkIn", Method: post, Path: "/health", Who: Anyone, Summary: "How Chalie is, and where and how the person is",
			Detail: "With a session the body tells of the person's surroundings. What changed nothing is not recorded again; a stranger's body isn't read.",
			Body:   Body{Most: 16 * kib, Shape: Surroundings{}, Optional: true}, Answers: ok(Health{})},
		{Name: "ready", Method: get, Path: "/ready", Who: Anyone, Summary: "Whether everything is served",
			Answers: append(ok(Ready{}), Answer{Status: 503, Shape: NotReady{}})},
	}
}
