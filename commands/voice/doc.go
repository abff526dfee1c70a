// Package voice lets Chalie hear and speak: a recording becomes a transcript (Transcribe), a
// text becomes sound (Speak), and a recording can be forgotten (Forget).
//
// Engines are ports: a Speaker, a Hearer and a Decoder. Each says whether it is there and, if
// not, the command that installs it; nothing but speech needs them. They are asked in order,
// and where one fails before anything was handed over the next is asked.
//
// # Order
//
// A recording is judged first, from its bytes alone: type, size, a WAV's header and length.
// Then it is kept beside the log, voice.stt_started is appended, and an engine works. Every
// start gets an end: voice.stt_completed or voice.stt_failed, also when the caller has left
// or an engine hangs or dies. What a killed process left open is ended by Recover. Speaking
// goes the same way, sentence by sentence.
//
// # Bounds
//
// As many engines run at once as Config.AtOnce says, for hearing and for speaking each, and
// Config.Waiting more calls wait for one, at most Config.QueueFor; beyond that a call is refused
// as busy before anything is recorded. An engine has Config.Patience for each task.
//
// To test with it: give ports in memory; adapters/voices has the real ones.
package voice
