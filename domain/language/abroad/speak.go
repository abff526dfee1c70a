package abroad

import (
	"cmp"
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
)

// Catalogue has the words in which a message is answered: those of its language, else English.
func Catalogue(p language.Prompt) *speech.Catalogue {
	if p.Words != nil {
		return p.Words
	}
	if t, ok := sentences.TongueOf(p); ok {
		return inWordsOf(p, t)
	}
	return speech.English()
}

// inWordsOf has the words of a language.
func inWordsOf(p language.Prompt, t *tongues.Tongue) *speech.Catalogue {
	if c, ok := speech.In(t.Tag); ok && p.Words == nil {
		return c
	}
	return cmp.Or(p.Words, speech.English())
}

// Answer is what a skill answered, in the language of the message by its values; where they aren't known, its
// words.
func Answer(reply *language.Reply, p language.Prompt, d language.Done, blocks []domain.Block) []domain.Block {
	if len(d.Said) == 0 {
		return blocks
	}
	c := Catalogue(p)
	spoken(reply, c)
	if c == speech.English() {
		return blocks // as they were said
	}
	return c.Blocks(d.Said, d.Blocks, d.Voice(p))
}

// Say tells parts of a reply that are the model's own, in the language of the message, with buttons for those that
// are labels, and has their values recorded with it. What isn't a message yet is told by its English words alone.
func Say(reply *language.Reply, p language.Prompt, buttons []domain.Block, said ...speech.Said) {
	c, v := Catalogue(p), speech.Voice{Now: p.AsOf, Zone: p.Zone}
	if slices.ContainsFunc(said, speech.Said.InWords) {
		reply.Blocks = append(reply.Blocks, speech.English().Blocks(said, buttons, v)...)
		return
	}
	reply.Blocks = append(reply.Blocks, c.Blocks(said, buttons, v)...)
	if stored, ok := c.Stored(said); ok {
		to := spoken(reply, c)
		to.Said = append(to.Said, stored.Said...)
	}
}

// Add puts what one reply says behind what another does.
func Add(reply *language.Reply, one language.Reply) {
	reply.Blocks = append(reply.Blocks, one.Blocks...)
	switch {
	case one.Spoken == nil:
	case reply.Spoken == nil:
		reply.Spoken = one.Spoken
	default:
		reply.Spoken.Said = append(reply.Spoken.Said, one.Spoken.Said...)
	}
}

// spoken is what is recorded of a reply's words, which are of a catalogue.
func spoken(reply *language.Reply, c *speech.Catalogue) *domain.Spoken {
	if reply.Spoken == nil {
		reply.Spoken = &domain.Spoken{Language: c.Language, Catalogue: c.Version}
	}
	return reply.Spoken
}
