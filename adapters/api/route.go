package api

import "slices"

// Who is who may use a route.
type Who string

// Everybody is one of these. A token is a program's; the Unix socket in the data
// directory is the operator's, and may do what any of these may.
const (
	Anyone     Who = "anyone"    // no login needed
	Callers    Who = "caller"    // a token, or a session that shows its key
	Local      Who = "local"     // somebody on this machine, straight, or the operator: what tells nothing of what was said
	Operator   Who = "operator"  // a session that shows its key
	Browsers   Who = "cookie"    // a session, by its cookie alone: what a web chat needs that isn't Chalie's own
	Loaders    Who = "loader"    // the same, for what a page loads as an image or a frame, and can send nothing with
	Openers    Who = "opener"    // the same, for what opens a page and holds nothing
	Neighbours Who = "neighbour" // a program on this machine, or in a network that was let in
	Viewers    Who = "viewer"    // a neighbour, or a session by its cookie alone
)

// Alone reports whether a session's cookie is enough. Cookies know no ports: every
// server of this host is sent it when a browser is led there, so what it opens by itself
// has to be little.
func (w Who) Alone() bool { return w == Browsers || w == Loaders || w == Openers || w == Viewers }

// Route is one thing that can be asked.
type Route struct {
	Name    string // what httpapi binds its handler to, and the document's operationId
	Method  string
	Path    string // parameters are in braces: /api/log/{id}
	Who     Who
	Summary string // one line
	Detail  string // what a schema can't say; "" for nothing

	ID      string  // what the path's parameter takes, where it has one
	Query   []Param // what the query takes
	Headers []Param // what the request's headers say to this route
	Body    Body
	Answers []Answer // by status
	Refuses []int    // statuses of refusals beside those that Refusals adds
}

// Body is what a request brings.
type Body struct {
	Most     int64    // bytes; 0 for none
	Shape    any      // of JSON; nil for none
	Optional bool     // it may be missing
	Media    []string // what else than JSON it may be
}

// Answer is what comes back with one status.
type Answer struct {
	Status int
	Shape  any      // a zero value, or AnyOf; nil where the body is no JSON, or anything
	Lines  bool     // JSON texts, one a line
	Media  []string // what it may be beside JSON, or in its place where there is no shape
	ETag   bool     // it carries an entity tag
}

// AnyOf is a shape that is one of several.
type AnyOf []any

// Kind is how a parameter is written.
type Kind string

// The kinds of parameters.
const (
	KindCount  Kind = "count"  // a whole number
	KindFlag   Kind = "flag"   // true or false
	KindMoment Kind = "moment" // RFC 3339, Unix milliseconds, or a span from now such as 30m, -2h or 7d
	KindAsOf   Kind = "as-of"  // a moment that is past, or a position such as pos:1234
	KindSpan   Kind = "span"   // seconds, or a length of time such as 30s
	KindID     Kind = "id"     // a ULID, a UUID or 32 hex digits
	KindZone   Kind = "zone"   // an IANA name, or an offset such as +02:00
	KindText   Kind = "text"
)

// Param is a parameter of the query, or a header.
type Param struct {
	Name string
	Kind Kind
	Doc  string

	Default     uint64 // of a count; the document tells it unless it is 0
	Least, Most uint64 // of a count
	On          bool   // of a flag: what it is when it is missing
	Values      []string
}

// Routes are all there are.
func Routes() []Route {
	return slices.Concat(healthRoutes(), authRoutes(), accountRoutes(), signalRoutes(), conversationRoutes(), imageRoutes(), startupRoutes(),
		gatewayRoutes(), interfaceRoutes(), streamRoutes(), toolRoutes(), approvalRoutes(), policyRoutes(), planRoutes(), worldRoutes(), logRoutes(),
		traceRoutes(), whyRoutes(), replayRoutes(), projectionRoutes(), systemRoutes())
}

// kib is a unit of bodies.
const kib = 1 << 10

// The methods.
const (
	get    = "GET"
	post   = "POST"
	put    = "PUT"
	remove = "DELETE"
)

// ok is the usual answer: 200 with a shape.
func ok(shape any) []Answer { return []Answer{{Status: 200, Shape: shape}} }

// with is the answer of another status.
func with(status int, shape any) []Answer { return []Answer{{Status: status, Shape: shape}} }

func json(most int64, shape any) Body { return Body{Most: most, Shape: shape} }

func count(name string, otherwise, least, most uint64, doc string) Param {
	return Param{Name: name, Kind: KindCount, Doc: doc, Default: otherwise, Least: least, Most: most}
}

func flag(name string, on bool, doc string) Param {
	return Param{Name: name, Kind: KindFlag, Doc: doc, On: on}
}

func text(name, doc string, values ...string) Param {
	return Param{Name: name, Kind: KindText, Doc: doc, Values: values}
}

// at is what answers as of the past take.
func at() Param {
	return Param{Name: "at", Kind: KindAsOf, Doc: "Answers as it was then: as_of says what the answer is based on."}
}

func gist() Param {
	return flag("gist", false, "Adds to each record what it says, in one line of plain words.")
}

func zone() Param {
	return Param{Name: "zone", Kind: KindZone, Doc: "In which times in sentences are told; UTC without it, and they say so. A + has to be escaped."}
}

// once is what makes a repeat of a request recognisable.
func once() []Param {
	return []Param{{Name: "Idempotency-Key", Kind: KindText, Doc: "At most 255 bytes. Of a request that was accepted the same key with the same body gets the first answer again, for 24 hours."}}
}

// against binds a change to the regime it was written against.
func against() []Param {
	return []Param{{Name: "If-Match", Kind: KindText, Doc: "The regime_id, quoted, that the change takes the place of; without it, of any."}}
}
