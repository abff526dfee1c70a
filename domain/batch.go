package domain

import "fmt"

// Check judges what every log refuses of a batch, whatever is in it: that it is
// empty or too large, a topic that can't be written to, an unsound envelope, or one
// that is there twice. The size is about what a log on a disk takes; such a log
// measures it anew. The errors are validations.
func (b Batch) Check() error {
	if len(b.Entries) == 0 {
		return Invalid("append", "entries", "the batch is empty: append at least one envelope")
	}
	seen := make(map[ID]struct{}, len(b.Entries))
	size := 0
	for _, e := range b.Entries {
		if e.Topic == "" || e.Topic == TopicAll || len(e.Topic) > MaxNameBytes {
			return Invalid("append", "topic", fmt.Sprintf("topic %q can't be written to: give a name of 1 to %d bytes other than %s", e.Topic, MaxNameBytes, TopicAll))
		}
		if err := e.Envelope.Check(); err != nil {
			return err
		}
		if _, twice := seen[e.Envelope.ID]; twice {
			return Invalid("append", "envelope_id", fmt.Sprintf("envelope %s is in the batch twice", e.Envelope.ID))
		}
		seen[e.Envelope.ID] = struct{}{}
		size += e.size()
	}
	if size > MaxBatchBytes {
		return &Error{Op: "append", Category: Validation, Code: CodeTooLarge,
			Message: fmt.Sprintf("the batch has %d bytes, the bound is %d: append it in parts", size, MaxBatchBytes)}
	}
	return nil
}

// size is about what the entry takes in a log on a disk.
func (e Entry) size() int {
	const fixed = 80 // ids, times, lengths, checksum
	env := e.Envelope
	n := fixed + len(e.Topic) + len(env.Type) + len(env.Source) + len(env.Principal) +
		len(env.Payload.KeyID) + len(env.Payload.Nonce) + len(env.Payload.Bytes)
	for _, k := range env.Keys {
		n += len(k)
	}
	for _, s := range env.Subjects {
		n += len(s)
	}
	for _, f := range env.Errors {
		n += len(f.Code) + len(f.Message)
	}
	return n
}
