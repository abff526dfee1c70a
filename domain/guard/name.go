package guard

import "strings"

// nameOf is the kind of secret that a name announces: db_password, "API key",
// accessToken. What is about a secret announces none: token_count, password_hint.
func nameOf(name string) (Kind, bool) {
	if name == "" || !mayName(lower(name[len(name)-1])) {
		return "", false
	}
	var buf [2 * maxName]byte
	words := string(snake(buf[:0], clip(name, 2*maxName)))
	for _, n := range &names {
		before, ok := strings.CutSuffix(words, n.suffix)
		if !ok || before != "" && before[len(before)-1] != '_' && !n.within {
			continue
		}
		if n.kind == Token && isAbout(strings.TrimSuffix(before, "_")) {
			return "", false
		}
		return n.kind, true
	}
	return "", false
}

// mayName reports whether one of names ends so.
func mayName(c byte) bool {
	switch c {
	case 'd', 'e', 't', 's', 'y', 'n', 'v', 'c', '2', 'r':
		return true
	}
	return false
}

// names are the ends of names, in snake case. Those that count within a word are
// too plain to be the end of another.
var names = [...]struct {
	suffix string
	kind   Kind
	within bool // also without a '_' before it
}{
	{"password", Password, true},
	{"passwort", Password, true},
	{"passwd", Password, true},
	{"passphrase", Password, true},
	{"passcode", Password, true},
	{"pass_word", Password, false},
	{"pwd", Password, false},
	{"pass", Password, false},
	{"apikey", APIKey, true},
	{"api_key", APIKey, false},
	{"accesskey", APIKey, true},
	{"access_key", APIKey, false},
	{"secretkey", APIKey, true},
	{"secret_key", APIKey, false},
	{"account_key", APIKey, false},
	{"accountkey", APIKey, false},
	{"auth_key", APIKey, false},
	{"private_key", PrivateKey, false},
	{"privatekey", PrivateKey, true},
	{"encryption_key", PrivateKey, false},
	{"signing_key", PrivateKey, false},
	{"master_key", PrivateKey, false},
	{"secret", Token, false},
	{"client_secret", Token, false},
	{"clientsecret", Token, true},
	{"token", Token, false},
	{"accesstoken", Token, true},
	{"authtoken", Token, true},
	{"refreshtoken", Token, true},
	{"authorization", Token, false},
	{"chalie_session", Token, false},
	{"card_number", CardNumber, false},
	{"cardnumber", CardNumber, true},
	{"cvv", CardCode, false},
	{"cvc", CardCode, false},
	{"cvv2", CardCode, false},
}

// isAbout reports whether words before "token" say that it is one of a text, or
// the place in a list.
func isAbout(before string) bool {
	last := before[strings.LastIndexByte(before, '_')+1:]
	switch last {
	case "page", "next", "cursor", "continuation", "sync", "max", "min", "stop", "eos", "bos", "pad", "unk", "per", "first", "last":
		return true
	}
	return false
}

// snake appends a name with its words in small letters and '_' between them.
func snake(out []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '-' || c == '.' || c == ' ' || c == '_':
			out = append(out, '_')
		case 'A' <= c && c <= 'Z':
			if i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
				out = append(out, '_')
			}
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return out
}
