package domain

import (
	"bytes"
	"strconv"
)

// energyOf is the activation energy of a signal, with Decode's errors. Folding
// the whole log is mostly this, so it reads the layout that New writes without
// decoding the rest; any other layout is decoded.
func energyOf(e Envelope) (float64, error) {
	if e.Version == 1 && e.Payload.Encoding == EncodingJSON {
		if energy, ok := scanEnergy(e.Payload.Bytes); ok {
			return energy, nil
		}
	}
	p, err := Decode[SignalReceived](e)
	return p.ActivationEnergy, err
}

// scanEnergy reads the energy out of a signal's payload whose members are in
// the order of SignalReceived, without spaces between them. It leans on the
// text being JSON, which every log checks before it takes an envelope.
func scanEnergy(text []byte) (float64, bool) {
	for _, name := range [...]string{`{"signal_type":`, `,"content":`, `,"source":`} {
		if text = skipString(skipText(text, name)); text == nil {
			return 0, false
		}
	}
	if text = skipText(text, `,"topic":`); text == nil {
		return 0, false
	}
	if null := skipText(text, "null"); null != nil {
		text = null
	} else if text = skipString(text); text == nil {
		return 0, false
	}
	if text = skipText(text, `,"activation_energy":`); text == nil {
		return 0, false
	}
	digits := bytes.IndexByte(text, ',')
	if digits < 0 {
		return 0, false
	}
	energy, err := strconv.ParseFloat(string(text[:digits]), 64)
	if err != nil {
		return 0, false
	}
	// Metadata has to be the last: of two members of one name the later counts. A
	// signal with marks is rare, and is decoded.
	text = skipMetadata(skipText(text[digits:], `,"metadata":`))
	return energy, string(text) == "}"
}

// skipText cuts a text off the front; nil when it is not there.
func skipText(text []byte, front string) []byte {
	if len(text) < len(front) || string(text[:len(front)]) != front {
		return nil
	}
	return text[len(front):]
}

// skipString cuts a JSON string off the front; nil when there is none.
func skipString(text []byte) []byte {
	if len(text) == 0 || text[0] != '"' {
		return nil
	}
	for from := 1; ; {
		end := bytes.IndexByte(text[from:], '"')
		if end < 0 {
			return nil
		}
		end += from
		escapes := 0
		for text[end-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return text[end+1:]
		}
		from = end + 1
	}
}

// skipMetadata cuts an object or null off the front; nil when there is neither.
func skipMetadata(text []byte) []byte {
	if len(text) == 0 || text[0] != '{' {
		return skipText(text, "null")
	}
	for depth := 0; len(text) > 0; {
		switch text[0] {
		case '"':
			if text = skipString(text); text == nil {
				return nil
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		text = text[1:]
		if depth == 0 {
			return text
		}
	}
	return nil
}
