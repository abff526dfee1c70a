package wording

import "chalie/domain"

// Actor is who decided something: you, or whoever it was by their own name.
func Actor(actor string) string {
	if actor == domain.ActorOperator {
		return "you"
	}
	return actor
}

// Way is who answered a question for approval, and how.
func Way(actor string, by domain.Correlator) string {
	who := Actor(actor)
	switch by {
	case domain.ByApprovalToken:
		return who + ", with its token"
	case domain.ByReply:
		return who + ", in a reply"
	case domain.ByReaction:
		return who + ", with a reaction"
	case domain.ByPlainText:
		return who + ", in words"
	case domain.ByCancel:
		return who + ", by stopping what it was for"
	}
	return who + ", " + Spelt(string(by))
}
