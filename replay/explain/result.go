package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// Bounds of linking a signal to an earlier call by a code that both have.
const (
	calledWithin = 60 * 24 * time.Hour // what was booked or ordered has arrived by then
	callsMost    = 100                 // calls that are looked at before a signal, the latest
	callLooked   = 8                   // signals of one explanation that are linked back, the nearest
	codesMost    = 64                  // codes of one text or answer

	resultLooked = 8    // calls of one explanation whose results are looked for
	resultMost   = 5000 // signals, and messages, that are read after each of those
	resultsTried = 20   // of them those with a code of the call
)

// followResult goes from a signal, or an interface's message, to the latest call that had
// one of its codes, such as the number of a booking: no interface says which call a signal
// is the result of. A call of the interface that sent it goes before others.
func (w *walk) followResult(ctx context.Context, rec domain.Record) error {
	codes := codesIn(reportedBy(rec))
	if len(codes) == 0 || w.linked.calls == callLooked {
		return nil
	}
	w.linked.calls++
	call, code, err := w.callBefore(ctx, rec, codes)
	if err != nil || call.Position == 0 {
		return err
	}
	w.shares[edgeKey{call.Envelope.ID, rec.Envelope.ID, RoleCode}] = code
	w.followTo(rec, call, RoleCode)
	return nil
}

// reportedBy is the text of a signal or a message from outside; "" of anything else.
func reportedBy(rec domain.Record) string {
	if !sentFromOutside(rec) || !rec.Envelope.Parent.IsZero() {
		return ""
	}
	return textOf(rec.Envelope)
}

// noteResults notes the signals and messages whose link leads to the end of a call, or to
// a call without an end.
func (w *walk) noteResults(ctx context.Context, rec domain.Record) error {
	if w.linked.results == resultLooked {
		return nil
	}
	call, err := w.callOf(ctx, rec)
	if err != nil || call.last().Envelope.ID != rec.Envelope.ID {
		return err
	}
	codes := call.codes()
	if len(codes) == 0 {
		return nil
	}
	w.linked.results++
	var reported []domain.Record
	for _, topic := range []domain.Topic{domain.TopicSignals, domain.TopicMessages} {
		err := w.lookOn(ctx, topic, rec, resultMost, func(r domain.Record) {
			if len(reported) < resultsTried && r.RecordedAt.Sub(rec.RecordedAt) <= calledWithin && sharesCode(codes, reportedBy(r)) {
				reported = append(reported, r)
			}
		})
		if err != nil {
			return err
		}
	}
	for _, r := range reported {
		found, code, err := w.callBefore(ctx, r, codesIn(reportedBy(r)))
		if err != nil {
			return err
		}
		if found.Envelope.ID == rec.Envelope.ID {
			w.shares[edgeKey{rec.Envelope.ID, r.Envelope.ID, RoleCode}] = code
			w.expect(r, cause{id: rec.Envelope.ID, role: RoleCode})
		}
	}
	return nil
}

func sharesCode(codes []string, text string) bool {
	return text != "" && slices.ContainsFunc(codesIn(text), func(code string) bool { return slices.Contains(codes, code) })
}

// callBefore is the end of the latest call before a record that has one of some codes, or
// the call itself as long as it had no end, and that code; the zero Record for none.
func (w *walk) callBefore(ctx context.Context, rec domain.Record, codes []string) (domain.Record, string, error) {
	since, err := w.log.Since(ctx, rec.RecordedAt-domain.Millis(calledWithin.Milliseconds()))
	if err != nil || since >= rec.Position {
		return domain.Record{}, "", err
	}
	from, err := latest(ctx, w.log, domain.TopicTools, domain.ToolInvokedType, callsMost, since, rec.Position-1)
	if err != nil {
		return domain.Record{}, "", err
	}
	calls := map[domain.ID]*call{}
	var inOrder []*call
	err = eachOfTopic(ctx, w.log, domain.TopicTools, from, rec.Position-1, func(step domain.Record) {
		id, _ := domain.InvocationOf(step.Envelope)
		if step.Envelope.Type == domain.ToolInvokedType {
			calls[id] = &call{invoked: step}
			inOrder = append(inOrder, calls[id])
		} else if known := calls[id]; known != nil && endsCall(step.Envelope) {
			known.end = step
		}
	})
	if err != nil {
		return domain.Record{}, "", err
	}
	var found domain.Record
	var by string
	for _, one := range slices.Backward(inOrder) {
		code := ""
		if at := slices.IndexFunc(one.codes(), func(c string) bool { return slices.Contains(codes, c) }); at >= 0 {
			code = one.codes()[at]
		}
		own := one.owner() == rec.Envelope.Principal
		if code != "" && (own || found.Position == 0) {
			found, by = one.last(), code
		}
		if code != "" && own {
			break
		}
	}
	return found, by, nil
}

// call is a tool call with its end, if it has one.
type call struct {
	invoked, end domain.Record
}

// callOf is the call that a record begins or ends; the zero call of anything else.
func (w *walk) callOf(ctx context.Context, rec domain.Record) (call, error) {
	id, ok := domain.InvocationOf(rec.Envelope)
	switch {
	case !ok:
		return call{}, nil
	case rec.Envelope.Type == domain.ToolInvokedType:
		steps, err := w.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(id)}, rec.Position, maxSteps)
		out := call{invoked: rec}
		for _, step := range steps {
			if endsCall(step.Envelope) {
				out.end = step
			}
		}
		return out, err
	case endsCall(rec.Envelope):
		invoked, err := w.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return call{}, nil
		}
		return call{invoked, rec}, err
	}
	return call{}, nil
}

func endsCall(e domain.Envelope) bool {
	return e.Type == domain.ToolCompletedType || e.Type == domain.ToolFailedType || e.Type == domain.ToolOutcomeUnknownType
}

// last is the call's end, or the call itself.
func (c call) last() domain.Record {
	if c.end.Position > 0 {
		return c.end
	}
	return c.invoked
}

// owner is the principal of the interface whose tool was called; "" for a skill.
func (c call) owner() domain.Principal {
	return domain.Principal(words(c.invoked.Envelope, func(p domain.ToolInvoked) string {
		if p.InterfaceID.IsZero() {
			return ""
		}
		return string(domain.Interface{ID: p.InterfaceID}.Principal())
	}))
}

// codes are those in the parameters and the answer of an interface's tool. A skill's answer
// only repeats what was said, and a denied or failed call led to nothing outside.
func (c call) codes() []string {
	if c.owner() == "" || c.end.Envelope.Type == domain.ToolFailedType {
		return nil
	}
	invoked, _ := decoded[domain.ToolInvoked](c.invoked.Envelope)
	out := codesOf(invoked.Params)
	if answer, ok := decoded[domain.ToolCompleted](c.end.Envelope); ok && c.end.Envelope.Type == domain.ToolCompletedType {
		if answer.Text != nil {
			out = append(out, codesIn(*answer.Text)...)
		}
		out = append(out, codesOf(answer.Data)...)
		out = append(out, codesIn(domain.PlainText(answer.Blocks))...)
	}
	return out[:min(len(out), codesMost)]
}

// codesOf are the codes in the texts of a JSON value, and whole numbers that are long
// enough to be one.
func codesOf(value json.RawMessage) (out []string) {
	if len(value) == 0 {
		return nil
	}
	tokens := json.NewDecoder(bytes.NewReader(value))
	tokens.UseNumber()
	for len(out) < codesMost {
		token, err := tokens.Token()
		if err != nil {
			return out // the end
		}
		switch text := token.(type) {
		case string:
			out = append(out, codesIn(text)...)
		case json.Number:
			out = append(out, codesIn(text.String())...)
		}
	}
	return out
}

// codesIn are the words of a text, in lower case, that name one thing only: ids, and
// numbers of bookings, flights, orders.
func codesIn(text string) (out []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }) {
		if word = strings.ToLower(strings.Trim(word, "_-")); isCode(word) && len(out) < codesMost {
			out = append(out, word)
		}
	}
	return out
}

const (
	shortestCode   = 4  // A12 is a seat on any flight
	shortestNumber = 5  // digits: four are often a year or an amount
	shortestID     = 16 // of letters and digits that begin with a digit, unlike 30min
)

func isCode(word string) bool {
	digits, letters := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	begins, _ := utf8.DecodeRuneInString(word)
	switch {
	case digits < 2:
		return false
	case letters == 0:
		return digits >= shortestNumber && !isDate(word)
	case unicode.IsDigit(begins):
		return digits+letters >= shortestID
	}
	return digits+letters >= shortestCode
}

// isDate reports whether digits are a day such as 2026-11-03.
func isDate(word string) bool {
	_, err := time.Parse(time.DateOnly, word)
	return err == nil
}
