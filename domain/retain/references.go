package retain

import "chalie/domain"

// references are the envelopes that a record refers to in its payload. What reasoning looked at
// and left out is among them only when all is asked for.
func references(rec *domain.Record, all bool) []domain.ID {
	if rec.Envelope.Type == domain.ReasoningStartedType && !all {
		if ground, err := domain.Decode[domain.ReasoningStarted](rec.Envelope); err == nil {
			return groundOf(&ground)
		}
	}
	return Mentioned(nil, rec.Envelope.Payload.Bytes)
}

// groundOf is what reasoning was laid on.
func groundOf(ground *domain.ReasoningStarted) []domain.ID {
	out := append([]domain.ID{ground.Found}, ground.Recent...)
	for _, item := range ground.World.Items {
		out = append(out, item.EnvelopeID, item.TextID)
	}
	for _, rel := range ground.Relations {
		out = append(out, rel.Signal, rel.Commitment)
	}
	return out
}

// The spellings of an id.
const (
	ulidChars = 26
	uuidChars = 36
)

// Mentioned adds the ids that stand in a text, in any of their spellings. Some may be none.
func Mentioned(out []domain.ID, text []byte) []domain.ID {
	for i := 0; i < len(text); {
		if !isIDChar(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && isIDChar(text[end]) {
			end++
		}
		if n := end - i; n == ulidChars || n == uuidChars || n == 2*len(domain.ID{}) {
			if id, err := domain.ParseID(string(text[i:end])); err == nil {
				out = append(out, id)
			}
		}
		i = end
	}
	return out
}

func isIDChar(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-'
}
