package wsapi

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

// The codes a connection is closed with.
const (
	statusGoingAway  = ws.StatusGoingAway               // 1001: stopping, or nothing heard
	statusProtocol   = ws.StatusProtocolError           // 1002
	statusBinary     = ws.StatusUnsupportedData         // 1003
	statusNotUTF8    = ws.StatusInvalidFramePayloadData // 1007
	statusPolicy     = ws.StatusPolicyViolation         // 1008: the session ended, or a message never does
	statusTooBig     = ws.StatusMessageTooBig           // 1009
	statusInternal   = ws.StatusInternalServerError     // 1011
	statusTryAgain   = ws.StatusCode(1013)              // too slow: reconnect and resume
	firstRegistered  = ws.StatusCode(1012)              // registered after the RFC, through 1014
	lastRegistered   = ws.StatusCode(1014)
	lastPrivateRange = ws.StatusCode(4999)
)

// pingJSON is the ping every application sees.
const pingJSON = `{"type":"ping"}`

// pings is both pings in one piece: the one of the chat, and the protocol's,
// which every WebSocket stack answers on its own.
func pings() []byte {
	return appendFrame(textFrame([]byte(pingJSON)), ws.OpPing, nil)
}

// textFrame is a whole message as it goes over the wire.
func textFrame(text []byte) []byte {
	return appendFrame(make([]byte, 0, len(text)+ws.MaxHeaderSize), ws.OpText, text)
}

// appendFrame appends one unmasked, unfragmented frame.
func appendFrame(out []byte, op ws.OpCode, payload []byte) []byte {
	w := appender{out}
	// Lengths of slices and a buffer in memory leave nothing to fail.
	_ = ws.WriteHeader(&w, ws.Header{Fin: true, OpCode: op, Length: int64(len(payload))})
	return append(w.out, payload...)
}

// appender is a slice one can write to.
type appender struct{ out []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.out = append(a.out, p...)
	return len(p), nil
}

// checkClose judges a close frame: the code to answer with, 0 when it is as it
// should be.
func checkClose(payload []byte) (ws.StatusCode, string) {
	if len(payload) == 0 {
		return 0, ""
	}
	if len(payload) == 1 {
		return statusProtocol, "a close frame has a code of two bytes, or nothing"
	}
	code, reason := ws.StatusCode(binary.BigEndian.Uint16(payload)), payload[2:]
	if !utf8.Valid(reason) {
		return statusNotUTF8, "the reason of the close frame is not UTF-8"
	}
	if code >= firstRegistered && code <= lastRegistered {
		return 0, ""
	}
	if code > lastPrivateRange {
		return statusProtocol, "there is no such close code"
	}
	if err := ws.CheckCloseFrameData(code, ""); err != nil {
		return statusProtocol, "this close code is not one to send"
	}
	return 0, ""
}

// isFrameError reports whether a header could be read, and made no sense.
func isFrameError(err error) bool {
	return errors.Is(err, ws.ErrHeaderLengthMSB) || errors.Is(err, ws.ErrHeaderLengthUnexpected)
}

// validText judges a message as far as it has come: from is what was found valid
// before. It returns how far it is valid now. A rune that a fragment ends within
// waits for its rest.
func validText(text []byte, from int, whole bool) (int, bool) {
	end := len(text)
	for back := 1; !whole && back < utf8.UTFMax && back <= end-from; back++ {
		if b := text[end-back:]; utf8.RuneStart(b[0]) {
			if !utf8.FullRune(b) {
				end -= back
			}
			break
		}
	}
	return end, utf8.Valid(text[from:end])
}
