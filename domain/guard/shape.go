package guard

import "strings"

// shape is a key that is known by how it begins.
type shape struct {
	prefix string
	kind   Kind
	body   set
	least  int  // bytes of the body
	exact  bool // the body has exactly so many
	random bool // the prefix is too common: the body must look random
}

// shapes are the keys that their makers marked. The body of each is what the
// maker documents, or a little less.
var shapes = [...]shape{
	{prefix: "chalie_", kind: Token, body: inKey, least: 40},
	{prefix: "sk-", kind: APIKey, body: inKey, least: 20, random: true},
	{prefix: "sk_live_", kind: APIKey, body: isWord, least: 16},
	{prefix: "sk_test_", kind: APIKey, body: isWord, least: 16},
	{prefix: "rk_live_", kind: APIKey, body: isWord, least: 16},
	{prefix: "rk_test_", kind: APIKey, body: isWord, least: 16},
	{prefix: "whsec_", kind: APIKey, body: inAuth, least: 24},
	{prefix: "ghp_", kind: APIKey, body: isAlnum, least: 36},
	{prefix: "gho_", kind: APIKey, body: isAlnum, least: 36},
	{prefix: "ghu_", kind: APIKey, body: isAlnum, least: 36},
	{prefix: "ghs_", kind: APIKey, body: isAlnum, least: 36},
	{prefix: "ghr_", kind: APIKey, body: isAlnum, least: 36},
	{prefix: "github_pat_", kind: APIKey, body: isWord, least: 22},
	{prefix: "glpat-", kind: APIKey, body: inKey, least: 20},
	{prefix: "glrt-", kind: APIKey, body: inKey, least: 20},
	{prefix: "gsk_", kind: APIKey, body: isAlnum, least: 40},
	{prefix: "AKIA", kind: APIKey, body: isAlnum, least: 16, exact: true},
	{prefix: "ASIA", kind: APIKey, body: isAlnum, least: 16, exact: true},
	{prefix: "AIza", kind: APIKey, body: inKey, least: 35},
	{prefix: "AGE-SECRET-KEY-1", kind: PrivateKey, body: isAlnum, least: 50},
	{prefix: "ya29.", kind: Token, body: inKey, least: 20},
	{prefix: "GOCSPX-", kind: APIKey, body: inKey, least: 20},
	{prefix: "xoxb-", kind: APIKey, body: inKey, least: 10},
	{prefix: "xoxp-", kind: APIKey, body: inKey, least: 10},
	{prefix: "xoxa-", kind: APIKey, body: inKey, least: 10},
	{prefix: "xoxr-", kind: APIKey, body: inKey, least: 10},
	{prefix: "xoxs-", kind: APIKey, body: inKey, least: 10},
	{prefix: "xapp-", kind: APIKey, body: inKey, least: 10},
	{prefix: "hooks.slack.com/services/", kind: APIKey, body: inPath, least: 30},
	{prefix: "discord.com/api/webhooks/", kind: APIKey, body: inPath, least: 60},
	{prefix: "SG.", kind: APIKey, body: inRun, least: 50},
	{prefix: "npm_", kind: APIKey, body: isAlnum, least: 36},
	{prefix: "pypi-", kind: APIKey, body: inKey, least: 50},
	{prefix: "hf_", kind: APIKey, body: isAlnum, least: 30},
	{prefix: "hvs.", kind: Token, body: inKey, least: 24},
	{prefix: "dop_v1_", kind: APIKey, body: isAlnum, least: 64},
	{prefix: "dckr_pat_", kind: APIKey, body: inKey, least: 20},
	{prefix: "shpat_", kind: APIKey, body: isAlnum, least: 32},
	{prefix: "shpss_", kind: APIKey, body: isAlnum, least: 32},
	{prefix: "sq0csp-", kind: APIKey, body: inKey, least: 40},
	{prefix: "sq0atp-", kind: APIKey, body: inKey, least: 20},
	{prefix: "lin_api_", kind: APIKey, body: isAlnum, least: 32},
	{prefix: "nvapi-", kind: APIKey, body: inKey, least: 40},
	{prefix: "pplx-", kind: APIKey, body: isAlnum, least: 40},
	{prefix: "tvly-", kind: APIKey, body: inKey, least: 20, random: true},
	{prefix: "figd_", kind: APIKey, body: inKey, least: 20},
	{prefix: "r8_", kind: APIKey, body: isAlnum, least: 37},
}

// maxKey bounds how much of a key is looked at before it is believed. What goes
// on after it in the same way belongs to it.
const maxKey = 512

// mostRandom bounds it where the prefix is common, and so looked at often.
const mostRandom = 128

func (s *shape) most() int {
	if s.random {
		return mostRandom
	}
	return maxKey
}

// shaped looks for a key by its shape wherever a part of the run begins.
func shaped(text string, start, end int) (Secret, bool) {
	for at := start; at < end; at++ {
		if at > start && isAlnum.has(text[at-1]) {
			continue
		}
		if s, ok := shapedAt(text, at); ok {
			return s, true
		}
		if at == start {
			if s, ok := jwt(text, at, end); ok {
				return s, true
			}
		}
	}
	return Secret{}, false
}

func shapedAt(text string, at int) (Secret, bool) {
	for i := range shapes {
		sh := &shapes[i]
		if text[at] != sh.prefix[0] || !strings.HasPrefix(text[at:], sh.prefix) {
			continue
		}
		rest := text[at+len(sh.prefix):]
		n := sh.body.span(rest, sh.most())
		if n < sh.least || sh.exact && n != sh.least || sh.random && !looksRandom(rest[:n]) {
			continue
		}
		n += sh.body.span(rest[n:], len(rest))
		for n > 0 && (rest[n-1] == '.' || rest[n-1] == '/') {
			n-- // what ends a sentence or a path
		}
		return Secret{sh.kind, at, at + len(sh.prefix) + n}, true
	}
	return Secret{}, false
}

// looksRandom tells a key from words with dashes between them.
func looksRandom(text string) bool {
	m := mixOf(text)
	return m.digits > 0 && m.letters() > 0 && m.longest >= 12
}

// jwt finds a signed or encrypted JSON Web Token: its first parts are JSON
// objects, and so begin the same.
func jwt(text string, start, end int) (Secret, bool) {
	const object = "eyJ"
	run := strings.TrimRight(text[start:end], ".")
	if !strings.HasPrefix(run, object) {
		return Secret{}, false
	}
	first, rest, ok := strings.Cut(run, ".")
	if !ok || len(first) < 12 {
		return Secret{}, false
	}
	second, third, _ := strings.Cut(rest, ".")
	signed := strings.HasPrefix(second, object)
	encrypted := len(second) >= 16 && strings.Count(clip(third, 4*maxKey), ".") == 2
	if !signed && !encrypted {
		return Secret{}, false
	}
	return Secret{Token, start, start + len(run)}, true
}

// bearer finds what is sent as credentials after a scheme: "Bearer abc…".
func bearer(text string, start, end int) (Secret, bool) {
	if !foldEqual(text[start:end], "bearer") || end >= len(text) || text[end] != ' ' {
		return Secret{}, false
	}
	at := end + 1
	n := inAuth.span(text[at:], maxKey)
	m := mixOf(text[at : at+n])
	letters := text[start] == 'B' && m.letters() == n // a token without digits, and no word about a bearer
	if n < 16 || !letters && (m.digits == 0 || m.letters() == 0) {
		return Secret{}, false
	}
	n += inAuth.span(text[at+n:], len(text))
	return Secret{Token, at, at + n}, true
}

// telegram finds a bot's token: its number, a colon, and 35 characters.
func telegram(text string, start, end int) (Secret, bool) {
	if n := end - start; n < 8 || n > 10 || end >= len(text) || text[end] != ':' || mixOf(text[start:end]).digits != n {
		return Secret{}, false
	}
	if n := inKey.span(text[end+1:], maxKey); n == 35 && looksRandom(text[end+1:end+1+n]) {
		return Secret{APIKey, start, end + 1 + n}, true
	}
	return Secret{}, false
}

// foldEqual compares with a text in lower case, ASCII only.
func foldEqual(text, want string) bool {
	if len(text) != len(want) {
		return false
	}
	for i := range len(want) {
		if lower(text[i]) != want[i] {
			return false
		}
	}
	return true
}
