package domain

import (
	"strconv"
	"strings"
)

const actsPrefix = "acts/"

// ActsKey marks a model.replied that calls tools, which clients are told. step is the number of the call to the model, from 1.
func ActsKey(step int) Key { return actsPrefix + Key(strconv.Itoa(step)) }

// ActsOf reads the ActsKey an envelope carries; false when it has none.
func ActsOf(e Envelope) (step int, ok bool) {
	for _, key := range e.Keys {
		if text, found := strings.CutPrefix(string(key), actsPrefix); found {
			if step, err := strconv.Atoi(text); err == nil {
				return step, true
			}
		}
	}
	return 0, false
}

// narrate says which tools an answer is about to use.
func (f *Frame) narrate(e Envelope) error {
	f.Step, _ = ActsOf(e)
	reply, err := Decode[ModelReplied](e)
	if CodeOf(err) == CodeErased {
		f.Message = "(erased)"
		return nil
	}
	if err != nil {
		return err
	}
	names := make([]string, len(reply.ToolCalls))
	for i, call := range reply.ToolCalls {
		names[i] = oneLine(call.Tool)
	}
	f.Message = "Using " + strings.Join(names, ", then ")
	return nil
}

// oneLine keeps a name from outside from pretending to be more than one.
func oneLine(text string) string {
	return strings.Join(strings.Fields(clip(text, MaxNameBytes)), " ")
}
