package guard

import "strings"

// nameOf is the kind of secret that a name announces: db_password, "API key",
// accessToken. What is about a secret announces none: token_count, password_hint.
func nameOf(name string) (Kind, bool) {
	if name == "" || !lastOfName[lower(name[len(name)-1])] {
		return "", false
	}
	var buf [2 * maxName]byte
	words := string(snake(buf[:0], clip(name, 2*maxName)))
	for _, n := range &names {
		before, ok := strings.CutSuffix(words, n.suffix)
		if !ok || before != "" && before[len(before)-1] != '_' && !n.within {
			continue
		}
		before = strings.TrimSuffix(before, "_")
		if n.kind == Token && counted[before[strings.LastIndexByte(before, '_')+1:]] {
			return "", false
		}
		return n.kind, true
	}
	return "", false
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

// counted stand before "token" where it is one of a text, or the place in a list.
var counted = wordSet("page next cursor continuation sync max min stop eos bos pad unk per first last")

// lastOfName are the letters that names end with: most words end with another.
var lastOfName = func() (out [256]bool) {
	for _, n := range names {
		out[n.suffix[len(n.suffix)-1]] = true
	}
	return out
}()

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
