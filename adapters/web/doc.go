// Package web is the dashboard: pages for a browser, over the REST API and /ws.
//
// A page is HTML from a template, filled with what the API answers to the same
// person: a page asks the API in this process, with the cookie and the key that the
// browser sent, so there is one set of rules for who may see what, and nothing that a
// page can do and a program can't. A link brings the cookie alone; what it gets is the
// same for every page, and opening.js in it asks for the page with the key. Small ES
// modules make pages live. A control that needs one is written {{waits "module"}}: it is
// disabled until that module has called ready("module"), so no press is lost.
//
// # Security
//
// Pages carry a Content-Security-Policy without inline scripts and styles, and
// nothing is loaded from anywhere else. What comes from interfaces and models is
// data: templates escape it, and modules make elements of it, never HTML. The one
// exception are cards, whose HTML was cleaned before it was stored: each is a
// document of its own in a frame without scripts, forms or an origin.
//
// # Failure
//
// What the API refuses is shown as a page that says what happened and what to do.
// Without a session a page leads to the login and back.
//
// # Tests
//
// The pages are tested over any handler that answers like the API, and in a real
// browser by the program's tests.
package web
