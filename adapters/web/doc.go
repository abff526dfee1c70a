// Package web is the dashboard: pages for a browser, over the REST API and /ws.
//
// A page is HTML from a template, filled with the API's answers: a page calls the API in
// this process, with the cookie and the key of the request, so access is decided in one
// place, and a page can do nothing that a program can't. A followed link has the cookie
// alone; it gets the same document for every page, whose opening.js requests the page
// with the key. Small ES modules make pages live. A control that needs one is written
// {{waits "module"}}: it is disabled until that module has called ready("module"), so no
// press is lost.
//
// # Security
//
// Pages carry a Content-Security-Policy without inline scripts and styles, and nothing is
// loaded from elsewhere. Texts of interfaces and models are data: templates escape them,
// and modules make elements of them, never HTML. The one exception are cards, whose HTML
// was sanitised before it was stored: each is a document of its own in a frame without
// scripts, forms or an origin.
//
// # Failure
//
// A refusal of the API is shown as a page that says what happened and what to do. Without
// a session a page redirects to the login and back.
//
// # Tests
//
// The pages are tested over any handler that answers like the API, and in a real
// browser by the program's tests.
package web
