// Package wsapi is the WebSocket people's clients hold: it sends them every
// frame, and takes in what they say.
package wsapi
