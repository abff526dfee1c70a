// Package mcpserver offers Chalie to programs that speak the Model Context Protocol: its
// skills and the paired tools as tools, what it has in mind and did as resources, and "why
// did you …" as a prompt. docs/mcp-server.md says what a program sees.
//
// A [Server] has one MCP server for each program, named as its token is. A program is served
// over streamable HTTP ([Server.ServeHTTP]), each request with its token, or over a
// connection ([Server.ServeConn]) that the command line opened for it. So a session belongs to
// one program, and each request asks again whether its token is still valid.
//
// # Tools
//
// A call is an invocation like any other ([tool.Tools.Invoke]), with the program as principal,
// and mcp as source and channel. One that the person has to approve is asked of them in a form
// of the program's, if it has elicitation, and in any case in the chat: the first answer counts.
// A call waits for it, within bounds, and then answers with what is open.
//
// What a tool declares to return is told as the schema of its structured content, and no answer
// leaves that isn't so: clients refuse one. See shape.
//
// The list of tools follows the interfaces and the policy: [Server.Run] tells sessions that
// it has changed, and subscribers that a resource has.
//
// # Failure
//
// A call that fails is a result with isError, whose text says what to do. Refusals of the
// protocol's own (an unknown method, parameters of a wrong shape) are JSON-RPC errors.
// Everything is bounded: programs, their sessions, requests under way, and their size. A
// session that ends takes back what waited for the person's approval.
//
// # Shutdown
//
// Run ends with its context, closes every session, and returns once their handlers have.
package mcpserver
