// Package otlp sends the log's traces to an OpenTelemetry collector, so that Jaeger
// or Tempo shows an episode: its calls to models and tools, how long a yes was
// waited for, and what it rests on.
//
// A [Follower] reads the log behind everybody else, from a checkpoint of its own.
// When a trace has come to its end it makes spans of it and sends them, and moves
// on when the collector has taken them. A trace that goes on after its end sends
// what came since.
//
// # Ids
//
// A trace keeps its id: the 32 digits that Jaeger shows are taken by every command.
// A span's id is the last eight bytes of the id of the envelope that begins it. So
// what is sent again, after a crash or an answer that got lost, is the same.
//
// # Links and attributes
//
// A link has its role as chalie.link.role:
//
//   - parent: from a trace that an earlier one caused, to the span it follows from
//   - cause: from a call to the call that it follows from
//   - the role of an evidence, with chalie.link.weight: from an episode or a call to a
//     model to what it rests on, such as a signal
//   - about: from a cycle that nobody asked for to what was noticed
//
// Every span has chalie.envelope.id, chalie.type, chalie.position, chalie.source and
// chalie.principal; a failed one error.type and an error status, one without an end
// chalie.unfinished. Beside these
//
//   - an episode has gen_ai.operation.name (invoke_agent), gen_ai.agent.name,
//     chalie.outcome, chalie.shown and chalie.rejected;
//   - a call to a model gen_ai.operation.name (chat), gen_ai.provider.name,
//     gen_ai.request.model, gen_ai.response.model, gen_ai.response.finish_reasons,
//     gen_ai.usage.*, chalie.usage.cost_micros and chalie.confidence;
//   - a tool gen_ai.operation.name (execute_tool), gen_ai.tool.name, gen_ai.tool.type,
//     gen_ai.tool.call.id, chalie.interface.id, chalie.policy.verdict,
//     chalie.policy.regime, chalie.policy.reasons, chalie.policy.obligations,
//     chalie.tool.side_effects and chalie.tool.outcome_unknown;
//   - a wait for approval chalie.approval, the decision.
//
// # What is sent
//
// Types, times, names of tools and models, numbers, codes and ids. What was said,
// heard, asked of a tool or answered is sent only if Content is set.
//
// # Failure
//
// The log is the queue. A collector that doesn't answer is tried again, at first
// after a second and then up to every minute; nothing is kept in memory meanwhile
// but one batch, and nobody waits for it. What it says is wrong with the spans
// themselves is counted and passed over, or it would be in the way for ever. Status
// tells of both. Errors name the collector's host, and never a header.
//
// # Tests
//
// Package otlptest is a collector in the test's own process.
package otlp
