package guard

import "strings"

// speaker finds a turn of a dialogue that the text plays: a line that begins with
// "System:". The word that just ended has class c.
func (r *reader) speaker(c class, end int) {
	if c&classSpeaker != 0 && r.brokenLine && end < len(r.text) && r.text[end] == ':' {
		r.flag(Threat{RoleManipulation, "speaks as another", Low, r.start, end + 1})
	}
}

// controls are what some models' dialogues are made of. In what an interface
// reports they have no business.
var controls = [...]string{
	"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "<|eot_id|>",
	"<|start_header_id|>", "<|end_header_id|>", "<<sys>>", "<</sys>>", "[inst]", "[/inst]", "<start_of_turn>", "<end_of_turn>",
}

// roles are tags that play a turn.
var roles = [...]string{"<system>", "</system>", "<assistant>", "</assistant>", "[system]", "[assistant]", "<system_prompt>", "<tool_result>", "</tool_result>", "<function_calls>"}

// turn finds a turn's mark, and a comment of HTML, that begins at a bracket.
func (r *reader) turn(at int) {
	rest := r.text[at:]
	for _, c := range controls {
		if len(rest) >= len(c) && foldEqual(rest[:len(c)], c) {
			r.flag(Threat{RoleManipulation, "dialogue control", Critical, at, at + len(c)})
			return
		}
	}
	for _, c := range roles {
		if len(rest) >= len(c) && foldEqual(rest[:len(c)], c) {
			r.flag(Threat{RoleManipulation, "dialogue tag", High, at, at + len(c)})
			return
		}
	}
	if strings.HasPrefix(rest, "<!--") {
		r.flag(Threat{Injection, "comment", Low, at, at + len("<!--")})
	}
}

// maxPicture bounds how far the address of a picture is read.
const maxPicture = 512

// picture finds a picture whose address has a gap to be filled: a client that
// shows it sends along what was filled in. at is the '!'.
func (r *reader) picture(at int) {
	if at+1 >= len(r.text) || r.text[at+1] != '[' {
		return
	}
	rest := clip(r.text[at:], maxPicture)
	_, address, found := strings.Cut(rest, "](http")
	if !found {
		return
	}
	address, _, _ = strings.Cut(address, ")")
	if _, query, asks := strings.Cut(address, "?"); asks && strings.ContainsAny(query, "{<[$") {
		r.flag(Threat{Exfiltration, "picture that carries data", High, at, at + len(rest)})
	}
}
