package wsapi

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

// The codes a connection is closed with.
const (
	statusGoingAway  = ws.StatusGoingAway               // 1001: stopping, or a silent client
	statusProtocol   = ws.StatusProtocolError           // 1002
	statusBinary     = ws.StatusUnsupportedData         // 1003
	statusNotUTF8    = ws.StatusInvalidFramePayloadData // 1007
	statusPolicy     = ws.StatusPolicyViolation         // 1008: the session ended, or a message took too long
	statusTooBig     = ws.StatusMessageTooBig           // 1009
	statusInternal   = ws.StatusInternalServerError     // 1011
	statusTryAgain   = ws.StatusCode(1013)              // too slow: reconnect and resume
	firstRegistered  = ws.StatusCode(1012)              // registered after the RFC, through 1014
	lastRegistered   = ws.StatusCode(1014)
	lastPrivateRange = ws.StatusCode(4999)
)

// pingJSON is the ping that applications see.
const pingJSON = `{"type":"ping"}`

// pings is both pings in one piece: the dialect's, if it has one, and the protocol's,
// which every WebSocket stack answers on its own.
func pings(said []byte) []byte {
	var out []byte
	if said != nil {
		out = textFrame(said)
	}
	return appendFrame(out, ws.OpPing, nil)
}

// textFrame is a whole message, encoded.
func textFrame(text []byte) []byte {
	return appendFrame(make([]byte, 0, len(text)+ws.MaxHeaderSize), ws.OpText, text)
}

// appendFrame appends one unmasked, unfragmented frame.
func appendFrame(out []byte, op ws.OpCode, payload []byte) []byte {
	w := appender{out}
	// Writing a valid length to memory can't fail.
	_ = ws.WriteHeader(&w, ws.Header{Fin: true, OpCode: op, Length: int64(len(payload))})
	return append(w.out, payload...)
}

// appender is a slice as an io.Writer.
type appender struct{ out []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.out = append(a.out, p...)
	return len(p), nil
}

// checkClose checks a close frame: it returns the code to answer with, 0 for a valid one.
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

// isFrameError reports whether a header was read and is invalid.
func isFrameError(err error) bool {
	return errors.Is(err, ws.ErrHeaderLengthMSB) || errors.Is(err, ws.ErrHeaderLengthUnexpected)
}

// validText checks the part of a message that has come; from is the length found valid
// before. It returns the length that is valid now. A rune that is cut by the end of a
// fragment is checked with the next one.
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
