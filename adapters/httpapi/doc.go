// Package httpapi serves Chalie's REST interface: signals and messages, images and the
// conversation, pairing and registering interfaces, the gateway /gw for interfaces, the
// operator's calls of tools, logging in and setting up, health, and reading the log. It
// authenticates GET /ws and hands it over to Config.Sockets.
//
// New makes the handlers. Handler is for the network: every route asks for the
// credentials it needs, a session's cookie and key, its cookie alone, or a bearer token.
// TrustedHandler has the same routes for peers that are authenticated by other means, the
// Unix socket and the process itself: all their requests are the operator's. NewServer
// wraps either with the timeouts and bounds a server should have.
//
// A daemon that registers has no credential: its network address decides; address.go has
// that rule.
//
// Every answer but the pages of interfaces, the images and the lines of /api/verify is
// JSON. A refusal is {"error": …} that says what to change, with "code" and "field" where
// they help a program; its status follows from the error's kind in one table, in
// exchange.go. Internal causes are logged and not answered.
//
// Bodies are read up to Config.MaxBodyBytes and never further; an image up to
// domain.MaxImageBytes, in its own time. JSON is read strictly by type: names are
// case-sensitive, unknown ones are ignored, the last of two equal ones counts, and null
// counts as absent.
//
// To test with it: call ServeHTTP of the handlers with httptest requests; no
// listener is needed.
package httpapi
