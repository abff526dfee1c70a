// Package api is the contract of the HTTP interface: the table of its routes, and the
// shapes of requests, answers and refusals. It has no behaviour. httpapi serves the
// routes, apiclient calls them, web shows their answers, and /openapi.json is generated
// from the table, so each shape is declared once.
//
// A route is one entry of [Routes]: its method and path, who may use it, what it takes
// and what it answers by status. A shape is a struct. Beside json, its fields have these
// tags, which /openapi.json shows:
//
//   - doc says what the field means;
//   - enum lists the values there are, with a bar between them;
//   - format names a format, such as uuid;
//   - nullable says that null may stand for a slice, a map or raw JSON;
//   - object says that raw JSON is an object, or null for nothing;
//   - empty says that an id may be empty, for none;
//   - most bounds how many a list or a map may have.
//
// A field without omitempty or omitzero is always there. A pointer is null for nothing.
// Raw JSON is any value. An answer has no other fields; unknown fields of a request are
// ignored unless the route is strict.
//
// To add a route, write its entry beside those of its noun, and bind its name to a
// handler in httpapi.
package api
