package api

import (
	stdjson "encoding/json"
	"strconv"
	"strings"

	"chalie/domain"
)

// Interface is a registered program with its state.
type Interface struct {
	ID         UUID                   `json:"id"`
	Name       string                 `json:"name"`
	Host       string                 `json:"host"`
	Port       int                    `json:"port"`
	Status     domain.InterfaceStatus `json:"status" enum:"pending|online|offline" doc:"pending while nothing was decided about it. One that is offline keeps everything."`
	LastSeenAt *Timestamp             `json:"last_seen_at" doc:"Null when nothing was heard since the start, and of the past."`
	PairedAt   *Timestamp             `json:"paired_at"`
	Metadata   stdjson.RawMessage     `json:"metadata" doc:"Its /meta as it came, or null."`
	ToolCount  int                    `json:"tool_count"`
}

// PastInterfaces are the interfaces at a past moment.
type PastInterfaces struct {
	AsOf       AsOf        `json:"as_of"`
	Interfaces []Interface `json:"interfaces"`
}

// OneInterface is an interface with its tools.
type OneInterface struct {
	AsOf *AsOf `json:"as_of,omitempty" doc:"When at was asked."`
	Interface
	Tools []NamedTool `json:"tools"`
}

// NamedTool is a tool as its interface describes it.
type NamedTool struct {
	Name     string      `json:"name"`
	Manifest domain.Tool `json:"manifest"`
}

// App is an interface with the permissions it asks for and those it has.
type App struct {
	ID             UUID                   `json:"id"`
	Name           string                 `json:"name"`
	Host           string                 `json:"host"`
	Port           int                    `json:"port"`
	Status         domain.InterfaceStatus `json:"status" enum:"pending|online|offline"`
	Origin         domain.Origin          `json:"origin" enum:"paired|registered|mcp"`
	Version        string                 `json:"version"`
	Description    string                 `json:"description"`
	Author         string                 `json:"author"`
	Requested      Requested              `json:"requested_scopes"`
	ApprovedScopes Approved               `json:"approved_scopes" doc:"Of a paired one also the signals and messages that it asks for and its token permits; these can't be taken back here."`
	Signals        []string               `json:"signals" nullable:"true" doc:"The types that its token permits, none for any; null without a token."`
	PairedAt       *Timestamp             `json:"paired_at"`
	LastSeenAt     *Timestamp             `json:"last_seen_at" doc:"Null when nothing was heard since the start, and of the past."`
	AskedRights    map[string]string      `json:"asked_rights,omitempty" doc:"The rights that a paired one declared for itself and nobody has decided about, in words that say what it then may do. Each stands in requested_scopes as a type of signals, and any decision answers all."`
	GatewayURL     string                 `json:"gateway_url" doc:"Where it speaks to Chalie, under the name the asker reached Chalie by."`
	OfflineReason  string                 `json:"offline_reason" doc:"What the check said that made it offline; empty when it isn't."`
	FlaggedTools   []string               `json:"flagged_tools" doc:"The names of its tools whose own texts try to steer a model."`
	Server         *domain.MCPServer      `json:"server,omitempty" doc:"How a server of the Model Context Protocol is reached; it has no host and port."`
	WaitingTools   []string               `json:"waiting_tools,omitempty" doc:"The names of its tools that are new or changed, and can't be invoked until they are accepted."`
}

// Where is where it is reached, in a line: an address, a command, a URL or the socket.
func (a App) Where() string {
	if a.Server != nil {
		return a.Server.Where()
	}
	host := a.Host
	if host == "" {
		return "Chalie's socket" // a program that asks for its calls there
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]" // an IPv6 address
	}
	return host + ":" + strconv.Itoa(a.Port)
}

// Requested are the permissions asked for: by category and key, the interface's reason.
type Requested struct {
	Context  map[string]string `json:"context"`
	Signals  map[string]string `json:"signals"`
	Messages map[string]string `json:"messages"`
}

// Approved are the permissions granted, by category; each key is true.
type Approved struct {
	Context  map[string]bool `json:"context"`
	Signals  map[string]bool `json:"signals"`
	Messages map[string]bool `json:"messages"`
}

// OneApp is an interface with its tools.
type OneApp struct {
	AsOf *AsOf `json:"as_of,omitempty" doc:"When at was asked."`
	App
	Capabilities []domain.Tool `json:"capabilities"`
	Waiting      []WaitingTool `json:"waiting,omitempty" doc:"Tools of an MCP server that are new or changed."`
	Lapsed       []LapsedTrust `json:"lapsed,omitempty" doc:"What the person said of its tools and doesn't count in full, because the tool has changed since."`
	LeftOut      []LeftOut     `json:"left_out,omitempty" doc:"Tools that an MCP server offers and that can't be used."`
}

// LapsedTrust is what the person said of a tool as it was.
type LapsedTrust struct {
	Tool    string              `json:"tool" doc:"The name by which the tool is invoked."`
	Said    Trust               `json:"said" doc:"All that they said. Saying it again has it count for the tool as it is."`
	Changes []domain.ToolChange `json:"changes" doc:"The tool as it was then, and as it is; none where what it was can't be had any more."`
}

// LeftOut is a tool that an MCP server offers and that can't be used.
type LeftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// WaitingTool is a tool that waits for the person as it is now.
type WaitingTool struct {
	Tool domain.Tool `json:"tool"`
	Pin  string      `json:"pin" doc:"The hash of what it says of itself. An acceptance with it holds for what was shown."`
	New  bool        `json:"new" doc:"It wasn't offered before; otherwise it has changed."`

	Changes []domain.ToolChange `json:"changes,omitempty" doc:"The tool as it was last accepted, and as it is."`
	Lapses  *Trust              `json:"lapses,omitempty" doc:"What the person said of it and won't count in full for it as it is."`
}

// MCPRequest adds a server of the Model Context Protocol.
type MCPRequest struct {
	Name      string             `json:"name" doc:"What it is called here."`
	Command   []string           `json:"command,omitempty" nullable:"true" most:"64" doc:"The program that Chalie starts, with its arguments. Only over the Unix socket."`
	Env       []string           `json:"env,omitempty" nullable:"true" most:"64" doc:"The names of variables of Chalie's own environment that the program gets. It gets no others."`
	Memory    *int64             `json:"memory,omitempty" doc:"Bytes that it may take with all that it starts; 2 GiB unless given."`
	Processes *int               `json:"processes,omitempty" doc:"That it may run; 64 unless given."`
	URL       string             `json:"url,omitempty" doc:"Where a server listens that speaks streamable HTTP."`
	Headers   []domain.MCPHeader `json:"headers,omitempty" nullable:"true" most:"64" doc:"Sent with each request. $NAME in a value stands for a variable of Chalie's environment; such a one only over the Unix socket."`
}

// MCPAdded is a server that was added, with what it offers.
type MCPAdded struct {
	InterfaceID UUID          `json:"interface_id"`
	New         bool          `json:"new" doc:"False for one that was known, and may be reached from here now."`
	Tools       []domain.Tool `json:"tools"`
	LeftOut     []LeftOut     `json:"left_out,omitempty" doc:"Tools that it offers and that can't be used."`
}

// Acceptance takes tools as they are offered now.
type Acceptance struct {
	Tools []string          `json:"tools,omitempty" nullable:"true" most:"256" doc:"Their names; none for all that wait."`
	Pins  map[string]string `json:"pins,omitempty" nullable:"true" most:"256" doc:"By name, the pins of the tools as they were shown; one that has changed since is a conflict."`
}

// Accepted are tools that can be invoked from now on.
type Accepted struct {
	Accepted []string `json:"accepted"`
}

// PastApps are the interfaces at a past moment, without when each was last heard, which
// isn't recorded.
type PastApps struct {
	AsOf AsOf  `json:"as_of"`
	Apps []App `json:"apps"`
}

// Approval replaces an interface's permissions.
type Approval struct {
	Scopes *Grants `json:"approved_scopes" doc:"Only what was asked for can be approved."`
}

// Grants are permissions by category and key. False, null and a missing key deny; any
// other value grants.
type Grants struct {
	Context  map[string]stdjson.RawMessage `json:"context,omitempty" nullable:"true"`
	Signals  map[string]stdjson.RawMessage `json:"signals,omitempty" nullable:"true"`
	Messages map[string]stdjson.RawMessage `json:"messages,omitempty" nullable:"true"`
}

// ApprovedNow is an interface's permissions after an approval.
type ApprovedNow struct {
	OK     bool                   `json:"ok"`
	Status domain.InterfaceStatus `json:"status" enum:"pending|online|offline"`
}

// Offered are the names of an interface's capabilities.
type Offered struct {
	Capabilities []string `json:"capabilities"`
	Count        int      `json:"count"`
}

// OfferedNow is Offered for the web chat.
type OfferedNow struct {
	OK bool `json:"ok"`
	Offered
}

// PairingKey lets one interface pair once, within ten minutes.
type PairingKey struct {
	Key     string `json:"pairing_key" doc:"It is shown here and never again."`
	Host    string `json:"host" doc:"Where the asker reached Chalie; over the Unix socket, where the network does."`
	Port    int    `json:"port"`
	Seconds int    `json:"expires_in_seconds"`
}

// Pairing is an interface's request to pair with a key. An attempt uses the key up, even
// if it then fails.
type Pairing struct {
	Key     string   `json:"pairing_key" doc:"As it was shown."`
	Name    string   `json:"name" doc:"What the interface is called."`
	Host    string   `json:"host" doc:"Where it listens, a name or an address."`
	Port    int      `json:"port" doc:"1 to 65535."`
	Signals []string `json:"signals,omitempty" nullable:"true" most:"256" doc:"The types it will send, beside those that its /meta names."`
}

// Paired confirms a pairing, with the interface's token.
type Paired struct {
	InterfaceID  UUID                   `json:"interface_id"`
	SignalToken  string                 `json:"signal_token" doc:"For Authorization: Bearer; it is shown here and never again. It permits the types that were declared, and any when none was."`
	Status       domain.InterfaceStatus `json:"status" enum:"pending|online|offline"`
	Capabilities []string               `json:"capabilities"`
}

func interfaceRoutes() []Route {
	const which = "The interface's."
	return []Route{
		{Name: "issuePairingKey", Method: post, Path: "/api/interfaces/pairing-key", Who: Operator, Fresh: true, Summary: "Make a key by which one interface can pair", Answers: ok(PairingKey{})},
		{Name: "pair", Method: post, Path: "/api/interfaces/pair", Who: Anyone, Summary: "Pair an interface with a key",
			Detail: "Chalie asks the interface for /health, /capabilities and /meta before it answers. Whatever fails is a 400 that says what.",
			Body:   json(64*kib, Pairing{}), Answers: withStatus(201, Paired{})},
		{Name: "interfaces", Method: get, Path: "/api/interfaces", Who: Operator, Summary: "The programs that Chalie speaks with", Query: []Param{at()},
			Answers: ok(AnyOf{[]Interface{}, PastInterfaces{}})},
		{Name: "oneInterface", Method: get, Path: "/api/interfaces/{id}", Who: Operator, Summary: "One of them, with its tools", ID: which, Query: []Param{at()}, Answers: ok(OneInterface{})},
		{Name: "refreshInterface", Method: post, Path: "/api/interfaces/{id}/refresh", Who: Operator, Summary: "Ask an interface again what it offers", ID: which, Answers: ok(Offered{}), Refuses: []int{409, 502}},
		{Name: "removeInterface", Method: remove, Path: "/api/interfaces/{id}", Who: Operator, Summary: "Remove an interface, its tools and its token", ID: which, Answers: ok(OK{})},
		{Name: "addMCP", Method: post, Path: "/api/mcp", Who: Operator, Summary: "Add a server of the Model Context Protocol", Body: json(64*kib, MCPRequest{}), Answers: withStatus(201, MCPAdded{}), Refuses: []int{403, 409, 502},
			Detail: "It is started or called, and asked for its tools, before the answer. A command, and a header that names a variable, are taken over the Unix socket only: whoever may have a command started may do on this machine what Chalie may, and a variable may be any secret of it."},
		{Name: "acceptTools", Method: post, Path: "/api/interfaces/{id}/accept", Who: Operator, Summary: "Accept tools of an MCP server as they are now", ID: which, Body: json(64*kib, Acceptance{}), Answers: ok(Accepted{}), Refuses: []int{409}},
		{Name: "apps", Method: get, Path: "/api/apps", Who: Browsers, Summary: "The same programs, with what they ask for and may do", Query: []Param{at()},
			Answers: ok(AnyOf{[]App{}, PastApps{}})},
		{Name: "app", Method: get, Path: "/api/apps/{id}", Who: Browsers, Summary: "One of them, with its tools", ID: which, Query: []Param{at()}, Answers: ok(OneApp{})},
		{Name: "approveScopes", Method: put, Path: "/api/apps/{id}/scopes", Who: Browsers, Summary: "Decide what an interface may do", ID: which,
			Body: json(512*kib, Approval{}), Answers: ok(ApprovedNow{}), Refuses: []int{409}},
		{Name: "refreshApp", Method: post, Path: "/api/apps/{id}/refresh", Who: Browsers, Summary: "Ask an interface again what it offers", ID: which, Answers: ok(OfferedNow{}), Refuses: []int{409, 502}},
		{Name: "removeApp", Method: remove, Path: "/api/apps/{id}", Who: Browsers, Summary: "Remove an interface, its tools and its token", ID: which, Answers: ok(OK{})},
	}
}
