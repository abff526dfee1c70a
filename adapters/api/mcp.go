package api

// MCPClientHeader carries the name of a program that the command line connects.
const MCPClientHeader = "Chalie-Client"

// MCPCallsItselfHeader carries, of a program that nobody gave a name, what it calls itself, as a
// token is named. Nothing is chosen by it: a program that is known by it is told to say so.
const MCPCallsItselfHeader = "Chalie-Calls-Itself"

// MCPForPersonHeader says, with any value, that what the program says counts as the person's.
const MCPForPersonHeader = "Chalie-For-Person"

// MCPProtocol is what a connection becomes that the command line passes on.
const MCPProtocol = "mcp"

// MaxMCPMessage bounds one message of MCP.
const MaxMCPMessage = 1 << 20

func mcpRoutes() []Route {
	const detail = "As docs/mcp-server.md says. A token has to name mcp among its types."
	refuses := []int{404, 405, 415, 429}
	return []Route{
		{Name: "mcpSend", Method: post, Path: "/mcp", Who: Callers, Summary: "Send a message of the Model Context Protocol", Detail: detail,
			Body: Body{Most: MaxMCPMessage, Media: []string{"application/json"}}, Answers: []Answer{{Status: 200, Media: []string{"text/event-stream", "application/json"}}, {Status: 202}}, Refuses: refuses},
		{Name: "mcpHear", Method: get, Path: "/mcp", Who: Callers, Summary: "Hear what a session of the Model Context Protocol is told unasked", Detail: detail,
			Answers: []Answer{{Status: 200, Media: []string{"text/event-stream"}}}, Refuses: refuses},
		{Name: "mcpEnd", Method: remove, Path: "/mcp", Who: Callers, Summary: "End a session of the Model Context Protocol", Detail: detail,
			Answers: []Answer{{Status: 204}}, Refuses: refuses},
		{Name: "mcpConnect", Method: get, Path: "/mcp/stdio", Who: Operator, Summary: "Become a connection of the Model Context Protocol, a message a line",
			Detail: "For chalie mcp, on the Unix socket alone: Connection: Upgrade, Upgrade: mcp, and as Chalie-Client the program's name, or its token as Authorization: Bearer. A new name is let in, and is listed with the tokens.",
			Headers: []Param{{Name: MCPClientHeader, Kind: KindText, Doc: "The program's name, as a token's."},
				{Name: MCPCallsItselfHeader, Kind: KindText, Doc: "Of a program without a name of its person's: what it calls itself. It is refused where a program is known by that."},
				{Name: MCPForPersonHeader, Kind: KindText, Doc: "With any value: what it says counts as the person's own words."}},
			Answers: []Answer{{Status: 101}}, Refuses: []int{400, 409, 426, 429}},
	}
}
