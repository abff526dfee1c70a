package guard

import "strings"

// Secret is one secret in a text: what it is, and where, in bytes.
type Secret struct {
	Kind       Kind
	Start, End int
}

// Kind is the kind of a secret, in words for a person.
type Kind string

// The kinds.
const (
	APIKey     Kind = "api key"
	Token      Kind = "token" // of a session, a bearer, a program
	Password   Kind = "password"
	PrivateKey Kind = "private key"
	CardNumber Kind = "card number"
	CardCode   Kind = "card code"
)

const markPrefix = "[redacted"

// Mark is what replaces a secret.
func (k Kind) Mark() string { return markPrefix + ": " + string(k) + "]" }

// Holds reports whether a text has a mark of a secret in it.
func Holds(text string) bool {
	for _, k := range []Kind{APIKey, Token, Password, PrivateKey, CardNumber, CardCode} {
		if strings.Contains(text, k.Mark()) {
			return true
		}
	}
	return false
}

func isMark(text string) bool {
	switch text {
	case APIKey.Mark(), Token.Mark(), Password.Mark(), PrivateKey.Mark(), CardNumber.Mark(), CardCode.Mark():
		return true
	}
	return false
}

// Kinds lists the kinds found, each once, in order of appearance.
func Kinds(found []Secret) []string {
	var out []string
next:
	for _, s := range found {
		for _, have := range out {
			if have == string(s.Kind) {
				continue next
			}
		}
		out = append(out, string(s.Kind))
	}
	return out
}

// HasSecret reports whether a text has a secret in it, or the mark of one.
func HasSecret(text string) bool { return Holds(text) || len(secrets(flatten(text).text, nil)) > 0 }

// Redact returns the text with a mark in the place of each secret, and what it
// found, by place in the text as it was given.
func Redact(text string) (clean string, found []Secret) {
	f := flatten(text)
	found = f.back(secrets(f.text, nil))
	return splice(text, found), found
}

// splice puts the marks in.
func splice(text string, found []Secret) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 32)
	from := 0
	for _, s := range found {
		b.WriteString(text[from:s.Start])
		b.WriteString(s.Kind.Mark())
		from = s.End
	}
	b.WriteString(text[from:])
	return b.String()
}

// longRun is the length of a run of letters, digits, '_', '-' and '.' from which
// it may hold a key by its shape alone.
const longRun = 11

// secrets appends the secrets found, in order and without overlap. It goes once
// through the text, from run to run; what it looks at beside that, ahead or
// behind, is bounded.
func secrets(text string, found []Secret) []Secret {
	for i := 0; i < len(text); {
		c := text[i]
		var s Secret
		var ok bool
		switch {
		case isAlnum.has(c):
			end := i + 1
			for end < len(text) && inRun.has(text[end]) {
				end++
			}
			s, ok = inWord(text, i, end)
			if !ok {
				i = end
			}
		case c == ':' || c == '=':
			if s, ok = inURL(text, i); !ok {
				s, ok = named(text, i)
			}
		case c == '-':
			s, ok = pem(text, i)
		}
		switch {
		case ok:
			found = append(found, s)
			i = s.End
		case !isAlnum.has(c):
			i++
		}
	}
	return found
}

// inWord looks for a secret that begins in the run text[start:end].
func inWord(text string, start, end int) (Secret, bool) {
	if c := text[start]; '0' <= c && c <= '9' {
		if s, ok := card(text, start); ok {
			return s, true
		}
		if s, ok := telegram(text, start, end); ok {
			return s, true
		}
	}
	if end-start >= longRun {
		return shaped(text, start, end)
	}
	if end-start == len("bearer") {
		return bearer(text, start, end)
	}
	return stated(text, start, end)
}

// maxPEM bounds how far the end of a private key is looked for.
const maxPEM = 16 << 10

// pem finds a private key block, or what there is of one: without its end it goes
// on to the end of the text.
func pem(text string, at int) (Secret, bool) {
	const begin, dashes, key = "-----BEGIN ", "-----", "PRIVATE KEY"
	if !strings.HasPrefix(text[at:], begin) {
		return Secret{}, false
	}
	label, _, ok := strings.Cut(clip(text[at+len(begin):], 64), dashes)
	if !ok || !strings.Contains(label, key) {
		return Secret{}, false
	}
	within := clip(text[at:], maxPEM)
	end := strings.Index(within, "-----END ")
	if end < 0 {
		return Secret{PrivateKey, at, at + len(within)}, true
	}
	rest := within[end+len("-----END "):]
	if last := strings.Index(clip(rest, 64), dashes); last >= 0 {
		return Secret{PrivateKey, at, at + len(within) - len(rest) + last + len(dashes)}, true
	}
	return Secret{PrivateKey, at, at + end}, true
}

func clip(text string, most int) string {
	if len(text) > most {
		return text[:most]
	}
	return text
}
