// Package models asks real language models: those of Anthropic and OpenAI, and
// any that a server of one's own offers in OpenAI's way, such as Ollama. Model
// is a commands.Model, Verifier a commands.Verifier.
//
// Package dialogue has the question and the answer, as every provider understands
// them; packages anthropic and openai give them the shape of an API; package wire
// carries that there and back.
//
// # What is sent
//
// A prompt becomes instructions and one dialogue. Everything that is not Chalie's
// or the person's own words goes in as JSON lines, and the instructions say that
// those are data. Items are numbered, and a model refers to them by number, so it
// can't invent an id. What looks like a secret is taken out before.
//
// # As it is made
//
// Model.Stream tells of an answer as it comes: its text without the references and the
// closing line, which are for Chalie alone, and its calls by our own names. What it tells
// comes to what Reply gives. An attempt that fails, and an answer that is handed back, are
// taken back. Ending ctx ends the request.
//
// # Failure
//
// What may pass (too many questions, trouble at the provider, a broken stream) is
// tried again after a growing pause, within bounds of attempts and time. Whatever
// is left is terminal, with words for a person: whoever asked goes on with the
// next model. Only when ctx ends the error is retriable, because nothing is wrong
// with the model then.
//
// An answer that can't be used (empty, calls that are no JSON, findings of another
// shape) is handed back to the model with what is wrong, MaxCorrections times.
//
// # Keys
//
// A key is a Secret: it prints as (secret) in every format, is never part of an
// error, and goes to the address it is configured for and nowhere else.
//
// # Testing with it
//
// Point a Choice's BaseURL at an httptest.Server. Config.Wait observes the pauses
// between attempts without waiting for them.
package models
