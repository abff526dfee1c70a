// Package watermillbus is how the program writes to the log and listens to it:
// a Watermill Pub/Sub over any domain.Log.
//
//	bus, err := watermillbus.New(watermillbus.Config{Log: log, IDs: ids, Clock: clock})
//	err = bus.Publisher().Publish("signals", watermillbus.MessageOf(ctx, envelope))
//	messages, err := bus.Subscriber("notifier").Subscribe(ctx, "signals")
//
// Make one Bus for a log: it is where the members of a consumer group meet.
//
// # Messages
//
// A message carries its envelope in its context, as a value (MessageOf and EnvelopeOf);
// the payload is the message's own, so that whatever changes messages can change it. The
// log encodes the envelope, and nothing else does. Any other message is foreign: it is
// kept as a domain.ForeignMessage in the topic it was published to, in an envelope of its
// own, and comes out exactly as it went in. Copy leaves the context behind, and so the
// envelope; CopyWithContext doesn't. An envelope with metadata is refused rather than
// stored without it.
//
// A consumer finds where a message is in the log (position, topic,
// recorded_at, the envelope itself) with RecordOf.
//
// # Writing
//
// Publish is one append: all its messages or none, durable when it returns, and
// no lock is held meanwhile, so that concurrent publishers share group commits.
// A Transaction collects messages for several topics, takes conditions, and
// appends one batch. Bus is a domain.Appender for those who speak in entries.
// Whichever way is taken, the batch passes Config.Layers as one Publish (Bus.Append).
// Errors are the log's. Publishing an envelope again is safe; a foreign message
// gets a new envelope id each time, so repeating its Publish after
// CodeOutcomeUnknown may store it twice.
//
// # Listening, order and acks
//
// A subscription to a topic delivers its records in log order, and to
// domain.TopicAll ("$all") those of all topics. The next message comes after
// the Ack of the one before. Nack brings the same message again: at once the
// first time, then after a pause that grows to Config.RedeliverAtMost; nothing
// overtakes it.
//
// A consumer group has one durable position in each topic, which moves only on
// Ack; the first to subscribe under a new name starts at the oldest record. Its
// members in this process take turns: one message is in flight in the whole
// group. When the member that holds it goes (Close, or the end of its context)
// the message is delivered to another one. So delivery is at least once. A
// member that stops reading its channel holds up its group until it goes.
// Without a group a subscription starts at the oldest record and remembers
// nothing.
//
// # Failure
//
// When the log can't be read, or a position not be saved, and that may pass,
// the subscription logs it, pauses and tries again; it delivers nothing new
// until its position is safe. A record that can't be read at all ends the
// subscription: the reason is logged and the channel closed. The end of the log
// closes it too.
//
// A context's end and Close close the channel; Close waits until that is so.
// Nothing is buffered for a consumer beyond the records read ahead, which stay
// near readAheadBytes.
//
// # Testing
//
// Run it over memlog.New. Package bustest holds a bus over any log to
// Watermill's universal Pub/Sub tests.
package watermillbus
