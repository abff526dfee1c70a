package api

import "slices"

// Who says which callers may use a route.
type Who string

// The values of Who. A token is a program's; the Unix socket in the data directory is the
// operator's, and may use every route.
const (
	Anyone     Who = "anyone"    // no login needed
	Callers    Who = "caller"    // a token, or a session that shows its key
	Consoles   Who = "console"   // a token, a session that shows its key, or, where it was allowed, a program on this machine
	Local      Who = "local"     // a direct request from this machine, or the operator: for answers without personal text
	Operator   Who = "operator"  // a session that shows its key
	Browsers   Who = "cookie"    // a session, by its cookie alone: for a web chat that isn't Chalie's own
	Loaders    Who = "loader"    // the same, for images and frames, with which a page can send no header
	Openers    Who = "opener"    // the same, for opening a page that holds no data
	Neighbours Who = "neighbour" // a program on this machine or in an allowed network
	Viewers    Who = "viewer"    // a neighbour, or a session by its cookie alone
)

// Alone reports whether a session's cookie is enough. Cookies don't distinguish ports: a
// browser sends them to every server of this host, so the cookie alone must open little.
func (w Who) Alone() bool { return w == Browsers || w == Loaders || w == Openers || w == Viewers }

// Tokens reports whether a token is enough.
func (w Who) Tokens() bool { return w == Callers || w == Consoles }

// Route is one method and path with its contract.
type Route struct {
	Name    string // the operationId; httpapi binds its handler to it
	Method  string
	Path    string // parameters are in braces: /api/log/{id}
	Who     Who
	Fresh   bool   // a session has to be of a login of just now: the route hands out rights, or all that is known
	Summary string // one line
	Detail  string // what a schema can't say; "" for nothing

	ID      string  // the meaning of the path's parameter, if it has one
	Query   []Param // parameters of the query
	Headers []Param // request headers that this route reads
	Body    Body
	Answers []Answer // by status
	Refuses []int    // statuses of refusals; Refusals adds the common ones
}

// Body describes a request's body.
type Body struct {
	Most     int64    // bytes; 0 for none
	Shape    any      // of JSON; nil for none
	Optional bool     // the body may be missing
	Media    []string // media types beside JSON
}

// Answer describes the response of one status.
type Answer struct {
	Status int
	Shape  any      // a zero value, or AnyOf; nil where the body isn't JSON or has no fixed shape
	Lines  bool     // JSON texts, one a line
	Media  []string // media types beside JSON, or instead of it when Shape is nil
	ETag   bool     // it carries an entity tag
}

// AnyOf is a shape with alternatives.
type AnyOf []any

// Kind is a parameter's syntax.
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

	Default     uint64 // of a count; /openapi.json shows it unless it is 0
	Least, Most uint64 // of a count
	On          bool   // a flag's default
	Values      []string
}

// Routes are all routes of the HTTP interface.
func Routes() []Route {
	return slices.Concat(healthRoutes(), authRoutes(), accountRoutes(), signalRoutes(), conversationRoutes(), imageRoutes(), voiceRoutes(), consoleRoutes(), mcpRoutes(), startupRoutes(),
		gatewayRoutes(), interfaceRoutes(), streamRoutes(), toolRoutes(), approvalRoutes(), policyRoutes(), settingRoutes(), planRoutes(), worldRoutes(), logRoutes(),
		traceRoutes(), whyRoutes(), replayRoutes(), projectionRoutes(), systemRoutes(), modelRoutes())
}

const kib = 1 << 10

const (
	get    = "GET"
	post   = "POST"
	put    = "PUT"
	remove = "DELETE"
)

// ok is the usual answer: 200 with a shape.
func ok(shape any) []Answer { return []Answer{{Status: 200, Shape: shape}} }

// withStatus is an answer with a status and a shape.
func withStatus(status int, shape any) []Answer { return []Answer{{Status: status, Shape: shape}} }

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

// at is the parameter of answers about a past moment.
func at() Param {
	return Param{Name: "at", Kind: KindAsOf, Doc: "Answers as it was then: as_of says what the answer is based on."}
}

func gist() Param {
	return flag("gist", false, "Adds to each record what it says, in one line of plain words.")
}

func zone() Param {
	return Param{Name: "zone", Kind: KindZone, Doc: "In which times in sentences are told; UTC without it, and they say so. A + has to be escaped."}
}

// once is the header that makes a repeated request recognisable.
func once() []Param {
	return []Param{{Name: "Idempotency-Key", Kind: KindText, Doc: "At most 255 bytes. Of a request that was accepted the same key with the same body gets the first answer again, for 24 hours."}}
}

// TimezoneHeader says where the device is that a request comes from, by an IANA name. It counts for
// whatever is said, pressed or asked for with the request.
const TimezoneHeader = "X-Timezone"

// device is the header that says where a request's device is.
func device() Param {
	return Param{Name: TimezoneHeader, Kind: KindText, Doc: "Where the device is, by an IANA name such as Europe/Malta, unless the body says it."}
}

// against is the header that makes a change conditional on the current regime.
func against() []Param {
	return []Param{{Name: "If-Match", Kind: KindText, Doc: "The regime_id, quoted, that the change takes the place of; without it, of any."}}
}
